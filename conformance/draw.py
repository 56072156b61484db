"""Random values as MJCF text: numbers, vectors, orientations, colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

__all__ = ["Draw", "text"]

Item = TypeVar("Item")


def text(*values: float) -> str:
    """Numbers as an attribute, with six digits: enough variety, and easy to read in a report."""
    return " ".join(f"{value:.6g}" for value in values)


class Draw:
    """A seeded source of attribute values; `degrees` and `eulerseq` are the compiler's."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.degrees = True

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self.rng.integers(len(items)))]

    def whole(self, low: int, high: int) -> int:
        """An integer from low to high, both possible."""
        return int(self.rng.integers(low, high + 1))

    def real(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def vector(self, size: float, length: int = 3) -> str:
        """A vector within +-size; sometimes along an axis, since zeros take special paths."""
        values = self.rng.uniform(-size, size, length)
        if self.chance(0.25):
            values = np.where(np.arange(length) == self.whole(0, length - 1), values, 0.0)
        return text(*values)

    def positive(self, low: float, high: float, length: int) -> str:
        return text(*self.rng.uniform(low, high, length))

    def flag(self) -> str:
        return self.pick(("true", "false"))

    def rgba(self) -> str:
        return text(*self.rng.uniform(0.1, 1, 4))

    def angle(self, low: float, high: float) -> float:
        """An angle between low and high radians, in the model's unit."""
        value = self.real(low, high)
        return float(np.degrees(value)) if self.degrees else value

    def unit_vector(self) -> np.ndarray:
        vector = self.rng.normal(size=3)
        return vector / np.linalg.norm(vector)

    def axis(self) -> str:
        """A direction of any length, a coordinate axis half of the time."""
        if self.chance(0.5):
            return self.pick(("1 0 0", "0 1 0", "0 0 1", "0 -1 0", "-1 0 0"))
        return text(*(self.unit_vector() * self.real(0.5, 2)))

    def frame_axes(self, count: int) -> list[str]:
        """Up to three axes that are orthogonal up to rounding, so that joints stay independent."""
        if self.chance(0.4):
            return [("1 0 0", "0 1 0", "0 0 1")[i] for i in self.rng.permutation(3)[:count]]
        basis, _ = np.linalg.qr(self.rng.normal(size=(3, 3)))
        return [text(*basis[:, i]) for i in range(count)]

    def orientation(self) -> dict[str, str]:
        """One of the five forms of an orientation, or none."""
        form = self.pick(("", "", "quat", "axisangle", "xyaxes", "zaxis", "euler"))
        if form == "":
            return {}
        return {form: getattr(self, f"_{form}")()}

    def _quat(self) -> str:
        if self.chance(0.2):
            return self.pick(("1 0 0 0", "0 1 0 0", "0.7071068 0 0.7071068 0", "1 1 0 0"))
        return text(*self.rng.normal(size=4))

    def _axisangle(self) -> str:
        return f"{self.axis()} {text(self.angle(-np.pi, np.pi))}"

    def _xyaxes(self) -> str:
        # the second axis need not be orthogonal to the first: MJCF makes it so
        x, y = self.unit_vector(), self.unit_vector()
        while np.linalg.norm(np.cross(x, y)) < 0.3:
            y = self.unit_vector()
        return text(*x, *y)

    def _zaxis(self) -> str:
        if self.chance(0.3):
            return self.pick(("0 0 1", "0 0 -1", "1 0 0", "0 -2 0"))
        return text(*(self.unit_vector() * self.real(0.5, 2)))

    def _euler(self) -> str:
        if self.chance(0.2):
            quarter = 90.0 if self.degrees else np.pi / 2
            return text(*(self.rng.integers(-2, 3, 3) * quarter))
        return text(*(self.angle(-np.pi, np.pi) for _ in range(3)))

    def pose(self, size: float) -> dict[str, str]:
        """Position and orientation, each absent at times: identity frames take special paths."""
        attributes = {} if self.chance(0.25) else {"pos": self.vector(size)}
        return attributes | self.orientation()
