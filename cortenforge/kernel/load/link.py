"""Compiled units are loaded, and find each other through slots.

Each unit has a slot: one word of memory whose address compiled code knows by name. A slot holds
the unit's address, or, before the unit is compiled, a callback into Python that compiles it. So
stages are compiled only when a model reaches them, and calling one costs a load and a jump.
"""

from __future__ import annotations

import ctypes
import functools
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from cortenforge.kernel.cpu.machine import (
    define_symbol,
    function_name,
    holds_function,
    load_object,
    slot_name,
)
from cortenforge.kernel.language.decorator import Kernel, body_of, units_of
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.cache import (
    UnitNote,
    check_compiler,
    read_unit,
    unit_key,
    write_unit,
)
from cortenforge.kernel.load.workers import compile_units

#: status of a world in which a unit was reached that could not be compiled
NOT_COMPILED = 100

STAGE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)
#: takes the address of a Call
ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


class Call(ctypes.Structure):
    """What an entry is told: the model's block, the data's block, and a count."""

    _fields_ = (("m", ctypes.c_int64), ("d", ctypes.c_int64), ("count", ctypes.c_int64))


#: every function that makes a linker of the engine, with everything it loads, by its home
_makers: dict[str, tuple[Callable[[], Linker], Callable[[], list[Kernel]]]] = {}


def registered(units: Callable[[], list[Kernel]]) -> Callable[..., Callable[[], Linker]]:
    """Register a function that makes a linker for these units; from then on it makes only one."""

    def register(make: Callable[[], Linker]) -> Callable[[], Linker]:
        home = f"{make.__module__}:{make.__name__}"

        @functools.cache
        def once() -> Linker:
            made = make()
            made.home = home
            return made

        _makers[home] = (once, units)
        return functools.update_wrapper(once, make)

    return register


def linkers() -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the modules imported so far, with everything it loads."""
    return [(make(), units()) for _, (make, units) in sorted(_makers.items())]


class Linker:
    """Loads units of one pair of struct layouts, compiling what the cache lacks."""

    def __init__(self, model: StructLayout, data: StructLayout) -> None:
        self.structs = (model, data)
        #: names the function that makes this linker, so that workers can make it, too
        self.home = ""
        self._lock = threading.RLock()
        self._slots: dict[str, ctypes.c_int64] = {}
        self._engines: dict[str, Any] = {}
        self._callables: dict[str, Callable[..., int]] = {}
        self._callbacks: dict[str, Any] = {}
        self._compiler: Any = None
        #: what went wrong in a callback; compiled code cannot carry an exception
        self.failure: Exception | None = None

    def function(self, unit: Kernel) -> Callable[..., int]:
        """A callable for a unit: `(m, d)`, or `(address of a Call) -> status` for an entry."""
        if unit.name not in self._callables:
            self.load(units_of(unit))
        return self._callables[unit.name]

    def load(self, wanted: Iterable[Kernel], *, progress: bool = True) -> None:
        """Load units; those that are not in the cache are compiled, several at once."""
        with self._lock:
            missing = [unit for unit in wanted if unit.name not in self._engines]
            found = {unit.name: self.kept(unit) for unit in missing}
            cold = [unit for unit in missing if found[unit.name] is None]
            if cold:
                found.update(compile_units(cold, self, progress=progress))
            for unit in missing:
                compiled = found[unit.name]
                assert compiled is not None
                self._install(unit, compiled)

    def kept(self, unit: Kernel) -> bytes | None:
        """A unit's object file in the cache, if there is one that can be loaded."""
        code = read_unit(unit_key(unit, *self.structs))
        return code if code and holds_function(code, function_name(unit)) else None

    def compile_here(self, unit: Kernel) -> bytes:
        """Compile a unit in this process and keep it in the cache."""
        if self._compiler is None:
            from cortenforge.kernel.cpu.compile import Compiler

            check_compiler()
            self._compiler = Compiler(*self.structs)
        self._declare_slots(unit)
        start = time.perf_counter()
        code: bytes = self._compiler.compile(unit)
        note = UnitNote(unit.name, self.structs[1].name, time.perf_counter() - start)
        write_unit(unit_key(unit, *self.structs), code, note)
        return code

    def _install(self, unit: Kernel, code: bytes) -> None:
        self._declare_slots(unit)
        engine, address = load_object(code, function_name(unit))
        self._engines[unit.name] = engine
        call = (ENTRY if unit.entry else STAGE)(address)
        # whoever holds the function keeps its code and the slots it reads
        call.linker = self  # type: ignore[attr-defined]
        self._callables[unit.name] = call
        if not unit.entry:
            self._slot(unit).value = address

    def _declare_slots(self, unit: Kernel) -> None:
        """Name the slots of the units that a unit calls: LLVM stops the process without them."""
        for part in body_of(unit):
            for called in part.calls():
                if called.unit:
                    self._slot(called)

    def _slot(self, unit: Kernel) -> ctypes.c_int64:
        if unit.name not in self._slots:
            callback = STAGE(lambda m, d: self._call_late(unit, m, d))
            self._callbacks[unit.name] = callback
            address = ctypes.cast(callback, ctypes.c_void_p).value
            slot = self._slots[unit.name] = ctypes.c_int64(address or 0)
            define_symbol(slot_name(unit, self.structs[1]), ctypes.addressof(slot))
        return self._slots[unit.name]

    def _call_late(self, unit: Kernel, m: int, d: int) -> None:
        """A unit was reached that is not loaded: load it, then do what was asked."""
        try:
            self.function(unit)(m, d)
        except Exception as error:  # an exception cannot cross compiled code: the caller raises it
            self.failure = error
            self._set_status(d)

    def _set_status(self, d: int) -> None:
        """Make the compiled caller stop and report."""
        word = d + 8 * self.structs[1].entries["status"].word
        address = ctypes.c_int64.from_address(word).value
        ctypes.c_int32.from_address(address).value = NOT_COMPILED
