"""Index of compiled units: their keys, and which of them a model reaches, without parsing sources.

Computing the key of a unit, or the units that a model reaches, means parsing sources, which takes a
third of a second for the kernels of a step. An index stores both results next to the compiled
units, with what they depend on: digests of the sources of modules, and the values of the module
constants that kernels use. An entry is valid as long as all of these are the same.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from cortenforge.kernel.language.decorator import Kernel, body_of, kernel_named
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.plain import PlainField
from cortenforge.kernel.language.reach import Unknown
from cortenforge.kernel.language.source import (
    attribute_names,
    normal_form,
    parameters,
    text_of,
)
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.language.values import Value

#: largest number of models whose reachable units an index stores
MOST_REACHES = 64
#: stands for the values of a model where units are followed for any model
NO_MODEL = "any model"


def unit_digest(unit: Kernel, *structs: StructLayout) -> str:
    """Digest of a unit: of the source, constants and used fields of its kernels."""
    digest = hashlib.sha256(f"{unit.name} {unit.entry}".encode())
    body = body_of(unit)
    # a call that is made world by world asks for their status
    used = {"status", *(name for part in body for name in attribute_names(part))}
    for struct in structs:
        digest.update(struct.signature_of(used).encode())
    for part in body:
        digest.update(normal_form(part).encode())
        for name, value in sorted(part.names(), key=lambda pair: pair[0]):
            digest.update(f"{name}={described(value)};".encode())
    return digest.hexdigest()


def described(value: Any) -> str:
    """Text for a value that a kernel uses from its module; part of the unit's digest."""
    if isinstance(value, Kernel):
        how = "unit" if value.unit else "inline"
        return f"kernel {value.name} {how} {value.lanes} {len(parameters(value))}"
    if isinstance(value, Table):
        return f"table {[described(one) for one in value.kernels]}"
    if isinstance(value, float):
        # of a Tolerance, machine code has the number of float64
        return f"float {value!r}"
    if isinstance(value, (bool, int, tuple)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"


def structs_digest(structs: Iterable[StructLayout]) -> str:
    """Digest of the layouts of some structs."""
    return hashlib.sha256("\0".join(s.signature() for s in structs).encode()).hexdigest()


class ModelReading:
    """Proxy of a model that records which of its attributes are read."""

    def __init__(self, model: Any) -> None:
        self._model, self.asked = model, set[str]()

    def __getattr__(self, name: str) -> Any:
        self.asked.add(name)
        return getattr(self._model, name)


def values_digest(model: Any, names: Iterable[str]) -> str:
    """Digest of the values of some fields of a model; without a model, that of none."""
    if model is None:
        return NO_MODEL
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}=".encode())
        try:
            value = getattr(model, name)
        except Unknown:
            digest.update(b"unknown;")
            continue
        if isinstance(value, PlainField):
            digest.update(value.content())
        else:
            digest.update(repr(value.parts if isinstance(value, Value) else value).encode())
    return digest.hexdigest()


