"""Enumerations of the `mujoco` package: integers with its names and values."""

from __future__ import annotations

import enum
from typing import Any

from cortenforge.mujoco.tables import TABLES


class MujocoEnum(enum.IntEnum):
    """An integer that prints as an enumeration of `mujoco` does."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {int(self)}>"

    @classmethod
    def _missing_(cls, value: Any) -> Any:
        if not isinstance(value, int):
            raise TypeError(f"{cls.__name__}: expected an integer, got {value!r}"[:300])
        raise ValueError(f"Invalid int value for {cls.__name__}: {value}")


def _enumeration(name: str, members: dict[str, int]) -> type[MujocoEnum]:
    """An enumeration of the tables."""
    make: Any = MujocoEnum
    made: type[MujocoEnum] = make(name, list(members.items()), module=__name__)
    return made


ENUMS = {name: _enumeration(name, members) for name, members in TABLES["enums"].items()}
globals().update(ENUMS)
