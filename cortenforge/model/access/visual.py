"""Visual settings (mjVisual) by groups: `model.vis.map.znear`, `model.vis.global_.fovy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cortenforge.errors import ShapeError, UnknownAttribute
from cortenforge.suggest import no_such


class VisualGroup:
    """Settings of one group; assigned values are checked and rounded to their precision."""

    _name: str
    _rows: dict[str, Any]

    def __init__(self, name: str, rows: Mapping[str, Any]) -> None:
        self.__dict__.update(_name=name, _rows=dict(rows))

    def __getattr__(self, name: str) -> Any:
        self._check(name)
        return self._rows[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._check(name)
        now = self._rows[name]
        kind = np.dtype(np.int64 if isinstance(now, int) else np.float32)
        try:
            given = np.asarray(value)
        except ValueError:
            given = np.asarray(None)
        whole = given.dtype.kind in "biu" or (kind.kind == "f" and given.dtype.kind == "f")
        if not whole or given.shape != np.shape(now):
            wanted = f"{np.shape(now)[0]} numbers" if np.shape(now) else "a number"
            wanted = "an integer" if isinstance(now, int) else wanted
            raise ShapeError(f"vis.{self._name}.{name}: expected {wanted}, got {value!r}"[:300])
        made = given.astype(kind)
        self._rows[name] = made if made.ndim else made.item()

    def _check(self, name: str) -> None:
        # names with an underscore are looked up by copy and pickle before there are rows
        if name.startswith("_") or name not in self._rows:
            known = () if name.startswith("_") else self._rows
            raise UnknownAttribute(no_such("visual setting", name, known))

    def __dir__(self) -> list[str]:
        return list(self._rows)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self._rows.items())


class Visual:
    """All groups; the one named like a keyword of Python is `global_`, as in MuJoCo."""

    _groups: dict[str, VisualGroup]

    def __init__(self, groups: Mapping[str, Mapping[str, Any]]) -> None:
        made = {name: VisualGroup(name, rows) for name, rows in groups.items()}
        self.__dict__["_groups"] = made

    def __getattr__(self, name: str) -> VisualGroup:
        known = {} if name.startswith("_") else self._groups
        if name.removesuffix("_") not in known:
            raise UnknownAttribute(no_such("group of visual settings", name, dir(self)))
        return known[name.removesuffix("_")]

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)
        raise UnknownAttribute(f"vis.{name} is a group: assign to its settings, vis.{name}.* = ...")

    def settings(self) -> dict[str, dict[str, Any]]:
        """All settings by group, as in a CompiledModel; arrays are copies."""
        return {
            group: {
                name: value.copy() if isinstance(value, np.ndarray) else value
                for name, value in found._rows.items()
            }
            for group, found in self._groups.items()
        }

    def __dir__(self) -> list[str]:
        groups = self.__dict__.get("_groups", {})
        return [f"{name}_" if name == "global" else name for name in groups]

    def __repr__(self) -> str:
        return "\n".join(f"{name}:\n{group!r}" for name, group in self._groups.items())
