"""`cortenforge render`: clips and pictures, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from cortenforge.cli.app import app

SMALL = ("--width", "64", "--height", "48", "--fps", "20")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["render", *arguments])
    return result.exit_code, result.output + str(result.exception or "")


def test_gif_moves(tmp_path: Path) -> None:
    out = tmp_path / "clip.gif"
    code, text = run(
        *("pendulum", "--keyframe", "quarter", "--seconds", "0.5", "--out", str(out)), *SMALL
    )
    assert code == 0 and "10 pictures" in text
    clip = Image.open(out)
    assert clip.n_frames == 10 and clip.size == (64, 48)
    first = np.asarray(clip.convert("RGB")).astype(int)
    clip.seek(9)
    assert np.abs(first - np.asarray(clip.convert("RGB"))).max() > 30


def test_png_is_the_end(tmp_path: Path) -> None:
    out = tmp_path / "end.png"
    code, _ = run("humanoid", "--seconds", "0.1", "--camera", "track", "--out", str(out), *SMALL)
    assert code == 0 and Image.open(out).size == (64, 48)
    assert np.asarray(Image.open(out)).std() > 5


def test_video(tmp_path: Path) -> None:
    """Odd sizes lose a column or row, as players want even ones."""
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="videos need the extra `video`")
    out = tmp_path / "clip.mp4"
    sizes = ("--width", "65", "--height", "49", "--fps", "20")
    code, text = run("pendulum", "--seconds", "0.5", "--contacts", "--out", str(out), *sizes)
    assert code == 0, text
    frames = ffmpeg.read_frames(str(out))
    meta = next(frames)
    assert meta["size"] == (64, 48) and sum(1 for _ in frames) == 10


def test_video_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    code, text = run("pendulum", "--out", str(tmp_path / "clip.mp4"), *SMALL)
    assert code == 1 and 'pip install "cortenforge[video]"' in text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--out", "clip.avi"), ".mp4, .gif, .png"),
        (("--out", "nowhere/clip.gif"), "no folder"),
        (("--out", "clip.gif", "--camera", "nobody"), "no camera 'nobody'"),
        (("--out", "clip.gif", "--seconds", "1e9"), "more than 100,000"),
        (("--out", "clip.gif", "--keyframe", "nobody"), "nobody"),
        (("--out", "clip.gif", "--width", "100000"), "width: expected 1 to"),
        (("--out", "clip.gif", "--width", "0"), "greater than or equal to 1"),
    ],
)
def test_refused(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = run("pendulum", *arguments)
    assert code != 0 and words in text
    assert not list(tmp_path.iterdir())
