"""Draw the pictures of docs/gallery.md by running the code of the page.

python docs/build_gallery.py            all of them
python docs/build_gallery.py arch pile  some, by the names of their pictures
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "gallery.md"
IMAGES = ROOT / "docs" / "images"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
SCENE = re.compile(
    r"!\[\]\(images/gallery_(\w+)\.jpg\)\n\n```python\n(.*?)^```", re.DOTALL | re.MULTILINE
)
#: of the JPEG files
QUALITY = 88
#: folders that scenes may need
FOLDERS = ("models", "menagerie")


def scenes() -> dict[str, str]:
    """The code of each picture, by the picture's name."""
    return dict(SCENE.findall(PAGE.read_text()))


def shared() -> dict[str, Any]:
    """Names that all scenes can use: available folders, and the first block of the page."""
    from conformance.cases import public_folder

    given = os.environ.get("CORTENFORGE_MENAGERIE")
    found = {"models": public_folder(), "menagerie": Path(given) if given else None}
    space: dict[str, Any] = {name: folder for name, folder in found.items() if folder}
    first = BLOCK.search(PAGE.read_text())
    assert first, "the page begins with the block that all scenes share"
    exec(compile(first[1], str(PAGE), "exec"), space)
    return space


def lacking(code: str, space: dict[str, Any]) -> list[str]:
    """Folders that a scene needs and that are missing on this machine."""
    return [name for name in FOLDERS if f"({name} /" in code and name not in space]


def draw(name: str, space: dict[str, Any]) -> np.ndarray:
    """The picture of a scene."""
    own = dict(space)
    exec(compile(scenes()[name], f"{PAGE}: {name}", "exec"), own)
    picture: np.ndarray = own["picture"]
    return picture


def main(names: list[str]) -> int:
    """Draw the named pictures, or all; print which are not drawn."""
    warnings.simplefilter("ignore")
    space, found = shared(), scenes()
    for name in names or found:
        missing = lacking(found[name], space)
        if missing:
            print(f"not drawn: {name}, which needs the folder of {' and '.join(missing)}")
            continue
        Image.fromarray(draw(name, space)).save(IMAGES / f"gallery_{name}.jpg", quality=QUALITY)
        print(f"drawn: {name}")
    return 0


sys.path[:0] = [str(ROOT), str(ROOT / "examples")]
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
