"""Compiled units are loaded, and find each other through slots.

Each unit has a slot: one word of memory whose address compiled code knows by name. Which units a
model can reach is known before its first step (`language.reach`); they are loaded together, and
each slot then holds its unit's address. Calling one costs a load and a jump.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.machine import (
    define_symbol,
    function_name,
    holds_function,
    load_object,
    slot_name,
)
from cortenforge.kernel.language.decorator import Kernel, body_of, kernel_named
from cortenforge.kernel.language.layout import LANES, LANES_OF, StructLayout
from cortenforge.kernel.language.reach import Reach
from cortenforge.kernel.language.source import parameters
from cortenforge.kernel.load.cache import (
    UnitNote,
    check_compiler,
    read_unit,
    unit_key,
    write_unit,
)
from cortenforge.kernel.load.workers import compile_units

#: status of a world in which a unit was called that was not loaded
NOT_LOADED = 100

STAGE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)
#: takes the address of a Call
ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


class Call(ctypes.Structure):
    """Arguments of an entry: addresses of the blocks of model and data, and a count."""

    _fields_ = (("m", ctypes.c_int64), ("d", ctypes.c_int64), ("count", ctypes.c_int64))


#: slots have the same names in every linker of the same structs: one unit is loaded at a time
_LOADING = threading.RLock()

#: the roots that each linker of the engine loads, by the linker's home
_homes: dict[str, list[Callable[[], list[Kernel]]]] = {}


def register(home: str, roots: Callable[[], list[Kernel]]) -> None:
    """Say where a linker is, `module:name.name`, and units from which others of its units follow.

    Packages that have more units for the same linker register these, too.
    """
    _homes.setdefault(home, []).append(roots)


def home_of(make: Callable[[], Linker]) -> str:
    """The home of the linker that a registered function makes."""
    return f"{make.__module__}:{make.__name__}"


def registered(roots: Callable[[], list[Kernel]]) -> Callable[..., Callable[[], Linker]]:
    """Register a function that makes a linker for these units; from then on it makes only one."""

    def decorate(make: Callable[[], Linker]) -> Callable[[], Linker]:
        home = home_of(make)

        @functools.cache
        def once() -> Linker:
            made = make()
            made.home = home
            return made

        register(home, roots)
        return functools.update_wrapper(once, make)

    return decorate


def linker_at(home: str) -> Linker:
    """The linker of which this is the home; a function on the way is called."""
    module, names = home.split(":")
    found: Any = importlib.import_module(module)
    for name in names.split("."):
        found = getattr(found, name)
        found = found() if callable(found) else found
    assert isinstance(found, Linker)
    return found


def linkers() -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the modules imported so far, with everything it loads."""
    found: list[tuple[Linker, list[Kernel]]] = []
    for home, registrations in sorted(_homes.items()):
        linker = linker_at(home)
        reach = linker.reach(root for roots in registrations for root in roots())
        found.append((linker, reach.found(alone=False)))
        if linker.worlds is not None:
            found.append((linker.worlds, reach.found(alone=True)))
    return found


