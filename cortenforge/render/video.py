"""Videos of pictures: played in a notebook, or saved as a file."""

from __future__ import annotations

import base64
import importlib.util
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.render.clips import checked_clip_path, open_clip
from cortenforge.scene.checks import checked_real


class Video:
    """A sequence of pictures; a notebook plays it.

    frames: pictures `(height, width, 3)` of bytes, as `data.render()` gives them, all of one size.
    fps:    frames per second.

    >>> frames = []
    >>> while data.time < 3:
    ...     data.step(10)
    ...     frames.append(data.render())
    >>> cf.Video(frames, fps=50)                  # the last line of a cell plays
    >>> cf.Video(frames, fps=50).save("run.mp4")  # or .gif
    """

    def __init__(self, frames: Iterable[np.ndarray], fps: float = 30.0) -> None:
        if not isinstance(frames, Iterable):
            raise ArgumentError(f"frames: expected a sequence of pictures, got {frames!r}")
        self.frames = [_checked_frame(frame) for frame in frames]
        if not self.frames:
            raise ArgumentError("frames: expected at least one picture, got none")
        sizes = {frame.shape for frame in self.frames}
        if len(sizes) > 1:
            raise ArgumentError(f"frames: expected pictures of one size, got sizes {sorted(sizes)}")
        self.fps = checked_real(fps, "fps")
        if not 0 < self.fps <= 1000:
            raise ArgumentError(f"fps: expected more than 0 and at most 1000, got {fps!r}")

    def save(self, path: str | Path) -> Path:
        """Write a file: .mp4, .gif, or .png of the last picture.

        path: where to; the suffix says which.
        """
        path = checked_clip_path(Path(path))
        high, wide, _ = self.frames[0].shape
        with open_clip(path, (wide, high), self.fps) as clip:
            for frame in self.frames:
                clip.add(frame)
        return path

    def _repr_html_(self) -> str:
        """A player with the video inside; a GIF where ffmpeg is not installed."""
        with tempfile.TemporaryDirectory() as folder:
            if importlib.util.find_spec("imageio_ffmpeg"):
                text = _base64(self.save(Path(folder) / "video.mp4"))
                source = f'<source src="data:video/mp4;base64,{text}" type="video/mp4">'
                return f"<video controls autoplay loop muted>{source}</video>"
            text = _base64(self.save(Path(folder) / "video.gif"))
            return f'<img alt="video" src="data:image/gif;base64,{text}">'

    def __repr__(self) -> str:
        high, wide, _ = self.frames[0].shape
        seconds = len(self.frames) / self.fps
        return f"<Video of {len(self.frames)} pictures, {wide} by {high}, {seconds:.3g} s>"


def _checked_frame(frame: np.ndarray) -> np.ndarray:
    # a copy: a renderer may draw the next picture into the same array
    pixels = np.array(frame)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or not pixels.size:
        raise ArgumentError(
            "frames: expected arrays of bytes (height, width, 3), "
            f"got {pixels.dtype} of shape {pixels.shape}"
        )
    return pixels


def _base64(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()
