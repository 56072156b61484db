"""Linkers load compiled units; units call each other through slots.

A slot is one word of memory that holds the address of a unit; compiled code refers to slots by
name. A call through a slot costs two loads and a jump. All units of a shipped image are loaded at
once (`shipped`). Others are loaded before a model's first step, as far as the model can reach them
(`language.reach`).
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.linked_code import LinkedCode, read_linked_code
from cortenforge.kernel.cpu.symbols import function_name, slot_ending, unit_of_symbol
from cortenforge.kernel.language.decorator import Kernel, kernel_named
from cortenforge.kernel.language.layout import LANES, LANES_OF, StructLayout
from cortenforge.kernel.language.reach import Reach
from cortenforge.kernel.language.source import parameters
from cortenforge.kernel.load.cache import (
    NO_COMPILER,
    UnitNote,
    check_compiler,
    has_compiler,
    read_unit,
    unit_key,
    write_unit,
)
from cortenforge.kernel.load.image import Image, ImageRefused, image_of
from cortenforge.kernel.load.kept_index import KeptIndex
from cortenforge.kernel.load.memory import MemoryRefused
from cortenforge.kernel.load.shipped import ShippedImage, refuse, shipped_image
from cortenforge.kernel.load.unit_index import is_registered, unit_digest

#: status of a world that called a unit which is not loaded
NOT_LOADED = 100

STAGE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)
#: C type of an entry, which takes the address of a Call
ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


class Call(ctypes.Structure):
    """Arguments of an entry: addresses of the blocks of model and data, and a count."""

    _fields_ = (("m", ctypes.c_int64), ("d", ctypes.c_int64), ("count", ctypes.c_int64))


#: functions that return the root units of each linker of the engine, by the linker's home
_homes: dict[str, list[Callable[[], list[Kernel]]]] = {}


def register(home: str, roots: Callable[[], list[Kernel]]) -> None:
    """Register the home of a linker (`module:name.name`) and its root units.

    Roots reach all other units. A package with further units for the same linker registers these in
    the same way.
    """
    _homes.setdefault(home, []).append(roots)


def home_of(make: Callable[[], Linker]) -> str:
    """Home of the linker that a registered function returns."""
    return f"{make.__module__}:{make.__name__}"


def registered(roots: Callable[[], list[Kernel]]) -> Callable[..., Callable[[], Linker]]:
    """Decorator: register and cache a function that makes a linker with these root units."""

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
    """The linker with a home; functions along the path are called."""
    module, names = home.split(":")
    found: Any = importlib.import_module(module)
    for name in names.split("."):
        found = getattr(found, name)
        found = found() if callable(found) else found
    assert isinstance(found, Linker)
    return found


def linkers(
    follow: Callable[[Linker, list[Kernel]], Reach] | None = None,
) -> list[tuple[Linker, list[Kernel]]]:
    """Every linker of the modules imported so far, with all units that it can load.

    follow: finds the units that a linker's roots reach; by default, with any model.
    """
    found: list[tuple[Linker, list[Kernel]]] = []
    for home, registrations in sorted(_homes.items()):
        linker = linker_at(home)
        every = [root for roots in registrations for root in roots()]
        reach = follow(linker, every) if follow else linker.reach(every)
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
        replaced: units that replace others, by the names of these.
        given:    C functions that replace units, such as callbacks into Python.
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
        #: addresses of the functions of loaded units
        self._addresses: dict[str, int] = {}
        self._callables: dict[str, Callable[..., int]] = {}
        self._images: list[Image] = []
        #: units of the shipped image that are in use
        self._shipped_names: set[str] = set()
        self._compiler: Any = None
        #: units that are loaded with all units that they reach with any model
        self._complete: set[str] = set()
        self._callbacks: dict[str, Any] = {}
        self._variants: dict[Hashable, Linker] = {}

    @property
    def home(self) -> str:
        """Import path by which workers make the same linker; "" if there is none."""
        return self._home

    @home.setter
    def home(self, place: str) -> None:
        self._home = place
        if self.worlds is not None:
            self.worlds.home = place and f"{place}.worlds"

    def variant(
        self, key: Hashable, replaced: Mapping[str, Kernel], given: Mapping[str, Any]
    ) -> Linker:
        """A linker of the same structs with further replaced units; cached by key."""
        if key not in self._variants:
            made = Linker(*self.structs, replaced={**self.replaced, **replaced}, given=given)
            made.home = self.home
            self._variants.setdefault(key, made)
        return self._variants[key]

    def reach(self, roots: Iterable[Kernel], model: Any = None) -> Reach:
        """All units that some units reach, with one model or with any."""
        reach = Reach(model, lanes=self.worlds is not None, replaced=self.replaced)
        for root in roots:
            reach.follow(root)
        return reach

    def function(self, unit: Kernel, model: Any = None) -> Callable[..., int]:
        """A callable for a unit: `(m, d, ...)`, or `(address of a Call) -> status` for an entry.

        model: loads what the unit reaches with this model; without one, all it can ever reach.
        """
        with self._lock:
            if unit.name not in self._complete and self._shipped_with_all_it_reaches(unit):
                self._complete.add(unit.name)
            if unit.name not in self._complete:
                own, alone = self._reached(unit, model)
                self.load(own)
                if self.worlds is not None:
                    self.worlds.load(alone)
                if model is None:
                    self._complete.add(unit.name)
            return self._callable(unit)

    def _callable(self, unit: Kernel) -> Callable[..., int]:
        if unit.name not in self._callables:
            words = [ctypes.c_int64] * len(parameters(unit))
            kind = ENTRY if unit.entry else ctypes.CFUNCTYPE(None, *words)
            call = kind(self._addresses[unit.name])
            # keeps code and slots alive as long as the function
            call.linker = self  # type: ignore[attr-defined]
            self._callables[unit.name] = call
        return self._callables[unit.name]

    def _reached(self, unit: Kernel, model: Any) -> tuple[list[Kernel], list[Kernel]]:
        """Units that a unit reaches: (for all worlds, for one world among others)."""
        if self._kept_index is None:
            reach = self.reach([unit], model)
            return reach.found(alone=False), reach.found(alone=True)
        return self._kept_index.reached(unit, model, self.reach)

    # ------------------------------------------------------------------ units of an image

    @functools.cached_property
    def _shipped(self) -> ShippedImage | None:
        """The shipped image of these structs, loaded into memory; None if there is none."""
        found = shipped_image(*self.structs) if self.home else None
        if found is not None:
            try:
                self._install_shipped(found)
            except (ImageRefused, MemoryRefused) as error:
                refuse(found.folder, str(error))
                return None
        return found

    @property
    def image_folder(self) -> Path | None:
        """Folder of the shipped image in use; None where units are compiled here."""
        return None if self._shipped is None else self._shipped.folder

    def is_loaded(self, unit: Kernel) -> bool:
        """Whether a unit is loaded with all units that it reaches with any model."""
        return unit.name in self._complete

    def is_ready(self, unit: Kernel) -> bool:
        """Whether a unit is compiled already: in the shipped image, or in the cache."""
        return self.is_shipped(unit) or self.kept(unit) is not None

    def is_shipped(self, unit: Kernel) -> bool:
        """Whether a unit is used as it is in the shipped image."""
        return self._shipped is not None and unit.name in self._shipped_names

    def _install_shipped(self, shipped: ShippedImage) -> None:
        image = shipped.map()
        self._connect(image)
        for name in shipped.slots:
            if self._has_the_same(shipped, name):
                self._addresses[name] = address = image.address(function_name(kernel_named(name)))
                self._slot(name).value = address
                self._shipped_names.add(name)

    def _has_the_same(self, shipped: ShippedImage, name: str) -> bool:
        """Whether a unit of an image is the same as the unit of that name here."""
        if name in self.replaced or name in self.given:
            return False
        try:
            return shipped.index.holds(kernel_named(name))
        except KeyError:  # its module is not imported
            return False

    def _shipped_with_all_it_reaches(self, root: Kernel) -> bool:
        """Whether a unit and all units that it can call are of the image, by its lists of slots.

        Then the units that a model reaches need not be known. Units that were compiled instead may
        call others.
        """
        if not is_registered(root):
            return False
        seen: set[tuple[Linker, str]] = set()
        waiting: list[tuple[Linker, str]] = [(self, root.name)]
        while waiting:
            linker, name = waiting.pop()
            if (linker, name) in seen or name in linker.given:
                continue
            seen.add((linker, name))
            if name in linker.replaced:
                linker._load_ever_reached(linker.replaced[name])
            elif linker._shipped is None or name not in linker._shipped_names:
                return False
            else:
                waiting += [linker._slot_owner(slot) for slot in linker._shipped.slots[name]]
        return True

    def _load_ever_reached(self, unit: Kernel) -> None:
        """Load a unit and all units that it reaches with any model."""
        reach = self.reach([unit])
        self.load(reach.found(alone=False))
        if self.worlds is not None:
            self.worlds.load(reach.found(alone=True))

    def _slot_owner(self, slot: str) -> tuple[Linker, str]:
        """(linker, unit name) of a slot, by the slot's name."""
        for linker in (self, self.worlds):
            if linker is not None and slot.endswith(slot_ending(linker.structs[1])):
                symbol = slot.removesuffix(slot_ending(linker.structs[1]))
                return linker, unit_of_symbol(symbol)
        raise CompilationError(f"compiled code refers to {slot}, which is no slot of its structs")

    # ------------------------------------------------------------------ units one by one

    def load(self, wanted: Iterable[Kernel], *, progress: bool = True) -> None:
        """Load units; those that are not in the cache are compiled, several at once."""
        with self._lock:
            # loads the units of the shipped image, if there is one
            _ = self._shipped
            there = self._addresses.keys() | self.given.keys()
            missing = [unit for unit in wanted if unit.name not in there]
            found = {unit.name: self.kept(unit) for unit in missing}
            cold = [unit for unit in missing if found[unit.name] is None]
            if cold:
                found.update(self._compiled(cold, progress=progress))
            for unit in missing:
                linked = found[unit.name]
                assert linked is not None
                self._install(unit, linked)
            if self._kept_index is not None:
                self._kept_index.keep()

    def keep(self, units: Iterable[Kernel], *, progress: bool = True) -> None:
        """Compile the units that are neither shipped nor in the cache, without loading any."""
        cold = [unit for unit in units if not self.is_ready(unit)]
        if cold:
            self._compiled(cold, progress=progress)
        if self._kept_index is not None:
            self._kept_index.keep()

    def _compiled(self, cold: list[Kernel], *, progress: bool) -> dict[str, LinkedCode]:
        if not has_compiler():
            raise CompilationError(NO_COMPILER.format(cold[0].name), cold[0].name)
        from cortenforge.kernel.load.workers import compile_units

        return compile_units(cold, self, progress=progress)

    @functools.cached_property
    def _kept_index(self) -> KeptIndex | None:
        """Index of the engine's own units; None for linkers made by a program."""
        return None if self.replaced or not self.home else KeptIndex(self.structs, self.home)

    def key(self, unit: Kernel) -> str:
        """Key of a unit in the cache."""
        index = self._kept_index
        return unit_key(index.digest(unit) if index else unit_digest(unit, *self.structs))

    def kept(self, unit: Kernel) -> LinkedCode | None:
        """Linked code of a unit from the cache; None if it is missing or damaged."""
        return read_linked_code(read_unit(self.key(unit)) or b"", function_name(unit))

    def compile_here(self, unit: Kernel) -> LinkedCode:
        """Compile a unit in this process and keep it in the cache."""
        if self._compiler is None:
            from cortenforge.kernel.cpu.compile import Compiler

            check_compiler()
            self._compiler = Compiler(*self.structs)
        start = time.perf_counter()
        linked: LinkedCode = self._compiler.compile(unit)
        note = UnitNote(unit.name, self.structs[1].name, time.perf_counter() - start)
        write_unit(self.key(unit), linked.to_bytes(), note)
        return linked

    def _install(self, unit: Kernel, linked: LinkedCode) -> None:
        try:
            image = image_of(linked)
            self._connect(image)
        except MemoryRefused as error:
            raise CompilationError(f"{unit.name} cannot be run: {error}", unit.name) from error
        self._addresses[unit.name] = address = image.address(function_name(unit))
        if not unit.entry:
            self._slot(unit.name).value = address
            for name, other in self.replaced.items():
                if other is unit:
                    self._slot(name).value = address

    def _connect(self, image: Image) -> None:
        """Write the addresses of slots into an image, and keep the image alive."""

        def address(name: str) -> int:
            linker, unit = self._slot_owner(name)
            return ctypes.addressof(linker._slot(unit))

        image.connect(address)
        self._images.append(image)

    def _slot(self, name: str) -> ctypes.c_int64:
        if name not in self._slots:
            address = self._addresses.get(name)
            if address is None:
                callback = self.given.get(name) or STAGE(lambda m, d: self._refuse(name, d))
                self._callbacks[name] = callback
                address = ctypes.cast(callback, ctypes.c_void_p).value or 0
            self._slots[name] = ctypes.c_int64(address)
        return self._slots[name]

    def _refuse(self, unit: str, d: int) -> None:
        """Fail the worlds that called a unit which is not loaded, with the unit's number."""
        for name, value in (("status", NOT_LOADED), ("status_index", _number(unit))):
            entry = self.structs[1].entries[name]
            address = ctypes.c_int64.from_address(d + 8 * entry.word).value
            lanes = LANES if entry.access == LANES_OF else 1
            (ctypes.c_int32 * lanes).from_address(address)[:] = [value] * lanes


_numbers: dict[str, int] = {}


def _number(unit: str) -> int:
    return _numbers.setdefault(unit, len(_numbers))


def not_loaded(number: int) -> CompilationError:
    """The error for a world with the status NOT_LOADED."""
    name = next((name for name, n in _numbers.items() if n == number), "a unit")
    return CompilationError(
        f"{name} was called but is not loaded: arrays of the model were changed in a way that "
        "was not noticed; make a new Data, or load the model again"
    )
