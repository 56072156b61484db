"""Arrays in npz files from untrusted sources.

Type and shape of an array are read from its header before any of its data, and only requested
arrays are read. Compressed files are refused, so reading never takes more memory than the file.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from cortenforge.disk import kind_of_file, replacing
from cortenforge.errors import CortenForgeError, StateError

NPY_SUFFIX = ".npy"
#: NumPy's kinds of types, in words
KIND_WORDS = {"biuf": "real numbers", "iu": "an integer", "U": "a text"}
#: the longest text that is read, in characters
LONGEST_TEXT = 1000


def write_archive(path: str | os.PathLike[str], arrays: dict[str, Any]) -> None:
    """Write a plain npz file, in place of one that is there, whole or not at all."""
    with replacing(path) as beside, open(beside, "wb") as file:
        np.savez(file, **arrays)


class Archive:
    """An open npz file."""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        self._path = path
        # not before: it imports all compressors
        import zipfile

        self._zip = zipfile.ZipFile(file)
        self._size = os.fstat(file.fileno()).st_size

    def names(self) -> list[str]:
        """Which arrays there are."""
        return [name.removesuffix(NPY_SUFFIX) for name in self._zip.namelist()]

    def number(self, name: str) -> int:
        """A single integer."""
        return int(self.array(name, (), "iu"))

    def text(self, name: str) -> str:
        """A single text."""
        return str(self.array(name, (), "U"))

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an array, none of whose numbers are read."""
        with self._zip.open(name + NPY_SUFFIX) as file:
            return _npy_header(file)[0]

    def array(self, name: str, shape: tuple[int, ...] | None = None, kinds: str = "biuf") -> Any:
        """An array, of a shape if it is given, and of numbers of some kinds."""
        with self._zip.open(name + NPY_SUFFIX) as file:
            found, by_columns, dtype = _npy_header(file)
            if dtype.kind not in kinds or (dtype.kind == "U" and dtype.itemsize > 4 * LONGEST_TEXT):
                raise StateError(
                    f"{self._path}: {name}: expected {KIND_WORDS[kinds]}, got an array of {dtype}"
                )
            if shape is not None and found != shape:
                raise StateError(f"{self._path}: {name} is {found}, expected {shape}")
            count = math.prod(found) * dtype.itemsize
            if count > self._size:
                raise StateError(
                    f"{self._path}: {name} has {count} bytes in a file of {self._size}: compressed "
                    "files are not read; np.savez writes others"
                )
            content = file.read(count)
        if len(content) != count:
            raise StateError(f"{self._path}: {name} is truncated")
        array = np.frombuffer(content, dtype).reshape(found, order="F" if by_columns else "C")
        return array


def _npy_header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, order and type of the array that a file begins with."""
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    return read(file)


@contextmanager
def open_archive(
    path: str | os.PathLike[str], what: str, most: int | None = None
) -> Iterator[Archive]:
    """An npz file to read from; `what` it is meant to be, and the most bytes it may have.

    Raises StateError for a file that is damaged or something else, OSError for one that cannot be
    read.
    """
    # a pipe must not block us
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise StateError(f"{path}: not {what}: it is {kind_of_file(status)}")
        if most is not None and status.st_size > most:
            raise StateError(
                f"{path}: has {status.st_size} bytes, and {what} of this model at most {most}"
            )
        try:
            yield Archive(str(path), file)
        except CortenForgeError:
            raise
        except Exception as error:  # readers of damaged archives raise whatever comes up
            raise StateError(f"{path}: not {what}: {error}") from error
