"""Attributes of classes that stand for fields of structs.

A struct keeps its arrays in a dictionary `_arrays`; numbers are arrays without dimensions. Arrays
that never move are attributes of the object itself, so that reading one costs no call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cortenforge.mujoco.absent import READ_UNUSED
from cortenforge.mujoco.arguments import UnfitError, as_bool, as_integer, as_real
from cortenforge.mujoco.errors import raise_absent


def plain_number(name: str, value: Any, dtype: np.dtype) -> Any:
    """A number for a field of a type; TypeError if it is none."""
    convert: Callable[[Any], Any] = {"f": as_real, "b": as_bool}.get(dtype.kind, as_integer)
    try:
        return convert(value)
    except UnfitError as unfit:
        raise TypeError(f"{name} must be {unfit}, got {value!r}"[:300]) from None


class Slot:
    """An array that the object has in its dictionary; here so that `dir` of the class lists it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        raise AttributeError(f"{type(owner).__name__} has no {self.name}")


class Number:
    """A number in `_arrays`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner._arrays[self.name].item()

    def __set__(self, owner: Any, value: Any) -> None:
        array = owner._arrays[self.name]
        array[...] = plain_number(self.name, value, array.dtype)


class Constant:
    """A number that is the same for all objects of a class."""

    def __init__(self, name: str, value: int | bool | float) -> None:
        self.name, self.value = name, value

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else self.value

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"{self.name} of {type(owner).__name__} cannot be set")


class Rows:
    """The used rows of an array that may grow; another field counts them."""

    def __init__(self, name: str, count: str) -> None:
        self.name, self.count = name, count

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        arrays = owner._arrays
        return arrays[self.name][: arrays[self.count].item()]

    def __set__(self, owner: Any, value: Any) -> None:
        self.__get__(owner)[...] = value


class Computed:
    """A value that is computed when it is read; arrays of it cannot be written to."""

    def __init__(self, name: str, compute: Callable[[Any], Any]) -> None:
        self.name, self.compute = name, compute

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        value = self.compute(owner)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        return value

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"{self.name} is computed when it is read, and cannot be set")


class AbsentArray:
    """What stands for an array that this engine does not have, and raises when it is used."""

    def __init__(self, name: str, reason: str) -> None:
        self.__dict__.update(_name=name, _reason=reason)

    def _refuse(self, *given: Any, **named: Any) -> Any:
        raise_absent(self._name, self._reason)

    __array__ = __getitem__ = __setitem__ = __len__ = __iter__ = __setattr__ = _refuse

    def __getattr__(self, name: str) -> Any:
        return self._refuse()


class AbsentField:
    """A field that this engine does not have."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        if self.name in READ_UNUSED:
            return AbsentArray(f"{type(owner).__name__}.{self.name}", self.reason)
        raise_absent(f"{type(owner).__name__}.{self.name}", self.reason)

    def __set__(self, owner: Any, value: Any) -> None:
        raise_absent(f"{type(owner).__name__}.{self.name}", self.reason)
