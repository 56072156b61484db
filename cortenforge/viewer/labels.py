"""Names in the scene: of bodies, joints, geoms, sites, cameras, or of what was clicked on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.viewer.groups import Label
from cortenforge.viewer.shows import Shows

if TYPE_CHECKING:
    from cortenforge.model import Data

#: more labels than this cover what they name
MOST = 200
#: where things are, by kind
PLACES = {
    "body": "xpos",
    "joint": "xanchor",
    "geom": "geom_xpos",
    "site": "site_xpos",
    "camera": "cam_xpos",
}


def labels_of(data: Data, shows: Shows) -> dict[str, Label]:
    """Labels by the name of their node in the scene."""
    if shows.label == "none":
        return {}
    if shows.label == "selection":
        return {"/labels/body": _label(data, "body", shows.body)} if shows.body else {}
    count = len(getattr(data, PLACES[shows.label]))
    first = 1 if shows.label == "body" else 0
    numbers = range(first, min(count, first + MOST))
    return {f"/labels/{shows.label}{i}": _label(data, shows.label, i) for i in numbers}


def _label(data: Data, kind: str, number: int) -> Label:
    name = data.model.name_of(kind, number) or f"{kind} {number}"
    place: np.ndarray = getattr(data, PLACES[kind])[number]
    return Label(name, np.array(place, float))
