"""Arguments of functions, checked and converted as the bindings of `mujoco` do.

What a caller passes is converted by the types in the table of functions. Arrays that a function
writes must be arrays of exactly that type; arrays that it reads may be anything that NumPy makes
into one.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cortenforge.mujoco.tables import FUNCTIONS

Converter = Callable[[Any], Any]
ARRAY = re.compile(r"(\w+)\[(\w+)(?:,(\w+))?\](w?)")


class UnfitError(Exception):
    """An argument of another type than is expected; the text says what is expected."""


def as_integer(value: Any) -> int:
    """An integer; enumerations and integers of NumPy count as such, reals do not."""
    if value.__class__ is int:
        return int(value)
    if isinstance(value, float):
        raise UnfitError("an integer")
    try:
        return operator.index(value)
    except TypeError:
        pass
    if not hasattr(type(value), "__int__"):
        raise UnfitError("an integer")
    return int(value)


def as_real(value: Any) -> float:
    """A real number."""
    if not hasattr(type(value), "__float__") and not hasattr(type(value), "__index__"):
        raise UnfitError("a number")
    try:
        return float(value)
    except TypeError:
        raise UnfitError("a number") from None


def as_bool(value: Any) -> bool:
    """True or false; numbers count as such."""
    if value is not None and not hasattr(type(value), "__bool__"):
        raise UnfitError("a boolean")
    return bool(value)


def as_text(value: Any) -> str:
    """A string; bytes are decoded."""
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise UnfitError("a string")
    return value


def _readable_array(dtype: type, rows: int, columns: int | None, value: Any) -> np.ndarray:
    """An array to read, of a type: a vector, or a matrix for `columns` that are not given."""
    try:
        array: np.ndarray = np.asarray(value, dtype)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.dtype != dtype:
        raise UnfitError(f"numbers of type {np.dtype(dtype)}")
    if columns is None and array.ndim:
        array = np.ascontiguousarray(array)
    return _shaped(array, rows, columns)


def _writeable_array(dtype: type, rows: int, columns: int | None, value: Any) -> np.ndarray:
    """An array to write to: one of exactly this type, in place."""
    if not isinstance(value, np.ndarray) or value.dtype != dtype or not value.flags.writeable:
        raise UnfitError(f"a writeable array of {np.dtype(dtype)}")
    return _shaped(value, rows, columns)


def _shaped(array: np.ndarray, rows: int, columns: int | None) -> np.ndarray:
    """A vector of a length (0 for any), or a matrix in C's order."""
    if columns is None:
        if array.ndim == 1:
            return array
        if array.ndim == 2 and array.flags.c_contiguous:
            return array
        raise UnfitError("a matrix in C order")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise UnfitError("a vector")
    if rows and len(array) != rows:
        raise UnfitError(f"a vector of {rows} numbers")
    return array


def _any_array(dtype: type, value: Any) -> np.ndarray:
    """An array of a type in C's order, of any shape, in place."""
    if not isinstance(value, np.ndarray) or value.dtype != dtype or not value.flags.c_contiguous:
        raise UnfitError(f"an array of {np.dtype(dtype)} in C order")
    return value


def _array_converter(match: re.Match[str]) -> Converter:
    """The converter of an array: `float64[m,n]w`."""
    dtype = getattr(np, match[1])
    if match[2] == "any":
        return functools.partial(_any_array, dtype)
    rows = int(match[2]) if match[2].isdigit() else 0
    columns = int(match[3]) if match[3].isdigit() else None
    find = _writeable_array if match[4] else _readable_array
    return functools.partial(find, dtype, rows, columns)


def _optional(convert: Converter, value: Any) -> Any:
    return None if value is None else convert(value)


def _instance(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise UnfitError(f"an {kind.__name__}")
    return value


CONVERTERS: dict[str, Converter] = {
    "int": as_integer,
    "float": as_real,
    "bool": as_bool,
    "str": as_text,
    "object": lambda value: value,
    "capsule": lambda value: value,
}


def converter(kind: str, classes: dict[str, type]) -> Converter:
    """The converter of a type of the table; classes: of structs, by name."""
    if kind.endswith("?"):
        return functools.partial(_optional, converter(kind[:-1], classes))
    if kind in CONVERTERS:
        return CONVERTERS[kind]
    array = ARRAY.fullmatch(kind)
    return _array_converter(array) if array else functools.partial(_instance, classes[kind])


def mismatch(name: str, what: str) -> TypeError:
    """The error for arguments that a function does not take."""
    shown = ", ".join(
        f"{row[0]}: {row[1]}" + (f" = {row[2]}" if len(row) > 2 else "") for row in FUNCTIONS[name]
    )
    return TypeError(f"{name}(): incompatible function arguments: {what}; expected {name}({shown})")


def default_value(text: str) -> Any:
    """A default of the table of functions, which are None and small integers."""
    return None if text == "None" else int(text)


def complete_arguments(name: str, given: Sequence[Any], named: dict[str, Any]) -> list[Any]:
    """All arguments of a call in their order, defaults included."""
    rows = FUNCTIONS[name]
    names = [row[0] for row in rows]
    unknown = [key for key in named if key not in names[len(given) :]]
    if len(given) > len(rows) or unknown:
        raise mismatch(name, f"unexpected argument {unknown[0]!r}" if unknown else "too many")
    values = list(given)
    for row in rows[len(given) :]:
        if row[0] in named:
            values.append(named[row[0]])
        elif len(row) > 2:
            values.append(default_value(row[2]))
        else:
            raise mismatch(name, f"{row[0]} is missing")
    return values


def with_checks(function: Callable[..., Any], classes: dict[str, type]) -> Callable[..., Any]:
    """A function that checks and converts its arguments by the table before it is called."""
    name = function.__name__
    rows = FUNCTIONS[name]
    converters = [converter(row[1], classes) for row in rows]

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if named or len(given) != len(converters):
            given = tuple(complete_arguments(name, given, named))
        try:
            values = [convert(value) for convert, value in zip(converters, given, strict=True)]
        except UnfitError:
            raise _first_mismatch(name, converters, given) from None
        return function(*values)

    return call


def _first_mismatch(name: str, converters: Sequence[Converter], given: Sequence[Any]) -> TypeError:
    """The error for the first argument that does not fit."""
    for row, convert, value in zip(FUNCTIONS[name], converters, given, strict=True):
        try:
            convert(value)
        except UnfitError as unfit:
            return mismatch(name, f"{row[0]} must be {unfit}, got {type(value).__name__}")
    raise AssertionError("an argument was unfit")
