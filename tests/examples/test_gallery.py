"""The page of pictures: its code runs, and makes the pictures that it shows."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gallery() -> Any:
    """The script that runs the page."""
    kept = list(sys.path)
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import build_gallery

        yield build_gallery
    finally:
        sys.path[:] = kept


def names() -> list[str]:
    return sorted(file.stem.removeprefix("gallery_") for file in ROOT.glob("docs/images/gallery_*"))


def test_every_scene_has_its_picture(gallery: ModuleType) -> None:
    """A dozen or more, each kept once, and each block of code belongs to one."""
    assert sorted(gallery.scenes()) == names() and len(names()) >= 12
    assert len(gallery.BLOCK.findall(gallery.PAGE.read_text())) == len(names()) + 1


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_scene_is_drawn(gallery: ModuleType, name: str) -> None:
    """What the code draws is as colourful as what is kept; chaos may differ between processors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        space = gallery.shared()
        missing = gallery.lacking(gallery.scenes()[name], space)
        if missing:
            pytest.skip(f"this machine has no folder of {' and '.join(missing)}")
        drawn = gallery.draw(name, space)
    kept = np.asarray(Image.open(ROOT / f"docs/images/gallery_{name}.jpg").convert("RGB"))
    assert drawn.shape == kept.shape == (450, 720, 3)
    assert np.abs(drawn.mean((0, 1)) - kept.mean((0, 1))).max() < 8
    assert drawn.std() > 10 and abs(drawn.std() - kept.std()) < 10


def test_scenes_without_their_folder_are_named(
    gallery: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a machine lacks is said, and its picture is left as it is."""
    monkeypatch.delenv("CORTENFORGE_MENAGERIE", raising=False)
    assert gallery.main(["muscles"]) == 0
    assert capsys.readouterr().out == "not drawn: muscles, which needs the folder of menagerie\n"
