"""Watches the files of a model for changes."""

from __future__ import annotations

import os
from collections.abc import Iterable

#: modification time, size and inode of a file; None if it does not exist
FileStamp = tuple[int, int, int] | None


def file_stamp(path: str | os.PathLike[str]) -> FileStamp:
    """Stamp of a file, which differs once it is written again or replaced."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class FileWatch:
    """Reports a change of files once, as soon as they are the same in two calls.

    files: paths; the list may change while it is watched, as `include`s do.
    """

    def __init__(self, files: Iterable[str | os.PathLike[str]]) -> None:
        self._files = files
        self._known = self._stamps()
        self._seen = self._known

    def _stamps(self) -> dict[str, FileStamp]:
        return {os.fspath(path): file_stamp(path) for path in list(self._files)}

    def changed(self) -> bool:
        """Whether files differ from the last report, and are the same as in the last call."""
        now, before = self._stamps(), self._seen
        self._seen = now
        if now != before or now == self._known:
            return False
        self._known = now
        return True
