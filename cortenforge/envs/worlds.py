"""Worlds as a task sees them: all of a batch, or some."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.enums import Disable
from cortenforge.errors import ShapeError, UnknownAttribute
from cortenforge.suggest import did_you_mean


class WorldArrays:
    """Arrays `(n, ...)` by name: state and inputs of a batch, bound fields, a task's own.

    unactuated: whether `forward` leaves actuators out.
    """

    def __init__(
        self,
        batch: BatchSim,
        fields: tuple[str, ...],
        own: dict[str, Any],
        *,
        unactuated: bool = False,
    ) -> None:
        self.batch = batch
        self.unactuated = unactuated
        batch.bind(*fields)
        self.own = own
        self.known: dict[str, np.ndarray] = dict(own)
        for name in fields:
            self.known[name] = getattr(batch, name)

    def find(self, name: str) -> np.ndarray:
        """An array by name."""
        found = self.known.get(name)
        if found is None:
            found = self._look_up(name)
        return found

    def forward(self, rows: np.ndarray) -> None:
        """Evaluate derived fields of some worlds."""
        option, mask = self.batch.model.opt, self.mask(rows)
        flags = option.disableflags
        if self.unactuated:
            option.disableflags = flags | Disable.ACTUATION
        try:
            self.batch.forward_where(mask)
        finally:
            option.disableflags = flags

    def mask(self, rows: np.ndarray) -> np.ndarray:
        """A mask of some worlds."""
        mask = np.zeros(self.batch.n, bool)
        mask[rows] = True
        return mask

    def _look_up(self, name: str) -> np.ndarray:
        batch = self.batch
        if name in batch.parameters:
            found = batch.parameters[name]
        else:
            try:
                found = getattr(batch, name)
            except UnknownAttribute as error:
                if "not bound" in str(error):
                    message = f"{name} is not among the task's `fields`: fields = ({name!r}, ...)"
                    raise UnknownAttribute(message) from None
                hint = did_you_mean(name, self.known)
                raise UnknownAttribute(f"{error}" + (f"; {hint}" if hint else "")) from None
            if not isinstance(found, np.ndarray):
                raise UnknownAttribute(f"{name} is no array of worlds")
        self.known[name] = found
        return found


class TaskWorlds:
    """Some worlds: `w.qpos` is `(n, nq)`, `w.qpos = value` writes it.

    n:      how many there are.
    numbers: their numbers in the batch.
    Of all worlds, arrays are the batch's own. Of some, they are copies that cannot be written in
    place: assign to the attribute.
    """

    __slots__ = ("_arrays", "_rows", "n", "numbers")

    n: int
    numbers: np.ndarray
    _arrays: WorldArrays
    _rows: np.ndarray | None

    def __init__(self, arrays: WorldArrays, rows: np.ndarray | None = None) -> None:
        put = object.__setattr__
        put(self, "_arrays", arrays)
        put(self, "_rows", rows)
        put(self, "n", arrays.batch.n if rows is None else len(rows))
        put(self, "numbers", np.arange(arrays.batch.n) if rows is None else rows)

    def __getattr__(self, name: str) -> np.ndarray:
        found = self._arrays.find(name)
        if self._rows is None:
            return found
        some: np.ndarray = found[self._rows]
        some.flags.writeable = False
        return some

    def __setattr__(self, name: str, value: Any) -> None:
        target = self._arrays.find(name)
        try:
            target[... if self._rows is None else self._rows] = value
        except ValueError:
            wanted = (self.n, *target.shape[1:])
            raise ShapeError(
                f"{name}: expected an array of shape {wanted}, got {np.shape(value)}"
            ) from None

    def only(self, chosen: np.ndarray) -> TaskWorlds:
        """Some of these worlds, by a mask or by their places among these."""
        return TaskWorlds(self._arrays, self.numbers[chosen])

    def forward(self) -> None:
        """Evaluate derived fields for the states that were assigned."""
        self._arrays.forward(self.numbers)

    def step(self, nstep: int) -> None:
        """Let these worlds move, without an action."""
        self._arrays.batch.step_all(nstep, where=self._arrays.mask(self.numbers))

    def sensor(self, name: str) -> np.ndarray:
        """Readings of a sensor by name, `(n, dim)`; `sensordata` is among the task's fields."""
        sensor = self._arrays.batch.model.sensor(name)
        first = int(sensor.adr[0])
        return self.sensordata[:, first : first + int(sensor.dim[0])]
