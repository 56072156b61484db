"""Small structs of the `mujoco` package, made from its tables: options, statistics, contacts ...

A `Struct` has arrays of its own or shares those of a model. Rows of a list (contacts, warnings)
are `RowStruct`s: a number of a row, and the columns of the list.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from cortenforge.mujoco.fields.attributes import plain_number
from cortenforge.mujoco.registry import struct
from cortenforge.mujoco.tables import DEFAULTS, STRUCTS, dtype_of, extents_of


def new_arrays(name: str, rows: tuple[int, ...] = ()) -> dict[str, np.ndarray]:
    """Arrays for all numbers of a struct with MuJoCo's defaults; rows: of a list of them."""
    arrays: dict[str, np.ndarray] = {}
    for field, entry in STRUCTS[name].items():
        if isinstance(entry, list) and not entry[0].endswith("*"):
            shape = (*rows, *(int(size) for size in extents_of(entry)))
            arrays[field] = np.zeros(shape, dtype_of(entry[0]))
            arrays[field][...] = DEFAULTS.get(name, {}).get(field, 0)
    return arrays


def shown_fields(value: Any, names: Iterable[str]) -> str:
    """Fields as `mujoco` prints them."""
    lines = "".join(f"\n  {name}: {getattr(value, name)!r}" for name in sorted(names))
    return f"<{type(value).__name__}{lines}\n>"


class FieldStruct:
    """A struct by the names of its fields: compared and shown field by field."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self._fields
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return shown_fields(self, self._fields)


class StructField:
    """A number or an array of a struct."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        array = owner._arrays[self.name]
        return array if array.ndim else array.item()

    def __set__(self, owner: Any, value: Any) -> None:
        array = owner._arrays[self.name]
        array[...] = value if array.ndim else plain_number(self.name, value, array.dtype)


class Struct(FieldStruct):
    """A struct of numbers and arrays."""

    __slots__ = ("__weakref__", "_arrays")
    #: name in the tables
    _struct = ""

    def __init__(self) -> None:
        self._arrays = new_arrays(self._struct)

    @classmethod
    def over(cls, arrays: Mapping[str, np.ndarray]) -> Any:
        """A struct that shares arrays with their owner."""
        made = cls.__new__(cls)
        made._arrays = dict(arrays)
        return made

    def assign(self, other: Any) -> None:
        """Copy all fields of another struct of this kind."""
        for name in self._fields:
            setattr(self, name, getattr(other, name))

    def __copy__(self) -> Any:
        return type(self).over({name: array.copy() for name, array in self._arrays.items()})

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return type(self).over, (dict(self._arrays),)


def struct_class(name: str, doc: str) -> type[Struct]:
    """The class of a struct of the tables."""
    fields = tuple(
        field
        for field, entry in STRUCTS[name].items()
        if isinstance(entry, list) and not entry[0].endswith("*")
    )
    body: dict[str, Any] = {field: StructField(field) for field in fields}
    body |= {
        "_fields": fields,
        "_struct": name,
        "__doc__": doc,
        "__module__": __name__,
        "__slots__": (),
    }
    return struct(type(name, (Struct,), body))


MjOption: Any = struct_class("MjOption", "Options of a simulation.")
MjStatistic: Any = struct_class("MjStatistic", "Statistics of a model.")
MjLROpt: Any = struct_class("MjLROpt", "Options of computations of length ranges.")


