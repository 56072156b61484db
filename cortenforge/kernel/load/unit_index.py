"""What is known of units without reading their sources again.

To find the key of a unit, or what a model can reach, sources are parsed: a third of a second for
the kernels of a step. An index keeps both beside compiled units, with what they follow from: the
digests of the modules' texts, and the constants that kernels take from their modules.
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

#: how many different models an index knows
MOST_REACHES = 64


def unit_digest(unit: Kernel, *structs: StructLayout) -> str:
    """Changes whenever the meaning of a unit does: its source, constants and fields."""
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
    """What a name from a kernel's module stands for."""
    if isinstance(value, Kernel):
        how = "unit" if value.unit else "inline"
        return f"kernel {value.name} {how} {value.lanes} {len(parameters(value))}"
    if isinstance(value, Table):
        return f"table {[described(one) for one in value.kernels]}"
    if isinstance(value, (bool, int, float, tuple)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"


def structs_digest(structs: Iterable[StructLayout]) -> str:
    """Changes whenever code that uses these structs must change."""
    return hashlib.sha256("\0".join(s.signature() for s in structs).encode()).hexdigest()


class ModelReading:
    """A model, of which it is noted what is asked."""

    def __init__(self, model: Any) -> None:
        self._model, self.asked = model, set[str]()

    def __getattr__(self, name: str) -> Any:
        self.asked.add(name)
        return getattr(self._model, name)


def values_digest(model: Any, names: Iterable[str]) -> str:
    """The values of some fields of a model, as it gives them."""
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
    """Units of one pair of structs: their digests, their modules, and what models reach of them.

    Modules are written down as they are now. What was written by another process counts as long
    as the modules that it follows from are the same.
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
        """What another index is made of, in another process."""
        return {"modules": self.modules, "units": self.units, "reaches": self.reaches}

    def digest(self, unit: Kernel) -> str:
        """`unit_digest`, from the index where it is there."""
        if not self.knows(unit):
            self.add(unit)
        digest: str = self.units[unit.name]["digest"]
        return digest

    def knows(self, unit: Kernel) -> bool:
        """Whether the unit is the one in the index, by the texts and constants of its modules."""
        row = self.units.get(unit.name)
        return row is not None and is_registered(unit) and self._are_unchanged(row["modules"])

    def holds(self, unit: Kernel) -> bool:
        """Whether the unit means what the one in the index does; it is read if it may not."""
        row = self.units.get(unit.name)
        if row is None or self.knows(unit):
            return row is not None
        return bool(row["digest"] == unit_digest(unit, *self.structs))

    def add(self, unit: Kernel) -> None:
        """Write a unit down as it is now."""
        digest = unit_digest(unit, *self.structs)
        self.units[unit.name] = {"digest": digest, "modules": self._note_modules([unit])}
        self.changed = True

    def reached(self, root: Kernel, model: Any) -> tuple[list[Kernel], list[Kernel]] | None:
        """What a unit reaches with a model: the units of all worlds, and those of one of them."""
        digests: dict[tuple[str, ...], str] = {}
        for row in self.reaches if is_registered(root) else ():
            if row["root"] != root.name or not self._are_unchanged(row["modules"]):
                continue
            fields = tuple(row["fields"])
            if fields not in digests:
                digests[fields] = values_digest(model, fields)
            if row["values"] == digests[fields]:
                return [kernel_named(n) for n in row["own"]], [kernel_named(n) for n in row["one"]]
        return None

    def add_reach(
        self, root: Kernel, model: Any, asked: set[str], own: list[Kernel], one: list[Kernel]
    ) -> None:
        """Write down what a unit reaches with a model, and what of the model was asked."""
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
        """Write down the modules of all kernels in some units; their names."""
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
        """Leave out whatever follows from a module as it was."""
        kept = self.units.items()
        self.units = {name: row for name, row in kept if module not in row["modules"]}
        self.reaches = [row for row in self.reaches if module not in row["modules"]]

    def _note_module(self, name: str, names: Iterable[str]) -> None:
        found = _module_now(name)
        if found is None:
            # a module that was taken away is never the same again
            self.modules[name], self._unchanged[name] = ["", {}], False
            return
        if not self._are_unchanged([name]):
            self._forget(name)
            self.modules[name], self._unchanged[name] = [found[0], {}], True
        constants = self.modules[name][1]
        for one in names:
            constants.setdefault(one, constant(found[1].get(one)))


def is_registered(unit: Kernel) -> bool:
    """Whether a kernel is the one that its name stands for now."""
    try:
        return kernel_named(unit.name) is unit
    except KeyError:
        return False


def _module_now(name: str) -> tuple[str, Mapping[str, Any]] | None:
    """The digest of a module's text as it was imported, and its names; None: it was not."""
    module = sys.modules.get(name)
    if module is None:
        return None
    text = text_of(module.__dict__)
    return None if text is None else (text.digest, module.__dict__)


def _module_is(name: str, noted: Any) -> bool:
    """Whether a module has the text and the constants that were noted of it."""
    found = _module_now(name)
    if found is None or noted is None or noted[0] != found[0]:
        return False
    return all(constant(found[1].get(name)) == value for name, value in noted[1].items())


def constant(value: Any) -> str:
    """What a name from a kernel's module stands for; a kernel that was replaced is another one."""
    known = not isinstance(value, Kernel) or is_registered(value)
    return described(value) if known else f"another {described(value)}"
