"""Files that are read while a model is loaded: records of them, and whether they are unchanged."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

#: a file's status says that it is unchanged if its last change was so long before it was read [s]:
#: clocks of file systems have ticks, and writes to mapped memory are dated when they are flushed
SETTLED_SECONDS = 60.0
#: files whose hashes are remembered
MOST_KNOWN = 10_000


class FileState(NamedTuple):
    """A file as it was read: size, SHA-256 of its contents, path with all links followed."""

    size: int
    digest: str
    real: str


@dataclass
class FileRecord:
    """Files that were read, and paths where there was no file, all by absolute paths."""

    read: dict[str, FileState] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    #: False if a file was read twice with different contents, or appeared meanwhile
    consistent: bool = True

    @property
    def paths(self) -> set[str]:
        """Everything that a load looked for."""
        return self.missing | self.read.keys()


_active: ContextVar[tuple[FileRecord, ...]] = ContextVar("active", default=())


@contextmanager
def recording_files() -> Iterator[FileRecord]:
    """Context in which all model files that are read, or looked for, are recorded."""
    record = FileRecord()
    token = _active.set((*_active.get(), record))
    try:
        yield record
    finally:
        _active.reset(token)


def is_recording() -> bool:
    """Whether somebody records files."""
    return bool(_active.get())


def record_state(path: str, state: FileState) -> None:
    """Record that a file was read, and what it was then."""
    path = os.path.abspath(path)
    for record in _active.get():
        known = record.read.setdefault(path, state)
        record.consistent &= known == state and path not in record.missing


def record_missing(path: str) -> None:
    """Record that a file was looked for, and that there is none."""
    path = os.path.abspath(path)
    for record in _active.get():
        record.missing.add(path)
        record.consistent &= path not in record.read


#: files that had a hash: by path, their status then and the hash
_known: dict[str, tuple[tuple[int, ...], str]] = {}


class RealPaths:
    """Paths with all links followed. A folder is looked at once, not for each of its files."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: str) -> str:
        """What `os.path.realpath` returns."""
        folder, name = os.path.split(path)
        if name in ("", os.curdir, os.pardir) or os.path.islink(path):
            return os.path.realpath(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)


def is_unchanged(path: str, state: FileState, real_paths: RealPaths) -> bool:
    """Whether a file is in a state, by its contents.

    They are not read again while the file's status, with the time of its last change of any kind,
    is the same; only this process remembers that.
    """
    try:
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            if status.st_size != state.size or real_paths.of(path) != state.real:
                return False
            seen = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
            if _known.get(path) == (seen, state.digest):
                return True
            settled = time.time() - max(status.st_mtime, status.st_ctime) > SETTLED_SECONDS
            digest = hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return False
    # on Windows, the time of the last change of a status is not known
    if settled and os.name == "posix":
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[path] = seen, digest
    return digest == state.digest


def open_regular(path: str) -> BinaryIO:
    """Open a regular file; OSError for others, such as pipes, which are not waited for."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is no regular file")
    return open(handle, "rb")