class VisualField:
    """A setting of a group of visual settings."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else getattr(owner._group, self.name)

    def __set__(self, owner: Any, value: Any) -> None:
        now = getattr(owner._group, self.name)
        if isinstance(now, np.ndarray):
            now[...] = value
        else:
            dtype = np.dtype(type(now))
            setattr(owner._group, self.name, plain_number(self.name, value, dtype))


class VisualStruct(FieldStruct):
    """A group of visual settings of a model, or one of its own."""

    __slots__ = ("_group",)

    def __init__(self, group: Any) -> None:
        self._group = group

    def __copy__(self) -> Any:
        return type(self)(copy.deepcopy(self._group))

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()


def _visual_class(group: str) -> type[VisualStruct]:
    fields = tuple(STRUCTS["MjVisual"][group])
    body: dict[str, Any] = {field: VisualField(field) for field in fields}
    name = group.rstrip("_").capitalize()
    body |= {"_fields": fields, "__slots__": (), "__module__": __name__}
    body["__qualname__"] = f"MjVisual.{name}"
    return type(name, (VisualStruct,), body)


@struct
class MjVisual:
    """Visual settings of a model, by groups."""

    _groups: dict[str, VisualStruct]

    def __init__(self) -> None:
        raise TypeError("MjVisual has no constructor: a model has one")

    @classmethod
    def over(cls, vis: Any) -> MjVisual:
        """The settings of a model."""
        made = cls.__new__(cls)
        groups = {name: kind(getattr(vis, name)) for name, kind in VISUAL_GROUPS.items()}
        made.__dict__["_groups"] = groups
        return made

    def assign(self, other: MjVisual) -> None:
        """Copy all settings."""
        for name in VISUAL_GROUPS:
            setattr(self, name, getattr(other, name))

    def __copy__(self) -> MjVisual:
        made = MjVisual.__new__(MjVisual)
        copies = {name: copy.copy(group) for name, group in self._groups.items()}
        made.__dict__["_groups"] = copies
        return made

    def __deepcopy__(self, memo: Any) -> MjVisual:
        return self.__copy__()

    def __getattr__(self, name: str) -> Any:
        groups = self.__dict__.get("_groups", {})
        if name not in groups:
            raise AttributeError(f"MjVisual has no attribute {name!r}")
        return groups[name]

    def __setattr__(self, name: str, value: Any) -> None:
        target = self.__getattr__(name)
        if type(value) is not type(target):
            raise TypeError(f"vis.{name} must be a group of this kind, got {value!r}"[:300])
        for field in target._fields:
            setattr(target, field, getattr(value, field))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjVisual) and self._groups == other._groups

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *VISUAL_GROUPS]

    def __repr__(self) -> str:
        return shown_fields(self, VISUAL_GROUPS)


VISUAL_GROUPS = {group: _visual_class(group) for group in STRUCTS["MjVisual"]}
for _group in VISUAL_GROUPS.values():
    setattr(MjVisual, _group.__name__, _group)


class RowField:
    """A number or an array of one row of a list."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        value = owner._columns[self.name][owner._row]
        return value if isinstance(value, np.ndarray) else value.item()

    def __set__(self, owner: Any, value: Any) -> None:
        column = owner._columns[self.name]
        if column.ndim == 1:
            value = plain_number(self.name, value, column.dtype)
        column[owner._row] = value


class RowStruct(FieldStruct):
    """One row of a list of structs, or a struct of its own."""

    __slots__ = ("_columns", "_row")
    #: name in the tables
    _struct = ""

    def __init__(self) -> None:
        self._columns: Mapping[str, np.ndarray] = new_arrays(self._struct, (1,))
        self._row = 0

    @classmethod
    def row(cls, columns: Mapping[str, np.ndarray], row: int) -> Any:
        """A row of a list."""
        made = cls.__new__(cls)
        made._columns, made._row = columns, row
        return made

    def __copy__(self) -> Any:
        made = type(self)()
        for name in self._fields:
            made._columns[name][0] = self._columns[name][self._row]
        return made

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return type(self).row, (self.__copy__()._columns, 0)


def row_class(name: str, doc: str) -> type[RowStruct]:
    """The class of a struct of the tables that stands in lists."""
    fields = tuple(STRUCTS[name])
    body: dict[str, Any] = {field: RowField(field) for field in fields}
    body |= {
        "_fields": fields,
        "_struct": name,
        "__doc__": doc,
        "__module__": __name__,
        "__slots__": (),
    }
    return struct(type(name, (RowStruct,), body))


MjContact: Any = row_class("MjContact", "One contact.")
MjWarningStat: Any = row_class("MjWarningStat", "How often a warning was given.")
MjTimerStat: Any = row_class("MjTimerStat", "How often a part of a step was called.")
MjSolverStat: Any = row_class("MjSolverStat", "An iteration of the constraint solver.")


class RowList:
    """A list of structs: `len`, numbers, slices, and columns as arrays."""

    _kind: type[RowStruct]
    _columns: Mapping[str, np.ndarray]

    def __init__(self, kind: type[RowStruct], columns: Mapping[str, np.ndarray]) -> None:
        self.__dict__.update(_kind=kind, _columns=columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(
                self._kind, {name: column[index] for name, column in self._columns.items()}
            )
        row = range(len(self))[index]
        return self._kind.row(self._columns, row)

    def __iter__(self) -> Iterator[Any]:
        return (self._kind.row(self._columns, row) for row in range(len(self)))

    def __getattr__(self, name: str) -> np.ndarray:
        columns = self.__dict__.get("_columns", {})
        if name not in columns:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        found: np.ndarray = columns[name]
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)[...] = value

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or len(self) != len(other):
            return NotImplemented if type(other) is not type(self) else False
        return all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self._kind._fields
        )

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._kind._fields]

    def __repr__(self) -> str:
        return shown_fields(self, self._kind._fields)
