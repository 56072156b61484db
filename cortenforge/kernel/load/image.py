"""Linked code in memory, ready to be called."""

from __future__ import annotations

import ctypes
import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from cortenforge.kernel.cpu.linked_code import CodeLayout, LinkedCode
from cortenforge.kernel.load.memory import CodeMemory, MemoryRefused, c_function


class ImageRefused(Exception):  # noqa: N818 - it ends in one line of warning
    """A file of linked code that cannot be used; the text says why."""


class Image:
    """Linked code in memory of its own, which lives as long as the image."""

    def __init__(self, layout: CodeLayout, memory: CodeMemory) -> None:
        self._layout, self._memory = layout, memory

    def connect(self, slot: Callable[[str], int]) -> Image:
        """Fill in the words, and let the code run.

        slot: gives the address of the slot with a name; names of functions of C have no dot.
        """
        layout, start = self._layout, self._memory.address
        words = (ctypes.c_int64 * len(layout.words)).from_address(start + layout.words_start)
        for number, name in enumerate(layout.words):
            words[number] = slot(name) if "." in name else c_function(name)
        self._memory.run(layout.words_start)
        return self

    def address(self, function: str) -> int:
        """Where a function begins."""
        return self._memory.address + self._layout.functions[function]


def image_of(linked: LinkedCode) -> Image:
    """An image of linked code, copied into executable memory."""
    memory = CodeMemory(linked.layout.size)
    ctypes.memmove(memory.address, linked.code, len(linked.code))
    return Image(linked.layout, memory)


def write_image(path: Path, linked: LinkedCode) -> str:
    """Write linked code to a file, laid out as in memory; returns the file's digest."""
    content = linked.code.ljust(linked.layout.size, b"\0")
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def map_image(path: Path, layout: CodeLayout, digest: str) -> Image:
    """Map an image from a file; raises ImageRefused unless it has the given layout and digest.

    The digest is computed from the mapped memory, since the file may be replaced at any time.
    """
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size != layout.size:
                raise ImageRefused(f"{path.name} is not as long as it was")
            if sys.platform == "linux" and not _is_noexec(file.fileno()):
                memory = CodeMemory(layout.size, file.fileno())
            else:
                memory = CodeMemory(layout.size)
                content = file.read(layout.size)
                ctypes.memmove(memory.address, content, len(content))
    except (OSError, MemoryRefused) as error:
        raise ImageRefused(f"{path.name}: {error}") from error
    whole = (ctypes.c_char * layout.size).from_address(memory.address)
    if hashlib.sha256(whole).hexdigest() != digest:
        raise ImageRefused(f"{path.name} was changed since it was made")
    return Image(layout, memory)


def _is_noexec(file: int) -> bool:
    """Whether a file is on a file system mounted `noexec`."""
    return bool(os.fstatvfs(file).f_flag & getattr(os, "ST_NOEXEC", 0))
