"""Caches of clusters and containers: shared ones, read-only disks, users without a home."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cortenforge.kernel.load import cache, cores, folder, workers
from cortenforge.kernel.load.cache import (
    UnitNote,
    cache_collected_in,
    cache_info,
    clear_cache,
    read_cached,
    read_unit,
    write_cached,
    write_unit,
)

NOTE = UnitNote("unit", "target", 1.5)
posix = pytest.mark.skipif(os.name != "posix", reason="there are no such users and modes")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of one's own that is empty, and one of somebody else, which has a unit."""
    folder.warn_once.cache_clear()
    monkeypatch.delenv("CORTENFORGE_SHARED_CACHE", raising=False)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "shared"))
    write_unit("abc", b"code", NOTE)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "own"))


def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CORTENFORGE_SHARED_CACHE", str(tmp_path / "shared"))
    return tmp_path / "shared"


def test_a_shared_cache_is_read_and_not_written(tmp_path, monkeypatch) -> None:
    assert read_unit("abc") is None
    shared = share(tmp_path, monkeypatch)
    assert read_unit("abc") == b"code"
    write_unit("more", b"own", NOTE)
    assert [file.name for file in shared.iterdir()] == ["abc.unit"]
    assert [file.name for file in (tmp_path / "own").iterdir()] == ["more.unit"]


@posix
def test_a_shared_cache_may_be_anothers(tmp_path, monkeypatch) -> None:
    """Whoever names it trusts its owner; one's own cache must be one's own."""
    share(tmp_path, monkeypatch)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert read_unit("abc") == b"code"


@posix
@pytest.mark.parametrize("place", ["", "abc.unit"])
def test_shared_code_that_others_write_is_not_read(tmp_path, monkeypatch, place, recwarn) -> None:
    shared = share(tmp_path, monkeypatch)
    (shared / place).chmod(0o777)
    assert read_unit("abc") is None
    told = [str(warning.message) for warning in recwarn]
    assert place or ["others than its owner can write" in text for text in told] == [True]


def test_a_shared_cache_that_is_not_there_is_said(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("CORTENFORGE_SHARED_CACHE", str(tmp_path / "gone"))
    with pytest.warns(RuntimeWarning, match="the shared cache is not used: .*gone"):
        assert read_unit("abc") is None


def test_damaged_shared_code_is_not_read(tmp_path, monkeypatch) -> None:
    file = share(tmp_path, monkeypatch) / "abc.unit"
    file.write_bytes(file.read_bytes()[:-1])
    assert read_unit("abc") is None


def test_a_disk_that_can_only_be_read(tmp_path, monkeypatch) -> None:
    """There, the time of the last use cannot be kept; what lies there can be used."""

    def read_only(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "shared"))
    monkeypatch.setattr(os, "utime", read_only)
    assert read_unit("abc") == b"code"


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="caches are elsewhere")
def test_a_user_without_a_home(tmp_path, monkeypatch) -> None:
    """A container may run as a number that no list of users has."""

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("CORTENFORGE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert folder.cache_folder() == tmp_path / f"cortenforge-{os.geteuid()}"
    write_unit("abc", b"code", NOTE)
    assert read_unit("abc") == b"code"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert folder.cache_folder() == tmp_path / "there" / "cortenforge"


@posix
def test_what_is_collected_can_be_read_by_others(tmp_path, monkeypatch) -> None:
    """What is made and what the usual cache has are in the folder, as the mask allows."""
    target = tmp_path / "new" / "target"
    target.mkdir(mode=0o700, parents=True)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "shared"))
    before = os.umask(0o027)
    try:
        with cache_collected_in(target):
            assert read_unit("abc") == b"code"
            write_cached("mesh.mesh", b"shape")
    finally:
        os.umask(before)
    assert folder.cache_folder() == tmp_path / "shared" and read_cached("mesh.mesh") is None
    modes = {file.name: file.stat().st_mode & 0o777 for file in target.iterdir()}
    assert modes == {"abc.unit": 0o640, "mesh.mesh": 0o640}
    assert target.stat().st_mode & 0o777 == 0o750
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("CORTENFORGE_SHARED_CACHE", str(target))
    assert read_unit("abc") == b"code" and read_cached("mesh.mesh") == b"shape"


def test_clearing_leaves_what_is_not_ours(tmp_path, monkeypatch) -> None:
    """A folder of the user's choice may hold other files, even of such names."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "shared"))
    write_cached("sky.marks", b"stars")
    place = tmp_path / "shared"
    (place / "robot.mesh").write_bytes(b"a mesh of the user's")
    (place / "notes.txt").write_text("mine")
    (place / "young.part").write_bytes(cache.MAGIC)
    (place / "old.part").write_bytes(cache.MAGIC)
    long_ago = time.time() - 2 * cache.CLAIM_SECONDS
    os.utime(place / "old.part", (long_ago, long_ago))
    assert clear_cache() == 3
    left = sorted(file.name for file in place.iterdir())
    assert left == ["notes.txt", "robot.mesh", "young.part"]
    assert cache_info()["files"] == 0


def test_clearing_what_was_never_made() -> None:
    assert clear_cache() == 0


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"max": "150000 100000"}, 2),
        ({"max": "max 100000"}, 6),
        ({"quota": "100000", "period": "100000"}, 1),
        ({"quota": "-1", "period": "100000"}, 6),
        ({"max": "900000 100000"}, 6),
        ({}, 6),
    ],
)
def test_cores_are_those_that_a_job_is_given(tmp_path, monkeypatch, files, expected) -> None:
    """Bound to six processors, with a share of their time or without."""
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    paths = tuple(tuple(str(tmp_path / name) for name in names)
                  for names in (("max",), ("quota", "period")))  # fmt: skip
    monkeypatch.setattr(cores, "QUOTAS", paths)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 128)
    assert cores.usable_cores() == expected


def test_workers_are_as_many_as_cores(monkeypatch) -> None:
    """A worker takes hundreds of megabytes; a job of two processors has no room for 128."""
    asked: list[int] = []
    monkeypatch.setattr(workers, "usable_cores", lambda: 2)
    queue = workers.CompilationQueue
    monkeypatch.setattr(queue, "run_workers", lambda self, count: asked.append(count))
    linker = type("Home", (), {"home": "here", "compile_here": lambda self, unit: b"code"})()
    units = [type("Unit", (), {"name": str(k)})() for k in range(30)]
    monkeypatch.setattr(workers, "code_size", lambda unit: 1)
    workers.compile_units(units, linker, progress=False)
    assert asked == [2]


TWICE = """
import cortenforge.warmup as ahead
from cortenforge.kernel.load.workers import code_size
single = [pair for pair in ahead.every_linker() if len(pair[1]) == 1]
few = sorted(single, key=lambda pair: code_size(pair[1][0]))[:3]
ahead.linkers = lambda: few
print(ahead.warmup_into({target!r}, progress=False))
"""


@posix
def test_two_at_once_fill_one_folder(tmp_path) -> None:
    """Jobs that start together neither fail nor leave halves of files."""
    target = tmp_path / "target"
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", TWICE.format(target=str(target))]
    environment = {**os.environ, "PYTHONPATH": root, "CORTENFORGE_UNITS": "own"}
    jobs = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = {job.communicate(timeout=300)[0].strip() for job in jobs}
    assert [job.returncode for job in jobs] == [0, 0] and len(answers) == 1
    units = [file for file in target.iterdir() if file.suffix == ".unit"]
    assert len(units) == int(answers.pop()) > 0
    assert not [file for file in target.iterdir() if file.suffix == ".part"]
