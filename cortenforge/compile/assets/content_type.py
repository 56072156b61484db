"""What kind of data a file holds: by its content_type, or by its extension."""

from __future__ import annotations

import os
import re

from cortenforge.spec import Element
from cortenforge.spec.attribute import keyword

EXTENSIONS = {
    ".stl": "model/stl",
    ".obj": "model/obj",
    ".ply": "model/ply",
    ".msh": "model/vnd.mujoco.msh",
    ".png": "image/png",
    ".ktx": "image/ktx",
}
MEDIA_TYPE = re.compile(r"([\w.+-]+)/([\w.+-]+)(;.*)?", re.ASCII)


def content_type(element: Element, attribute: str) -> str:
    """The media type of an element's file; empty if it is unknown."""
    given = keyword(element, "content_type")
    if given:
        parts = MEDIA_TYPE.fullmatch(given)
        return f"{parts[1]}/{parts[2]}" if parts else "?"
    extension = os.path.splitext(keyword(element, attribute))[1]
    return EXTENSIONS.get(extension.lower(), "")
