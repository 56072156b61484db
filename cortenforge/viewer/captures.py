"""Screenshots and clips of a browser's view, drawn by the rasteriser."""

from __future__ import annotations

import importlib.util
import io
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.render.camera import Camera
from cortenforge.render.clips import clip_to
from cortenforge.render.options import RenderOptions
from cortenforge.render.renderer import Renderer
from cortenforge.render.surfaces import Extra
from cortenforge.viewer.page import at_rate, twin_of
from cortenforge.viewer.past import Moment
from cortenforge.viewer.worlds import World

if TYPE_CHECKING:
    from cortenforge.model import Data

#: pixels of the longer side of a screenshot, and of a clip, at most
LARGEST_PICTURE, LARGEST_CLIP = 1600, 800
#: seconds of a clip without a recording
RECENT = 10.0
#: frames per second of a clip, at least and at most
SLOWEST, FASTEST = 5.0, 30.0


@dataclass
class Sight:
    """The view of one browser.

    camera: a free camera, or the number of a camera of the model.
    size:   width and height of the browser's window.
    follow: body that the camera follows; 0 for none.
    extra:  gives surfaces and tubes to draw beside the world.
    """

    camera: Camera | int
    size: tuple[int, int]
    options: RenderOptions
    follow: int = 0
    extra: Callable[[Data], Sequence[Extra]] | None = None

    def sized(self, largest: int) -> tuple[int, int]:
        """Width and height with the same aspect ratio, even, and at most `largest`."""
        share = min(1.0, largest / max(*self.size, 1))
        wide, high = (max(2, int(n * share) // 2 * 2) for n in self.size)
        return wide, high

    def renderer(self, data: Data, largest: int) -> Renderer:
        """A renderer for this view, without the perturbation."""
        wide, high = self.sized(largest)
        options = replace(self.options, perturb=None)
        return Renderer(data.model, width=wide, height=high, options=options)

    def drawn(self, renderer: Renderer, data: Data, since: np.ndarray) -> np.ndarray:
        """A picture of a world.  since: position of the followed body when `camera` was set."""
        camera = self.camera
        if self.follow and isinstance(camera, Camera):
            moved = np.asarray(camera.lookat) + data.subtree_com[self.follow] - since
            camera = replace(camera, lookat=tuple(moved.tolist()))
        extra = self.extra(data) if self.extra is not None else ()
        return renderer.render(data, camera, extra=extra)


def picture_of(data: Data, sight: Sight) -> bytes:
    """The current view as a PNG."""
    from PIL import Image

    renderer = sight.renderer(data, LARGEST_PICTURE)
    pixels = sight.drawn(renderer, data, np.array(data.subtree_com[sight.follow]))
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def clip_of(
    world: World, now: np.ndarray, moments: list[Moment], sight: Sight
) -> tuple[str, bytes]:
    """Snapshots as a clip: MP4, or GIF without ffmpeg.  Returns (file name, bytes).

    now: the state for which the camera was set.
    """
    if not moments:
        raise ArgumentError("clip: nothing recorded to show")
    chosen = at_rate(moments, FASTEST)
    passed = chosen[-1].time - chosen[0].time
    rate = (len(chosen) - 1) / passed if passed > 0.0 else FASTEST
    fps = min(max(rate, SLOWEST), FASTEST)
    twin = twin_of(world)
    twin.restore(now)
    since = np.array(twin.shown.subtree_com[sight.follow])
    renderer = sight.renderer(twin.shown, LARGEST_CLIP)
    name = "clip.mp4" if importlib.util.find_spec("imageio_ffmpeg") else "clip.gif"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        with clip_to(path, (renderer.width, renderer.height), fps) as clip:
            for moment in chosen:
                twin.restore(moment.state)
                clip.add(sight.drawn(renderer, twin.shown, since))
        return name, path.read_bytes()


def recent(moments: list[Moment], seconds: float = RECENT) -> list[Moment]:
    """The last seconds of a list of snapshots."""
    return [m for m in moments if m.time >= moments[-1].time - seconds]
