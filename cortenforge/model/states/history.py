"""Histories of controls and sensor readings: read at any time, and replaced.

Buffer of n samples of width w: [last reading, index of the newest, times (n), values (n, w)].
Mirrors mj_readCtrl, mj_readSensor, mj_initCtrlHistory and mj_initSensorHistory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cortenforge.errors import ArgumentError, ShapeError
from cortenforge.model.access.views import object_id
from cortenforge.step.history import newest_sample, read_history

if TYPE_CHECKING:
    from cortenforge.model.data import Data

#: interpolation orders by name
INTERPOLATION_ORDERS = {"zoh": 0, "linear": 1, "cubic": 2}
#: smallest distance of sample times [s], as in MuJoCo
MIN_SAMPLE_SPACING = 1e-15


class HistoryBuffer:
    """The history buffer of one actuator or sensor of a Data."""

    def __init__(self, data: Data, kind: str, key: str | int) -> None:
        model = data.model
        self.data, self.kind = data, kind
        self.number = object_id(model, kind, key)
        arrays = model._store.arrays
        self.count, self.order = arrays[f"{kind}_history"][self.number].tolist()
        self.at = int(arrays[f"{kind}_historyadr"][self.number])
        self.delay = float(arrays[f"{kind}_delay"][self.number])
        width, start = ("dim", "adr") if kind == "sensor" else ("ctrlnum", "ctrladr")
        self.width = int(arrays[f"{kind}_{width}"][self.number])
        first = int(arrays[f"{kind}_{start}"][self.number])
        self.now = slice(first, first + self.width)

    def read(self, time: float | None, interp: str | None) -> np.ndarray:
        """The values at `time - delay`, interpolated."""
        if not self.count:
            present = self.data.sensordata if self.kind == "sensor" else self.data.ctrl
            return present[self.now].copy()
        if interp is not None and interp not in INTERPOLATION_ORDERS:
            raise ArgumentError(
                f"interp: expected {', '.join(INTERPOLATION_ORDERS)}, got {interp!r}"
            )
        order = self.order if interp is None else INTERPOLATION_ORDERS[interp]
        when = (self.data.time if time is None else float(time)) - self.delay
        history = self.data.history
        return np.array(
            [
                read_history(history, self.at, self.count, self.width, k, when, order)
                for k in range(self.width)
            ]
        )

    def write(self, values: Any, times: Any, last: float | None) -> None:
        """Replace all samples, the oldest first; times stay unless they are given."""
        if not self.count:
            name = self.data.model.name_of(self.kind, self.number) or f"#{self.number}"
            raise ArgumentError(f"{self.kind} {name} has no history: give it nsample")
        history, at, count = self.data.history, self.at, self.count
        newest = newest_sample(history, at, count) if times is None else count - 1
        places = (newest + 1 + np.arange(count)) % count
        stamps = history[at + 2 : at + 2 + count]
        chosen = stamps[places] if times is None else _real_samples("times", times, (count,))
        if not np.all(np.diff(chosen) >= MIN_SAMPLE_SPACING):
            raise ArgumentError(f"times: expected increasing times, got {chosen.tolist()}")
        taken = _real_samples("values", values, (count, self.width))
        if last is not None:
            history[at] = last
        history[at + 1] = newest
        stamps[places] = chosen
        first = at + 2 + count
        history[first : first + count * self.width].reshape(count, self.width)[places] = taken


def _real_samples(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a shape; samples of one number may be given as numbers."""
    array = np.asarray(given, np.float64)
    if array.shape == shape[:1] and shape[1:] == (1,):
        array = array.reshape(shape)
    if array.shape != shape:
        raise ShapeError(f"{name}: expected an array of shape {shape}, got {array.shape}")
    return array


class HistoryMethods:
    """Methods of Data for histories of controls and sensors."""

    def read_ctrl(
        self, actuator: str | int, time: float | None = None, interp: str | None = None
    ) -> np.ndarray:
        """The controls of an actuator at `time` minus its delay.  As `mj_readCtrl`.

        time:   now if it is not given.
        interp: "zoh", "linear" or "cubic"; that of the actuator if it is not given.
        """
        return HistoryBuffer(cast("Data", self), "actuator", actuator).read(time, interp)

    def read_sensor(
        self, sensor: str | int, time: float | None = None, interp: str | None = None
    ) -> np.ndarray:
        """The reading of a sensor at `time` minus its delay.  As `mj_readSensor`.

        interp: how samples are interpolated; by default as the model says.
        """
        return HistoryBuffer(cast("Data", self), "sensor", sensor).read(time, interp)

    def init_ctrl_history(self, actuator: str | int, values: Any, times: Any = None) -> None:
        """Replace the past controls of an actuator, (nsample, inputs), the oldest first.

        values: `(nsample, inputs)`, the oldest first.

        Samples keep their times unless `times` has others; see mj_initCtrlHistory.
        """
        HistoryBuffer(cast("Data", self), "actuator", actuator).write(values, times, None)

    def init_sensor_history(
        self, sensor: str | int, values: Any, times: Any = None, phase: float | None = None
    ) -> None:
        """Replace the past readings of a sensor, (nsample, numbers), the oldest first.

        values: `(nsample, numbers)`.  times: `(nsample,)` [s]; unchanged if not given.
        phase: when it was last read, for a sensor with an interval; see mj_initSensorHistory.
        """
        HistoryBuffer(cast("Data", self), "sensor", sensor).write(values, times, phase)
