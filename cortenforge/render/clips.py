"""Pictures one after another, as a file: a video, an animation, or the last picture alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cortenforge.disk import replacing
from cortenforge.errors import ArgumentError

SUFFIXES = (".mp4", ".gif", ".png")


class Clip(Protocol):
    """What takes pictures."""

    def add(self, picture: np.ndarray) -> None:
        """Take one more picture."""


class Mp4:
    """Pictures as H.264, which browsers and players show."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        ffmpeg = video_writer()
        self._path = path
        # players want even sizes: a last column or row is left out
        self._even = size[0] // 2 * 2, size[1] // 2 * 2
        if min(self._even) == 0:
            raise ArgumentError("a video is at least 2 pixels wide and high")
        self._frames: Any = ffmpeg.write_frames(
            str(path), self._even, fps=fps, quality=8, macro_block_size=2, ffmpeg_log_level="error"
        )
        self._frames.send(None)

    def add(self, picture: np.ndarray) -> None:
        """Take one more picture."""
        wide, high = self._even
        try:
            self._frames.send(np.ascontiguousarray(picture[:high, :wide]))
        except OSError:
            # why it could not, ffmpeg has written by itself
            raise OSError(EIO, "ffmpeg could not write the video", str(self._path)) from None

    def close(self) -> None:
        """Write the end of the file."""
        self._frames.close()


class Animation:
    """Pictures as a GIF, or the last of them as a PNG."""

    def __init__(self, path: Path, fps: float, *, still: bool) -> None:
        # a link may lead to a device, whose name says nothing of the format
        self._path, self._fps, self._still = path, fps, still
        self._pictures: list[Any] = []

    def add(self, picture: np.ndarray) -> None:
        """Take one more picture."""
        from PIL import Image

        image = Image.fromarray(picture.copy())
        if self._still:
            self._pictures = [image]
        else:
            self._pictures.append(image.quantize(128))

    def close(self) -> None:
        """Write the file."""
        if not self._pictures:
            return
        first, *others = self._pictures
        if self._still:
            first.save(self._path, "PNG")
        else:
            # a GIF counts in hundredths of a second
            pause = max(20, 10 * round(100 / self._fps))
            more = {"append_images": others, "duration": pause, "loop": 0}
            first.save(self._path, "GIF", save_all=True, **more)


def video_writer() -> Any:
    """What writes videos. Raises ArgumentError, with what to install, where it is missing."""
    try:
        import imageio_ffmpeg
    except ImportError:
        raise ArgumentError(
            'videos need one more package: pip install "cortenforge[video]"; .gif and .png do not'
        ) from None
    return imageio_ffmpeg


def checked_path(path: Path) -> Path:
    """A file that a clip can be. Raises ArgumentError for other kinds, before anything is drawn."""
    if path.suffix not in SUFFIXES:
        raise ArgumentError(f"{path}: expected a file that ends with {', '.join(SUFFIXES)}")
    if path.suffix == ".mp4":
        video_writer()
    return path


@contextmanager
def clip_to(path: Path, size: tuple[int, int], fps: float) -> Iterator[Clip]:
    """A file that takes pictures; what was taken is kept even if the last one fails.

    A file that was there is replaced in the end, whole or not at all.
    """
    problem: BaseException | None = None
    with replacing(path) as beside:
        clip: Mp4 | Animation
        if path.suffix == ".mp4":
            clip = Mp4(beside, size, fps)
        else:
            clip = Animation(beside, fps, still=path.suffix == ".png")
        try:
            yield clip
        except BaseException as error:  # raised when the file is there
            problem = error
        clip.close()
        if beside.stat().st_size == 0:
            beside.unlink()  # nothing was taken
    if problem is not None:
        raise problem
