"""A mesh as it is given, and parsing of numbers in mesh files."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass, field

import numpy as np

NEWLINE, BLANK = 10, 32
_parsing = threading.Lock()


class MeshError(ValueError):
    """An error in a mesh; the caller adds the mesh's name and file."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def _rows(width: int) -> np.ndarray:
    return np.zeros((0, width), np.float32)


def _triples() -> np.ndarray:
    return np.zeros((0, 3), np.int32)


@dataclass
class RawMesh:
    """A mesh as it is given; arrays without rows are not given."""

    vert: np.ndarray = field(default_factory=lambda: _rows(3))
    normal: np.ndarray = field(default_factory=lambda: _rows(3))
    texcoord: np.ndarray = field(default_factory=lambda: _rows(2))
    face: np.ndarray = field(default_factory=_triples)
    facenormal: np.ndarray = field(default_factory=_triples)
    facetexcoord: np.ndarray = field(default_factory=_triples)
    texcoord_per_vertex: bool = True
    flat: bool = False  # a surface without volume: "legacy" inertia is that of the surface
    in_place: bool = False  # its frame is not moved to its centre and principal axes
    shell: bool = False  # mass is on the surface, whatever `inertia` says


def parse_rows(text: bytes, width: int) -> np.ndarray:
    """The first `width` numbers of each line."""
    if not text:
        return np.zeros((0, width))
    counts = count_words(text)
    if counts.min() < width:
        raise MeshError(f"a line has fewer than {width} numbers")
    if counts.min() != counts.max():
        text = b"\n".join(b" ".join(line.split()[:width]) for line in text.splitlines())
        counts[:] = width
    return parse_numbers(text).reshape(len(counts), -1)[:, :width]


def count_words(text: bytes) -> np.ndarray:
    """Number of words of each line."""
    byte = np.frombuffer(text, np.uint8)
    solid = byte > BLANK
    begins = solid.copy()
    begins[1:] &= ~solid[:-1]
    line = np.append(0, np.flatnonzero(byte == NEWLINE)[:-1])
    words: np.ndarray = np.add.reduceat(begins, line, dtype=np.int64)
    return words


def parse_numbers(text: bytes) -> np.ndarray:
    """Numbers separated by blanks."""
    try:
        # filters of warnings are those of all threads
        with _parsing, warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            return np.fromstring(text.decode("ascii"), np.float64, sep=" ")
    except (DeprecationWarning, ValueError, UnicodeDecodeError):
        for token in text.split():
            try:
                np.float64(token.decode("ascii"))
            except (ValueError, UnicodeDecodeError):
                shown = token[:40].decode("ascii", "replace")
                raise MeshError(f"'{shown}' is not a number") from None
        raise MeshError("the numbers of a line could not be parsed") from None
