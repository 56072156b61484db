"""Views of a Model or a Data for kernels that run as plain Python, in a debugger.

`d.xpos[b]` is a `vec3`, `d.xpos[b, 2]` a real, `d.time` a number, as in compiled structs.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from cortenforge.kernel.language.layout import Entry, StructLayout
from cortenforge.kernel.language.values import CLASSES, KINDS, Value


def jit_is_off() -> bool:
    """Whether kernels run as plain Python, so that a debugger can step through them."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class PlainField:
    """The elements of one field."""

    def __init__(self, entry: Entry, array: np.ndarray) -> None:
        self._entry = entry
        # flat array of numbers, also of fields that users see as a matrix
        self._rows = array.reshape(-1) if self._is_number else array

    @property
    def _is_number(self) -> bool:
        return self._entry.kind not in KINDS and not self._entry.trailing

    @property
    def numbers(self) -> np.ndarray:
        """All numbers of the field."""
        return self._rows

    def content(self) -> bytes:
        """All numbers, as they are in memory."""
        return self._rows.tobytes()

    def __getitem__(self, index: Any) -> Any:
        if self._is_number or isinstance(index, tuple):
            return self._rows[index].item()
        if self._entry.kind not in KINDS:
            raise TypeError(f"{self._entry.name}[i] is not a value: index a component")
        return CLASSES[self._entry.kind](*self._rows[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(value, Value):
            self._rows[index] = value.parts
        elif self._is_number or isinstance(index, tuple):
            self._rows[index] = value
        else:
            raise TypeError(f"{self._entry.name}[i] takes a {self._entry.kind}")


class PlainStruct:
    """Attribute access over a struct's arrays; `arrays` also holds the sizes, as integers."""

    def __init__(self, layout: StructLayout, arrays: dict[str, Any]) -> None:
        fields = {
            name: arrays[name]
            if entry.kind == "size" or entry.is_scalar
            else PlainField(entry, arrays[name])
            for name, entry in layout.entries.items()
            if arrays[name] is not None
        }
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_fields", fields)

    def __getattr__(self, name: str) -> Any:
        try:
            field = self._fields[name]
        except KeyError:
            raise AttributeError(f"{self._layout.name} has no field {name!r}") from None
        entry = self._layout.entries[name]
        if entry.kind == "size" or not entry.is_scalar:
            return field
        if entry.kind in KINDS:
            return CLASSES[entry.kind](*field.reshape(-1))
        return field.reshape(-1)[0].item()

    def __setattr__(self, name: str, value: Any) -> None:
        entry = self._layout.entries[name]
        if entry.kind == "size" or not entry.is_scalar or self._layout.constant:
            raise AttributeError(f"{self._layout.name}.{name} cannot be assigned in a kernel")
        if isinstance(value, Value):
            self._fields[name].reshape(-1)[:] = value.parts
        else:
            self._fields[name].reshape(-1)[0] = value
