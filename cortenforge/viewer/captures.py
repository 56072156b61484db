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
from cortenforge.render.clips import open_clip
from cortenforge.render.renderer import Renderer
from cortenforge.scene.camera import Camera
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.surfaces_and_tubes import ExtraItem
from cortenforge.viewer.html_export import copy_of_worlds, subsampled
from cortenforge.viewer.state_history import Snapshot
from cortenforge.viewer.worlds import ShownWorlds

if TYPE_CHECKING:
    from cortenforge.model import Data

#: pixels of the longer side of a screenshot, and of a clip, at most
MAX_PICTURE_SIDE, MAX_CLIP_SIDE = 1600, 800
#: seconds of a clip without a recording
RECENT_CLIP_SECONDS = 10.0
#: frames per second of a clip, at least and at most
MIN_CLIP_FPS, MAX_CLIP_FPS = 5.0, 30.0


@dataclass
class CaptureView:
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
    extra: Callable[[Data], Sequence[ExtraItem]] | None = None

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


def picture_png(data: Data, view: CaptureView) -> bytes:
    """The current view as a PNG."""
    from PIL import Image

    renderer = view.renderer(data, MAX_PICTURE_SIDE)
    pixels = view.drawn(renderer, data, np.array(data.subtree_com[view.follow]))
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def clip_file(
    world: ShownWorlds, now: np.ndarray, moments: list[Snapshot], view: CaptureView
) -> tuple[str, bytes]:
    """Snapshots as a clip: MP4, or GIF without ffmpeg.  Returns (file name, bytes).

    now: the state for which the camera was set.
    """
    if not moments:
        raise ArgumentError("clip: nothing recorded to show")
    chosen = subsampled(moments, MAX_CLIP_FPS)
    passed = chosen[-1].time - chosen[0].time
    rate = (len(chosen) - 1) / passed if passed > 0.0 else MAX_CLIP_FPS
    fps = min(max(rate, MIN_CLIP_FPS), MAX_CLIP_FPS)
    copy = copy_of_worlds(world)
    copy.restore(now)
    since = np.array(copy.shown.subtree_com[view.follow])
    renderer = view.renderer(copy.shown, MAX_CLIP_SIDE)
    name = "clip.mp4" if importlib.util.find_spec("imageio_ffmpeg") else "clip.gif"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        with open_clip(path, (renderer.width, renderer.height), fps) as clip:
            for moment in chosen:
                copy.restore(moment.state)
                clip.add(view.drawn(renderer, copy.shown, since))
        return name, path.read_bytes()


def recent_snapshots(
    moments: list[Snapshot], seconds: float = RECENT_CLIP_SECONDS
) -> list[Snapshot]:
    """The last seconds of a list of snapshots."""
    return [m for m in moments if m.time >= moments[-1].time - seconds]
