"""Files that a model was made of, and whether somebody has changed them since."""

from __future__ import annotations

import os
from collections.abc import Iterable

#: what is compared of a file; None where there is none just now
Stamp = tuple[int, int, int] | None


def stamp_of(path: str | os.PathLike[str]) -> Stamp:
    """What changes when a file is written again, or replaced by another."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Watch:
    """Says once that files have changed, as soon as nobody writes at them any more.

    files: paths; may grow and shrink while it watches, as `include`s come and go.
    """

    def __init__(self, files: Iterable[str | os.PathLike[str]]) -> None:
        self._files = files
        self._known = self._stamps()
        self._seen = self._known

    def _stamps(self) -> dict[str, Stamp]:
        return {os.fspath(path): stamp_of(path) for path in list(self._files)}

    def changed(self) -> bool:
        """Whether they differ from what they were, and are as they were at the last question."""
        now, before = self._stamps(), self._seen
        self._seen = now
        if now != before or now == self._known:
            return False
        self._known = now
        return True
