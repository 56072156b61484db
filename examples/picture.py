"""A picture of what an example has to show, kept in the folder `out/examples`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import cortenforge as cf

FOLDER = Path(__file__).parents[1] / "out" / "examples"
#: from early to late
EARLY, LATE = np.array([0.95, 0.75, 0.35]), np.array([0.5, 0.15, 0.05])


def shades(n: int) -> list[tuple[float, ...]]:
    """Colours for so many moments, one after another."""
    return [(*colour, 1.0) for colour in np.linspace(EARLY, LATE, n)]


def chain(*points: Any, radius: float, rgba: Any) -> cf.Tubes:
    """Rods from point to point."""
    places = np.array(points, float)
    edges = np.stack([np.arange(len(places) - 1), np.arange(1, len(places))], 1)
    return cf.Tubes(places, edges, radius, rgba=rgba)


def keep(
    name: str,
    data: cf.Data,
    camera: cf.Camera,
    *,
    extra: Sequence[cf.Tubes] = (),
    **shown: Any,
) -> None:
    """Draw a world and what is handed over with it, keep it, and say where it is."""
    renderer = cf.Renderer(data.model, 640, 480, cf.RenderOptions(**shown))
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{name}.png"
    Image.fromarray(renderer.render(data, camera, extra=extra)).save(file)
    print(f"\nA picture: {file.relative_to(FOLDER.parents[1])}")
