"""Files: what a path leads to, and files that are replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def kind_of(status: os.stat_result) -> str:
    """What a path leads to, in words; "" for a regular file."""
    return next((kind for is_kind, kind in KINDS if is_kind(status.st_mode)), "")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A path to write to, with the same ending; in the end, what was written takes its place.

    The file that was there stays as it was until then, and for good if an error is raised: neither
    a full disk nor a program that is killed leaves half a file. Links are followed. What is no
    regular file, such as a pipe, is written to as it is. Raises OSError, with the path, where
    nothing can be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield target
        return
    beside = target.with_name(f".{os.urandom(8).hex()}{target.suffix}")
    try:
        _make(beside, target)
        yield beside
        # who found nothing to write may have deleted it
        if beside.exists():
            _write_through(beside)
            os.replace(beside, target)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(beside)):
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _make(beside: Path, target: Path) -> None:
    """An empty file that may be read and written by those who may the one that it replaces."""
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    if target.exists():
        os.chmod(beside, stat.S_IMODE(target.stat().st_mode))


def _write_through(path: Path) -> None:
    """Have a file on the disk, so that no new name leads to content that is not there yet."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