class Linker:
    """Loads units of one pair of struct layouts, compiling what the cache lacks.

    Where the data struct is that of worlds in lockstep, `worlds` links the units that run for one
    of them.
    """

    def __init__(
        self,
        model: StructLayout,
        data: StructLayout,
        *,
        replaced: Mapping[str, Kernel] | None = None,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        """
        replaced: units that stand in for others, by those others' names.
        given:    C functions that do, such as those that call Python.
        """
        self.structs = (model, data)
        self.replaced = dict(replaced or {})
        self.given = dict(given or {})
        self.worlds: Linker | None = None
        if data.of_one is not None:
            inner = (model.of_one or model, data.of_one)
            self.worlds = Linker(*inner, replaced=self.replaced)
        self.home = ""
        self._lock = threading.RLock()
        self._slots: dict[str, ctypes.c_int64] = {}
        self._engines: dict[str, Any] = {}
        self._callables: dict[str, Callable[..., int]] = {}
        self._compiler: Any = None
        #: units that are loaded with all they can ever reach
        self._complete: set[str] = set()
        self._callbacks: dict[str, Any] = {}
        self._variants: dict[Hashable, Linker] = {}

    @property
    def home(self) -> str:
        """Where this linker is, so that workers can make it, too; "" if they cannot."""
        return self._home

    @home.setter
    def home(self, place: str) -> None:
        self._home = place
        if self.worlds is not None:
            self.worlds.home = place and f"{place}.worlds"

    def variant(
        self, key: Hashable, replaced: Mapping[str, Kernel], given: Mapping[str, Any]
    ) -> Linker:
        """A linker of the same structs in which more stands in for units; one for each key."""
        if key not in self._variants:
            made = Linker(*self.structs, replaced={**self.replaced, **replaced}, given=given)
            made.home = self.home
            self._variants.setdefault(key, made)
        return self._variants[key]

    def reach(self, roots: Iterable[Kernel], model: Any = None) -> Reach:
        """All units that some reach, with a model or ever."""
        reach = Reach(model, lanes=self.worlds is not None, replaced=self.replaced)
        for root in roots:
            reach.follow(root)
        return reach

    def function(self, unit: Kernel, model: Any = None) -> Callable[..., int]:
        """A callable for a unit: `(m, d, ...)`, or `(address of a Call) -> status` for an entry.

        model: loads what the unit reaches with this model; without one, all it can ever reach.
        """
        if model is None and unit.name in self._complete:
            return self._callables[unit.name]
        reach = self.reach([unit], model)
        self.load(reach.found(alone=False))
        if self.worlds is not None:
            self.worlds.load(reach.found(alone=True))
        if model is None:
            self._complete.add(unit.name)
        return self._callables[unit.name]

    def load(self, wanted: Iterable[Kernel], *, progress: bool = True) -> None:
        """Load units; those that are not in the cache are compiled, several at once."""
        with self._lock:
            there = self._engines.keys() | self.given.keys()
            missing = [unit for unit in wanted if unit.name not in there]
            found = {unit.name: self.kept(unit) for unit in missing}
            cold = [unit for unit in missing if found[unit.name] is None]
            if cold:
                found.update(compile_units(cold, self, progress=progress))
            for unit in missing:
                compiled = found[unit.name]
                assert compiled is not None
                self._install(unit, compiled)

    def keep(self, units: Iterable[Kernel], *, progress: bool = True) -> None:
        """Have units in the cache; those that are not are compiled, and none is loaded."""
        cold = [unit for unit in units if self.kept(unit) is None]
        if cold:
            compile_units(cold, self, progress=progress)

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
        with _LOADING:
            self._declare_slots(unit)
        start = time.perf_counter()
        code: bytes = self._compiler.compile(unit)
        note = UnitNote(unit.name, self.structs[1].name, time.perf_counter() - start)
        write_unit(unit_key(unit, *self.structs), code, note)
        return code

    def _install(self, unit: Kernel, code: bytes) -> None:
        with _LOADING:
            self._declare_slots(unit)
            engine, address = load_object(code, function_name(unit))
        self._engines[unit.name] = engine
        words = [ctypes.c_int64] * len(parameters(unit))
        call = (ENTRY if unit.entry else ctypes.CFUNCTYPE(None, *words))(address)
        # whoever holds the function keeps its code and the slots it reads
        call.linker = self  # type: ignore[attr-defined]
        self._callables[unit.name] = call
        if not unit.entry:
            self._slot(unit).value = address
            for name, other in self.replaced.items():
                if other is unit:
                    self._slot(kernel_named(name)).value = address

    def _declare_slots(self, unit: Kernel) -> None:
        """Name the slots of the units that a unit calls: LLVM stops the process without them.

        A linker of the same structs may have given these names to its own slots since.
        """
        for part in body_of(unit):
            for called in part.calls():
                if called.unit:
                    self._declare(called)
                    if self.worlds is not None:
                        self.worlds._declare(called)

    def _declare(self, unit: Kernel) -> None:
        define_symbol(slot_name(unit, *self.structs), ctypes.addressof(self._slot(unit)))

    def _slot(self, unit: Kernel) -> ctypes.c_int64:
        if unit.name not in self._slots:
            callback = self.given.get(unit.name) or STAGE(lambda m, d: self._refuse(unit, d))
            self._callbacks[unit.name] = callback
            address = ctypes.cast(callback, ctypes.c_void_p).value
            self._slots[unit.name] = ctypes.c_int64(address or 0)
        return self._slots[unit.name]

    def _refuse(self, unit: Kernel, d: int) -> None:
        """A unit was called that is not loaded: its worlds fail, and say which unit it was."""
        for name, value in (("status", NOT_LOADED), ("status_index", _number(unit))):
            entry = self.structs[1].entries[name]
            address = ctypes.c_int64.from_address(d + 8 * entry.word).value
            lanes = LANES if entry.access == LANES_OF else 1
            (ctypes.c_int32 * lanes).from_address(address)[:] = [value] * lanes


_numbers: dict[str, int] = {}


def _number(unit: Kernel) -> int:
    return _numbers.setdefault(unit.name, len(_numbers))


def not_loaded(number: int) -> CompilationError:
    """What to raise for a world whose status is NOT_LOADED."""
    name = next((name for name, n in _numbers.items() if n == number), "a unit")
    return CompilationError(
        f"{name} was called but is not loaded: arrays of the model were changed in a way that "
        "was not noticed; make a new Data, or load the model again"
    )
