"""Files that are replaced: whole, or not at all."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.cli.trajectory import Trajectory
from cortenforge.disk import replacing
from cortenforge.models import find
from cortenforge.render.clips import open_clip

OLD = b"what was there before"


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond some bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def clip(path: Path) -> None:
    with open_clip(path, (32, 32), 10) as pictures:
        noise = np.random.default_rng(0).integers(0, 255, (32, 32, 3), np.uint8)
        pictures.add(noise)


def savers() -> dict[str, Callable[[Path], None]]:
    model = cf.Model.from_mjcf(find("double_pendulum"))
    return {
        "state.npz": model.make_data().save,
        "batch.npz": cf.BatchSim(model, 9).save,
        "model.xml": cf.Spec.from_mjcf(find("double_pendulum")).save,
        "recorded.npz": Trajectory.allocate(model, 100).save,
        "clip.gif": clip,
        "picture.png": clip,
    }


@pytest.mark.parametrize("name", list(savers()))
def test_a_full_disk_destroys_nothing(name, tmp_path):
    """The old file is as it was, nothing is left beside it, and the error names it."""
    path, save = tmp_path / name, savers()[name]
    path.write_bytes(OLD)
    with full_disk(), pytest.raises(OSError, match="File too large") as caught:
        save(path)
    assert path.read_bytes() == OLD and os.listdir(tmp_path) == [name]
    assert caught.value.filename == str(path)
    save(path)
    assert path.read_bytes() != OLD and os.listdir(tmp_path) == [name]


def test_whoever_is_interrupted_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(OLD)
    with pytest.raises(KeyboardInterrupt), replacing(path) as beside:
        beside.write_text("half of ")
        assert path.read_bytes() == OLD
        raise KeyboardInterrupt
    assert path.read_bytes() == OLD and os.listdir(tmp_path) == ["a.txt"]


def test_links_and_modes_stay(tmp_path):
    """A link leads where it led, and whoever could read the file still can."""
    path, link = tmp_path / "a.txt", tmp_path / "link.txt"
    path.write_bytes(OLD)
    path.chmod(0o640)
    link.symlink_to(path)
    with replacing(link) as beside:
        beside.write_text("new")
    assert link.is_symlink() and path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_mode(tmp_path):
    plain = tmp_path / "plain"
    plain.touch()
    with replacing(tmp_path / "new") as beside:
        beside.touch()
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode


def test_devices_are_written_to():
    """`/dev/null` stays what it is."""
    cf.Spec.from_mjcf(find("double_pendulum")).save("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_folder_that_is_not_there(tmp_path):
    """The error has the name that was given."""
    path = tmp_path / "none" / "state.npz"
    with pytest.raises(FileNotFoundError) as caught:
        cf.Model.from_mjcf(find("double_pendulum")).make_data().save(path)
    assert caught.value.filename == str(path)


def test_what_was_taken_before_an_error_is_kept(tmp_path):
    """A clip of which the last picture fails."""
    path = tmp_path / "clip.gif"
    picture = np.zeros((8, 8, 3), np.uint8)
    with pytest.raises(ZeroDivisionError), open_clip(path, (8, 8), 10) as pictures:
        pictures.add(picture)
        raise ZeroDivisionError
    assert path.read_bytes().startswith(b"GIF")


def test_a_clip_of_nothing_replaces_nothing(tmp_path):
    path = tmp_path / "clip.gif"
    path.write_bytes(OLD)
    with open_clip(path, (8, 8), 10):
        pass
    assert path.read_bytes() == OLD and os.listdir(tmp_path) == ["clip.gif"]
