"""Files of pictures: a video (.mp4), an animation (.gif), or the last picture (.png)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from cortenforge.disk import replacing
from cortenforge.errors import ArgumentError

CLIP_SUFFIXES = (".mp4", ".gif", ".png")


class Clip(Protocol):
    """A file that pictures are added to."""

    def add(self, picture: np.ndarray) -> None:
        """Add a picture, bytes `(height, width, 3)`."""


class Mp4:
    """An H.264 video, which browsers and players show."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        ffmpeg = video_writer()
        self._path = path
        # H.264 players need even sizes: an odd last column or row is dropped
        self._even = size[0] // 2 * 2, size[1] // 2 * 2
        if min(self._even) == 0:
            raise ArgumentError(f"a video needs at least 2 by 2 pixels, got {size[0]} by {size[1]}")
        self._frames: Any = ffmpeg.write_frames(
            str(path), self._even, fps=fps, quality=8, macro_block_size=2, ffmpeg_log_level="error"
        )
        self._frames.send(None)

    def add(self, picture: np.ndarray) -> None:
        """Add a picture."""
        wide, high = self._even
        try:
            self._frames.send(np.ascontiguousarray(picture[:high, :wide]))
        except OSError:
            # ffmpeg has printed the reason itself
            raise OSError(EIO, "ffmpeg could not write the video", str(self._path)) from None

    def close(self) -> None:
        """Finish the file."""
        self._frames.close()


class Animation:
    """A GIF, or a PNG of the last picture if `still`."""

    def __init__(self, path: Path, fps: float, *, still: bool) -> None:
        # the format is given, since a path may be a link to a device without a suffix
        self._path, self._fps, self._still = path, fps, still
        self._pictures: list[Any] = []

    def add(self, picture: np.ndarray) -> None:
        """Add a picture."""
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
            # GIF durations are hundredths of a second
            pause = max(20, 10 * round(100 / self._fps))
            more = {"append_images": others, "duration": pause, "loop": 0}
            first.save(self._path, "GIF", save_all=True, **more)


def video_writer() -> Any:
    """The module imageio_ffmpeg.  Raises ArgumentError, with what to install, without it."""
    try:
        import imageio_ffmpeg
    except ImportError:
        raise ArgumentError(
            '.mp4 needs one more package: pip install "cortenforge[video]"; .gif and .png do not'
        ) from None
    return imageio_ffmpeg


def checked_clip_path(path: Path) -> Path:
    """Check the suffix of a clip's path.  Raises ArgumentError, before anything is drawn."""
    if path.suffix not in CLIP_SUFFIXES:
        raise ArgumentError(
            f"{path}: expected a file name that ends with {', '.join(CLIP_SUFFIXES)}"
        )
    if path.suffix == ".mp4":
        video_writer()
    return path


@contextmanager
def open_clip(path: Path, size: tuple[int, int], fps: float) -> Iterator[Clip]:
    """Open a clip of pictures of `size` (width, height); an error keeps the pictures so far.

    An existing file is replaced when the clip is closed, atomically.
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
        except BaseException as error:  # raised again once the file is written
            problem = error
        clip.close()
        if beside.stat().st_size == 0:
            beside.unlink()  # no picture was added
    if problem is not None:
        raise problem
