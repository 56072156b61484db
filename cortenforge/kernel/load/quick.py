"""Entries as built-in functions of Python, for calls that take about a hundred nanoseconds.

A call through ctypes takes about as long as such an entry itself; a built-in function takes a third
of that. The interpreter's lock is held during the call.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.linked_code import LinkedCode, read_linked_code
from cortenforge.kernel.load.cache import (
    NO_COMPILER,
    UnitNote,
    has_compiler,
    read_unit,
    unit_key,
    write_unit,
)
from cortenforge.kernel.load.image import Image, ImageRefused, image_of
from cortenforge.kernel.load.memory import MemoryRefused
from cortenforge.kernel.load.shipped import refuse, shipped_image

if TYPE_CHECKING:
    from cortenforge.kernel.cpu.targets import Target

#: what Python calls: `self` is a capsule, whose pointer leads to an entry and to what it is given
SHIM = """
declare i8* @PyCapsule_GetPointer(i8*, i8*)
declare i8* @PyLong_FromLongLong(i64)
@name = private constant [18 x i8] c"cortenforge.entry\\00"
define i8* @"cortenforge.quick.code"(i8* %self, i8* %nothing) {
  %name = getelementptr [18 x i8], [18 x i8]* @name, i64 0, i64 0
  %words = call i8* @PyCapsule_GetPointer(i8* %self, i8* %name)
  %pair = bitcast i8* %words to i64*
  %second = getelementptr i64, i64* %pair, i64 1
  %address = load i64, i64* %pair
  %given = load i64, i64* %second
  %entry = inttoptr i64 %address to i64 (i64)*
  %result = call i64 %entry(i64 %given)
  %object = call i8* @PyLong_FromLongLong(i64 %result)
  ret i8* %object
}
"""
FUNCTION = "cortenforge.quick.code"
#: name of its image among those of units
IMAGE_NAME = "quick"
#: a capsule keeps the address of its name
NAME = ctypes.c_char_p(b"cortenforge.entry")
#: of a function that takes nothing but itself
METH_NOARGS = 4


class MethodDef(ctypes.Structure):
    """Python's description of a built-in function: PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@functools.cache
def _shim() -> tuple[MethodDef, Image]:
    """The C function behind all quick calls; kept alive until the process ends."""
    shipped = shipped_image(name=IMAGE_NAME)
    if shipped is not None:
        try:
            image = shipped.map().connect(_no_slot)
            return MethodDef(b"entry", image.address(FUNCTION), METH_NOARGS, None), image
        except (ImageRefused, MemoryRefused) as error:
            refuse(shipped.folder, str(error))
    image = image_of(_kept() or _made()).connect(_no_slot)
    return MethodDef(b"entry", image.address(FUNCTION), METH_NOARGS, None), image


def _no_slot(name: str) -> int:
    raise ImageRefused(f"it refers to {name}")


def _key() -> str:
    return unit_key(hashlib.sha256(SHIM.encode()).hexdigest())


def _kept() -> LinkedCode | None:
    return read_linked_code(read_unit(_key()) or b"", FUNCTION)


def _made() -> LinkedCode:
    """Compile the shim, which takes some milliseconds."""
    start = time.perf_counter()
    linked = compiled_shim()
    write_unit(_key(), linked.to_bytes(), UnitNote(FUNCTION, "", time.perf_counter() - start))
    return linked


def compiled_shim(target: Target | None = None) -> LinkedCode:
    """The shim for a target, or for this processor."""
    if not has_compiler():
        raise CompilationError(NO_COMPILER.format(FUNCTION))
    from cortenforge.kernel.cpu.compile import compiled_text

    return compiled_text(SHIM, FUNCTION, target)


def quick_call(entry: Any, given: int) -> tuple[Callable[[], int], Any]:
    """A built-in function that calls an entry with an address; keeps entry and `given` alive."""
    method, _image = _shim()
    words = (ctypes.c_int64 * 2)(ctypes.cast(entry, ctypes.c_void_p).value or 0, given)
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    held = capsule(ctypes.addressof(words), NAME, None)
    made: Callable[[], int] = make(ctypes.addressof(method), held, None)
    return made, (entry, words)
