"""Kernels run over NumPy arrays, compiled or as plain Python, with the same bits."""

from __future__ import annotations

import ast
import ctypes
import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from cortenforge.errors import ShapeError
from cortenforge.kernel.language import fuse
from cortenforge.kernel.language import plain_code as plain_code_rules
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import Entry, StructLayout
from cortenforge.kernel.language.plain import jit_is_off
from cortenforge.kernel.language.plain_code import Lists, PlainCode
from cortenforge.kernel.language.processor import fuses_products
from cortenforge.kernel.language.source import syntax_of
from cortenforge.kernel.load.cache import read_cached, write_cached
from cortenforge.kernel.load.link import Call, Linker

__all__ = ["run_on"]

#: element types of fields of numbers; values consist of reals
DTYPES = {
    "int": np.dtype(np.int32),
    "byte": np.dtype(np.uint8),
    "single": np.dtype(np.float32),
    "word": np.dtype(np.int64),
}
#: sources of the modules that turn kernels into plain functions, as of the start of this process
RULES = b"".join(Path(module.__file__ or "").read_bytes() for module in (fuse, plain_code_rules))
REAL = np.dtype(np.float64)
#: so many times small work runs as plain Python before its code is loaded, if it is compiled
PLAIN_RUNS = 4
#: how many times kernels ran as plain Python in this process, by the name of the first
_plain_runs: Counter[str] = Counter()

Arrays = Mapping[str, Any]


def run_on(
    kernels: Kernel | Sequence[Kernel],
    linker: Callable[[], Linker],
    m: Arrays,
    d: Arrays,
    *,
    small: bool,
) -> int:
    """Run units or entries on arrays, in order; returns what the last one returns.

    m, d:  the arrays of both structs, and their sizes as integers. Arrays that no kernel touches
           can be left out; those of `d` are written in place.
    small: run as plain Python the first times. It takes seconds to compile a unit, milliseconds to
           load it, and milliseconds to run it as Python for some thirty bodies; a program that
           loads many models, or many small meshes, loads it. The bits are the same either way.
    """
    listed = [kernels] if isinstance(kernels, Kernel) else kernels
    if jit_is_off() or (small and _runs_plainly(listed, linker())):
        return _run_plainly(listed, linker().structs, m, d)
    return [_run_compiled(kernel, linker(), m, d) for kernel in listed][-1]


def _runs_plainly(kernels: Sequence[Kernel], linker: Linker) -> bool:
    """Whether small work runs as plain Python: its code is not loaded, and not worth it yet.

    Nothing is compiled for it, however often it runs.
    """
    if all(linker.is_loaded(kernel) for kernel in kernels):
        return False
    name = kernels[0].name
    _plain_runs[name] += 1
    often = _plain_runs[name] % (PLAIN_RUNS + 1) == 0
    return not (often and all(linker.is_ready(kernel) for kernel in kernels))


def _run_compiled(kernel: Kernel, linker: Linker, m: Arrays, d: Arrays) -> int:
    function = linker.function(kernel)
    (m_used, d_used), (m_layout, d_layout) = fields_in_text(kernel), linker.structs
    model, data = _block(kernel, m_layout, m, m_used), _block(kernel, d_layout, d, d_used)
    if not kernel.entry:
        function(ctypes.addressof(model), ctypes.addressof(data))
        return 0
    call = Call(ctypes.addressof(model), ctypes.addressof(data), 1)
    return function(ctypes.addressof(call))


@cache
def plain_functions(*, fused: bool) -> PlainCode:
    """Plain functions of all kernels; code is cached on disk, since making it takes longer than
    running.
    """
    return PlainCode(fused=fused, keeper=partial(_kept, f"{fused} {sys.version}"))


def _kept(target: str, text: str, make: Callable[[], bytes]) -> bytes:
    digest = hashlib.sha256(RULES)
    for part in (target, text):
        digest.update(part.encode())
    name = digest.hexdigest() + ".plain"
    found = read_cached(name)
    if found is None:
        found = make()
        # a folder that cannot be written is reported where compiled code is written
        write_cached(name, found)
    return found


def _run_plainly(
    kernels: Sequence[Kernel], structs: tuple[StructLayout, ...], m: Arrays, d: Arrays
) -> int:
    code = plain_functions(fused=fuses_products())
    model, data = (
        Lists(layout, a, code.classes) for layout, a in zip(structs, (m, d), strict=True)
    )
    returned = 0
    for kernel in kernels:
        function = code.function(kernel)
        returned = function(model, data, 1) if kernel.entry else function(model, data)
    data.write_back()
    return int(returned or 0)


@cache
def fields_in_text(kernel: Kernel) -> tuple[frozenset[str], frozenset[str]]:
    """Fields of both structs, m and d by name, that a kernel or anything it calls mentions."""
    found: dict[str, set[str]] = {"m": set(), "d": set()}
    for node in ast.walk(syntax_of(kernel)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.get(node.value.id, set()).add(node.attr)
    for called in kernel.calls():
        if kernel.lanes and not called.lanes:
            # called world by world, as long as a world is well
            found["d"].add("status")
        for own, inner in zip(found.values(), fields_in_text(called), strict=True):
            own |= inner
    return frozenset(found["m"]), frozenset(found["d"])


def _block(kernel: Kernel, layout: StructLayout, arrays: Arrays, used: frozenset[str]) -> Any:
    """The words of a struct; those of fields that the kernel does not use are zero."""
    words = (ctypes.c_int64 * layout.words)()
    for name in used & layout.entries.keys():
        entry, given = layout.entries[name], arrays.get(name)
        if given is None:
            # compiled code would read at address zero
            raise ShapeError(f"{kernel.name} uses {layout.name}.{name}, which was not given")
        words[entry.word] = given if entry.kind == "size" else _address(entry, given)
    return words


def _address(entry: Entry, array: np.ndarray) -> int:
    dtype = DTYPES.get(entry.kind, REAL)
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise ShapeError(f"{entry.name}: expected a C-contiguous {dtype} array, got {array.dtype}")
    return int(array.__array_interface__["data"][0])
