"""Numbers over time, for plots: sensors, energies, and what a control returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Enable

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: points of a plot
LENGTH = 600
#: lines of one plot
MOST_LINES = 6
ENERGY, REWARDS = "energy", "rewards"


class Series:
    """The last points of a few lines over one time."""

    def __init__(self, names: tuple[str, ...], length: int = LENGTH) -> None:
        self.names = names
        self._table = np.zeros((2 * length, 1 + len(names)))
        self._length, self._end = length, 0

    def __len__(self) -> int:
        return min(self._end, self._length)

    def add(self, time: float, values: np.ndarray) -> None:
        """One more point; time that does not go on begins anew."""
        if self._end and time < self._table[self._end - 1, 0]:
            self.clear()
        if self._end and time == self._table[self._end - 1, 0]:
            self._end -= 1
        if self._end == len(self._table):
            self._table[: self._length] = self._table[-self._length :]
            self._end = self._length
        self._table[self._end, 0], self._table[self._end, 1:] = time, values
        self._end += 1

    def clear(self) -> None:
        """Forget everything."""
        self._end = 0

    def forget_after(self, time: float) -> None:
        """Forget what came later."""
        self._end = int(np.searchsorted(self._table[: self._end, 0], time, side="right"))

    def lines(self) -> tuple[np.ndarray, ...]:
        """Times, then the values of each line."""
        rows = self._table[max(0, self._end - self._length) : self._end]
        return tuple(rows[:, k].copy() for k in range(rows.shape[1]))


class Recorder:
    """Keeps numbers of what is watched: energies, rewards, and sensors by their names."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.series: dict[str, Series] = {}
        self._given: dict[str, float] = {}

    def watch(self, name: str) -> None:
        """Begin to keep numbers: of "energy", of "rewards", or of a sensor."""
        if name in self.series:
            return
        if name == ENERGY:
            # energies are worked out where somebody asks for them
            flags = int(self.model.opt.enableflags)
            self.model.opt.enableflags = flags | int(Enable.ENERGY)
            self.series[name] = Series(("potential", "kinetic", "total"))
        elif name == REWARDS:
            self.series[name] = Series(tuple(self._given)[:MOST_LINES])
        else:
            i = sensor_names(self.model).index(name)
            size = int(self.model.sensor_dim[i])
            kept = range(min(size, MOST_LINES))
            self.series[name] = Series(tuple(f"{k}" if size > 1 else name for k in kept))

    def forget(self, name: str) -> None:
        """Stop to keep numbers."""
        self.series.pop(name, None)

    def give(self, numbers: Mapping[str, float]) -> None:
        """Numbers of a control: rewards, or what else it names."""
        self._given.update((name, float(value)) for name, value in numbers.items())

    @property
    def rewarded(self) -> tuple[str, ...]:
        """Names of what was given."""
        return tuple(self._given)

    def take(self, data: Data) -> None:
        """One more point of everything that is watched."""
        for name, series in list(self.series.items()):
            if name == REWARDS and series.names != tuple(self._given)[:MOST_LINES]:
                self.series[name] = series = Series(tuple(self._given)[:MOST_LINES])
            series.add(float(data.time), self._values(name, series, data))

    def _values(self, name: str, series: Series, data: Data) -> np.ndarray:
        if name == ENERGY:
            return np.array([*data.energy, data.energy.sum()])
        if name == REWARDS:
            return np.array([self._given[line] for line in series.names])
        i = sensor_names(self.model).index(name)
        first = int(self.model.sensor_adr[i])
        return np.asarray(data.sensordata[first : first + len(series.names)])

    def forget_after(self, time: float) -> None:
        """Forget what came later."""
        for series in self.series.values():
            series.forget_after(time)

    def clear(self) -> None:
        """Forget all points."""
        for series in self.series.values():
            series.clear()


def sensor_names(model: Model) -> list[str]:
    """Names of all sensors; those without one have a number."""
    names = model.names.get("sensor", [])
    return [name or f"sensor {i}" for i, name in enumerate(names)]
