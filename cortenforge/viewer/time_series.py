"""Time series for plots: sensors, energies, and rewards returned by a control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Enable

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: points of a plot, at most
PLOT_POINTS = 600
#: lines of a plot, at most
MAX_LINES = 6
ENERGY, REWARDS = "energy", "rewards"


class TimeSeries:
    """The last points of a few lines over a common time, in a buffer of twice their number."""

    def __init__(self, names: tuple[str, ...], length: int = PLOT_POINTS) -> None:
        self.names = names
        self._table = np.zeros((2 * length, 1 + len(names)))
        self._length, self._end = length, 0

    def __len__(self) -> int:
        return min(self._end, self._length)

    def add(self, time: float, values: np.ndarray) -> None:
        """Append a point; it replaces one of the same time, and an earlier time clears all."""
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
        """Drop all points."""
        self._end = 0

    def drop_after(self, time: float) -> None:
        """Drop points later than a time."""
        self._end = int(np.searchsorted(self._table[: self._end, 0], time, side="right"))

    def lines(self) -> tuple[np.ndarray, ...]:
        """Times, then the values of each line."""
        rows = self._table[max(0, self._end - self._length) : self._end]
        return tuple(rows[:, k].copy() for k in range(rows.shape[1]))


class SeriesRecorder:
    """Records watched quantities: "energy", "rewards", and sensors by name."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.series: dict[str, TimeSeries] = {}
        self._given: dict[str, float] = {}

    def watch(self, name: str) -> None:
        """Start to record "energy", "rewards", or a sensor by name."""
        if name in self.series:
            return
        if name == ENERGY:
            # energies are computed only with this flag
            flags = int(self.model.opt.enableflags)
            self.model.opt.enableflags = flags | int(Enable.ENERGY)
            self.series[name] = TimeSeries(("potential", "kinetic", "total"))
        elif name == REWARDS:
            self.series[name] = TimeSeries(tuple(self._given)[:MAX_LINES])
        else:
            i = sensor_names(self.model).index(name)
            size = int(self.model.sensor_dim[i])
            kept = range(min(size, MAX_LINES))
            self.series[name] = TimeSeries(tuple(f"{k}" if size > 1 else name for k in kept))

    def unwatch(self, name: str) -> None:
        """Stop to record a quantity."""
        self.series.pop(name, None)

    def set_numbers(self, numbers: Mapping[str, float]) -> None:
        """Set named numbers returned by a control, such as rewards."""
        self._given.update((name, float(value)) for name, value in numbers.items())

    @property
    def rewarded(self) -> tuple[str, ...]:
        """Names of the numbers that a control returned."""
        return tuple(self._given)

    def append_points(self, data: Data) -> None:
        """Append a point to each recorded series."""
        for name, series in list(self.series.items()):
            if name == REWARDS and series.names != tuple(self._given)[:MAX_LINES]:
                self.series[name] = series = TimeSeries(tuple(self._given)[:MAX_LINES])
            series.add(float(data.time), self._values(name, series, data))

    def _values(self, name: str, series: TimeSeries, data: Data) -> np.ndarray:
        if name == ENERGY:
            return np.array([*data.energy, data.energy.sum()])
        if name == REWARDS:
            return np.array([self._given[line] for line in series.names])
        i = sensor_names(self.model).index(name)
        first = int(self.model.sensor_adr[i])
        return np.asarray(data.sensordata[first : first + len(series.names)])

    def drop_after(self, time: float) -> None:
        """Drop points later than a time."""
        for series in self.series.values():
            series.drop_after(time)

    def clear(self) -> None:
        """Drop all points of all series."""
        for series in self.series.values():
            series.clear()


def sensor_names(model: Model) -> list[str]:
    """Names of all sensors; "sensor i" for those without a name."""
    names = model.names.get("sensor", [])
    return [name or f"sensor {i}" for i, name in enumerate(names)]
