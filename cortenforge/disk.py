"""Files: what a path refers to, and atomic replacement of files."""

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


def kind_of_file(status: os.stat_result) -> str:
    """Kind of file that a path refers to, in words; "" for a regular file."""
    return next((kind for is_kind, kind in KINDS if is_kind(status.st_mode)), "")


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Context with a temporary path of the same suffix, which replaces `path` at the end.

    The old file stays until then, and for good if an error is raised, so that a full disk or a
    killed program leaves no incomplete file. Links are followed. Files other than regular ones,
    such as pipes, are written to directly. Raises OSError, with the path, where nothing can be
    written.
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
    """Create an empty file with the permissions of the file that it replaces."""
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    if target.exists():
        os.chmod(beside, stat.S_IMODE(target.stat().st_mode))


def _write_through(path: Path) -> None:
    """Flush a file to the disk, before its name refers to it."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
