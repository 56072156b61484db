"""Memory for machine code: writable first, then executable, never both at once.

Files are mapped privately, so that processes share the pages. Where a file cannot be mapped as
executable (a file system mounted `noexec`, or a system other than Linux), it is copied.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import mmap
import os
import sys
from typing import Any

#: protections of Windows' memory
PAGE_READWRITE, PAGE_EXECUTE_READ = 0x04, 0x20
MEM_COMMIT_AND_RESERVE = 0x3000


class MemoryRefused(Exception):  # noqa: N818 - whoever loads code decides what it means
    """The system refuses memory for machine code."""


class CodeMemory:
    """Memory of a given size, writable at first; freed with this object."""

    def __init__(self, size: int, file: int | None = None) -> None:
        """
        file: a descriptor; its content from the start on is mapped, privately.
        """
        self.size = size
        self.address, self._held = _reserved(size, file)

    def run(self, size: int) -> None:
        """Make the first `size` bytes executable and no longer writable."""
        if sys.platform == "win32":
            before = ctypes.c_ulong()
            kernel = ctypes.windll.kernel32
            place = ctypes.c_void_p(self.address)
            if not kernel.VirtualProtect(
                place, ctypes.c_size_t(size), PAGE_EXECUTE_READ, ctypes.byref(before)
            ):
                raise MemoryRefused(f"VirtualProtect: {ctypes.FormatError()}")
            kernel.FlushInstructionCache(kernel.GetCurrentProcess(), place, ctypes.c_size_t(size))
            return
        if _protect()(self.address, size, mmap.PROT_READ | mmap.PROT_EXEC):
            raise MemoryRefused(f"mprotect: {os.strerror(ctypes.get_errno())}")
        if sys.platform == "darwin":
            ctypes.CDLL(None).sys_icache_invalidate(
                ctypes.c_void_p(self.address), ctypes.c_size_t(size)
            )


def _reserved(size: int, file: int | None) -> tuple[int, Any]:
    """(address, owner) of new memory."""
    if sys.platform == "win32":
        reserve = ctypes.windll.kernel32.VirtualAlloc
        reserve.restype = ctypes.c_void_p
        address = reserve(None, ctypes.c_size_t(size), MEM_COMMIT_AND_RESERVE, PAGE_READWRITE)
        if not address:
            raise MemoryRefused(f"VirtualAlloc: {ctypes.FormatError()}")
        return address, None
    try:
        held = mmap.mmap(
            -1 if file is None else file,
            size,
            flags=mmap.MAP_PRIVATE | (mmap.MAP_ANONYMOUS if file is None else 0),
            prot=mmap.PROT_READ | mmap.PROT_WRITE,
        )
    except (OSError, ValueError) as error:
        raise MemoryRefused(f"mmap: {error}") from error
    return ctypes.addressof(ctypes.c_char.from_buffer(held)), held


@functools.cache
def _protect() -> Any:
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return protect


@functools.cache
def c_function(name: str) -> int:
    """Address of a function of C or of Python; raises MemoryRefused if there is none."""
    for library in _libraries():
        try:
            found = getattr(library, name)
        except AttributeError:
            continue
        return ctypes.cast(found, ctypes.c_void_p).value or 0
    raise MemoryRefused(f"this system has no function {name}")


@functools.cache
def _libraries() -> list[Any]:
    """Libraries in which functions of C are looked up, in this order."""
    if sys.platform == "win32":
        return [ctypes.pythonapi, *(ctypes.CDLL(one) for one in ("ucrtbase", "ntdll"))]
    found = [ctypes.pythonapi, ctypes.CDLL(None)]
    # elsewhere than in GNU's libraries they are in those above
    with contextlib.suppress(OSError):
        found.append(ctypes.CDLL("libm.so.6"))
    return found
