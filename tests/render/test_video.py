"""Pictures that play."""

from __future__ import annotations

import base64
import importlib.util
import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf

FRAMES = [np.full((48, 64, 3), shade, np.uint8) for shade in (0, 100, 200)]


def test_a_notebook_plays_it() -> None:
    pytest.importorskip("imageio_ffmpeg")
    html = cf.Video(FRAMES, fps=10)._repr_html_()
    assert re.match(r"<video [^>]*controls[^>]*>", html) and html.endswith("</video>")
    text = re.search(r'src="data:video/mp4;base64,([^"]+)"', html)[1]
    # the box at the start of every mp4
    assert base64.b64decode(text)[4:8] == b"ftyp"


def test_without_a_writer_of_videos_it_is_an_animation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    html = cf.Video(FRAMES, fps=10)._repr_html_()
    text = re.fullmatch(r'<img alt="video" src="data:image/gif;base64,([^"]+)">', html)[1]
    animation = Image.open(io.BytesIO(base64.b64decode(text)))
    assert animation.n_frames == 3 and animation.size == (64, 48)


def test_files(tmp_path: Path) -> None:
    """A file is where `save` says; a picture of the last frame has its bytes."""
    assert cf.Video(FRAMES).save(tmp_path / "a.gif") == tmp_path / "a.gif"
    assert Image.open(tmp_path / "a.gif").n_frames == 3
    cf.Video(FRAMES).save(str(tmp_path / "end.png"))
    assert (np.asarray(Image.open(tmp_path / "end.png").convert("RGB")) == FRAMES[-1]).all()


def test_words_say_how_long_it_is() -> None:
    assert repr(cf.Video(FRAMES, fps=2)) == "<Video of 3 pictures, 64 by 48, 1.5 s>"


@pytest.mark.parametrize(
    ("frames", "fps", "words"),
    [
        ([], 30, "at least one picture"),
        ([FRAMES[0], FRAMES[0][:10]], 30, "one size"),
        ([FRAMES[0].astype(float)], 30, "arrays of bytes"),
        ([FRAMES[0][..., 0]], 30, "arrays of bytes"),
        (FRAMES[0], 30, "arrays of bytes"),
        (["picture"], 30, "arrays of bytes"),
        (7, 30, "a sequence of pictures"),
        (FRAMES, 0, "fps"),
        (FRAMES, -1, "fps"),
        (FRAMES, float("nan"), "fps"),
        (FRAMES, "30", "fps"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_bad_frames_are_refused(frames: object, fps: object, words: str) -> None:
    with pytest.raises(cf.ArgumentError, match=words):
        cf.Video(frames, fps=fps)


def test_frames_are_those_that_were_given() -> None:
    """A picture that is drawn over later does not change a video."""
    out = FRAMES[0].copy()
    made = cf.Video([out])
    out[:] = 255
    assert not made.frames[0].any()
