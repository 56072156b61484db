"""Entries as functions of Python's own kind, for calls that are over in a hundred nanoseconds.

ctypes takes about as long for a call; Python calls a function of its own in a third of that. The
other threads wait meanwhile.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm

from cortenforge.kernel.cpu.machine import target_machine

#: what Python calls: `self` is a capsule, whose pointer leads to an entry and to what it is given
SHIM = """
target triple = "{triple}"
define i8* @"cortenforge.quick"(i8* %self, i8* %nothing) {{
  %name = inttoptr i64 {name} to i8*
  %get = inttoptr i64 {get} to i8* (i8*, i8*)*
  %words = call i8* %get(i8* %self, i8* %name)
  %pair = bitcast i8* %words to i64*
  %second = getelementptr i64, i64* %pair, i64 1
  %address = load i64, i64* %pair
  %given = load i64, i64* %second
  %entry = inttoptr i64 %address to i64 (i64)*
  %result = call i64 %entry(i64 %given)
  %long = inttoptr i64 {long} to i8* (i64)*
  %object = call i8* %long(i64 %result)
  ret i8* %object
}}
"""
NAME = b"cortenforge.entry"
#: of a function that takes nothing but itself
METH_NOARGS = 4


class MethodDef(ctypes.Structure):
    """What Python knows of a function: PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def _address(name: str) -> int:
    """Where a function of Python is."""
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0


@functools.cache
def _shim() -> tuple[MethodDef, ctypes.c_char_p, Any]:
    """The function behind all quick ones, compiled in two milliseconds; what it needs lives on."""
    name = ctypes.c_char_p(NAME)
    text = SHIM.format(
        triple=llvm.get_process_triple(),
        name=ctypes.cast(name, ctypes.c_void_p).value,
        get=_address("PyCapsule_GetPointer"),
        long=_address("PyLong_FromLongLong"),
    )
    machine = target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    address = engine.get_function_address("cortenforge.quick")
    return MethodDef(b"entry", address, METH_NOARGS, None), name, engine


def quick_call(entry: Any, given: int) -> tuple[Callable[[], int], Any]:
    """A function that calls an entry with an address, and what has to live as long as it does."""
    method, name, _engine = _shim()
    words = (ctypes.c_int64 * 2)(ctypes.cast(entry, ctypes.c_void_p).value or 0, given)
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    held = capsule(ctypes.addressof(words), name, None)
    made: Callable[[], int] = make(ctypes.addressof(method), held, None)
    return made, (entry, words)