class UnitIndex:
    """Units of one pair of structs: digests, the modules they depend on, and what models reach.

    Entries are recorded for the modules as imported in this process. Entries of another process are
    used as long as the modules that they depend on are unchanged.
    """

    def __init__(self, structs: tuple[StructLayout, ...], content: Any = None) -> None:
        self.structs = structs
        self.modules: dict[str, list[Any]] = {}
        self.units: dict[str, dict[str, Any]] = {}
        self.reaches: list[dict[str, Any]] = []
        if content is not None:
            self.modules, self.units = content["modules"], content["units"]
            self.reaches = content["reaches"]
        self._unchanged: dict[str, bool] = {}
        self.changed = False

    def content(self) -> dict[str, Any]:
        """Content as JSON values, from which another process makes its index."""
        return {"modules": self.modules, "units": self.units, "reaches": self.reaches}

    def digest(self, unit: Kernel) -> str:
        """`unit_digest` of a unit: stored, or computed and stored."""
        if not self.knows(unit):
            self.add(unit)
        digest: str = self.units[unit.name]["digest"]
        return digest

    def knows(self, unit: Kernel) -> bool:
        """Whether the index has a valid entry: its modules have the same sources and constants."""
        row = self.units.get(unit.name)
        return row is not None and is_registered(unit) and self._are_unchanged(row["modules"])

    def holds(self, unit: Kernel) -> bool:
        """Whether the unit has the stored digest; recomputed if its modules have changed."""
        row = self.units.get(unit.name)
        if row is None or self.knows(unit):
            return row is not None
        return bool(row["digest"] == unit_digest(unit, *self.structs))

    def add(self, unit: Kernel) -> None:
        """Store the digest of a unit, and the modules it depends on."""
        digest = unit_digest(unit, *self.structs)
        self.units[unit.name] = {"digest": digest, "modules": self._note_modules([unit])}
        self.changed = True

    def reached(self, root: Kernel, model: Any) -> tuple[list[Kernel], list[Kernel]] | None:
        """Units reached with a model: (for all worlds, for one world); None if not stored."""
        digests: dict[tuple[str, ...], str] = {}
        for row in self.reaches if is_registered(root) else ():
            if row["root"] != root.name or not self._are_unchanged(row["modules"]):
                continue
            fields = tuple(row["fields"])
            if model is None and fields:
                # what some model reaches is not all that any can
                continue
            if fields not in digests:
                digests[fields] = values_digest(model, fields)
            if row["values"] == digests[fields]:
                return [kernel_named(n) for n in row["own"]], [kernel_named(n) for n in row["one"]]
        return None

    def add_reach(
        self, root: Kernel, model: Any, asked: set[str], own: list[Kernel], one: list[Kernel]
    ) -> None:
        """Store the units reached with a model, and the fields on which that depends."""
        fields = sorted(asked)
        row = {
            "root": root.name,
            "fields": fields,
            "values": values_digest(model, fields),
            "modules": self._note_modules([*own, *one]),
            "own": [unit.name for unit in own],
            "one": [unit.name for unit in one],
        }
        self.reaches = [row, *self.reaches[: MOST_REACHES - 1]]
        self.changed = True

    def _are_unchanged(self, modules: Iterable[str]) -> bool:
        for name in modules:
            if name not in self._unchanged:
                self._unchanged[name] = _module_is(name, self.modules.get(name))
            if not self._unchanged[name]:
                return False
        return True

    def _note_modules(self, units: Iterable[Kernel]) -> list[str]:
        """Record all modules of kernels that are compiled into some units; returns their names."""
        used: dict[str, set[str]] = {}
        for unit in units:
            for part in body_of(unit):
                names = used.setdefault(part.function.__module__, set())
                for name, value in part.names():
                    names.add(name)
                    if isinstance(value, Table) and value.needed is not None:
                        used.setdefault(value.needed.__module__, set())
        for name, names in used.items():
            self._note_module(name, names)
        return sorted(used)

    def _forget(self, module: str) -> None:
        """Remove all entries that depend on a former version of a module."""
        kept = self.units.items()
        self.units = {name: row for name, row in kept if module not in row["modules"]}
        self.reaches = [row for row in self.reaches if module not in row["modules"]]

    def _note_module(self, name: str, names: Iterable[str]) -> None:
        found = _module_now(name)
        if found is None:
            # a module that is not loaded any more: entries that depend on it are invalid
            self.modules[name], self._unchanged[name] = ["", {}], False
            return
        if not self._are_unchanged([name]):
            self._forget(name)
            self.modules[name], self._unchanged[name] = [found[0], {}], True
        constants = self.modules[name][1]
        for one in names:
            constants.setdefault(one, constant(found[1].get(one)))


def is_registered(unit: Kernel) -> bool:
    """Whether a kernel is the registered one of its name."""
    try:
        return kernel_named(unit.name) is unit
    except KeyError:
        return False


def _module_now(name: str) -> tuple[str, Mapping[str, Any]] | None:
    """(digest of the source, namespace) of a module as imported; None if it is not imported."""
    module = sys.modules.get(name)
    if module is None:
        return None
    text = text_of(module.__dict__)
    return None if text is None else (text.digest, module.__dict__)


def _module_is(name: str, noted: Any) -> bool:
    """Whether a module still has the recorded source and constants."""
    found = _module_now(name)
    if found is None or noted is None or noted[0] != found[0]:
        return False
    return all(constant(found[1].get(name)) == value for name, value in noted[1].items())


def constant(value: Any) -> str:
    """`described`, marked if the value is a kernel that is no longer registered under its name."""
    known = not isinstance(value, Kernel) or is_registered(value)
    return described(value) if known else f"another {described(value)}"
