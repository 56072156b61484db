"""Counters of data: warnings, and calls of parts of a step, as lists of structs."""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np

from cortenforge.model import Data
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.structs import MjTimerStat, MjWarningStat, RowList
from cortenforge.mujoco.warning_handler import give_warning
from cortenforge.step.statuses import WARN_CONTROL, WARN_INERTIA

WARNINGS = ENUMS["mjtWarning"]
NWARNING = int(WARNINGS["mjNWARNING"])
NTIMER = int(ENUMS["mjtTimer"]["mjNTIMER"])
#: warnings of this engine that MuJoCo counts
COUNTED = {WARN_INERTIA: WARNINGS["mjWARN_INERTIA"], WARN_CONTROL: WARNINGS["mjWARN_BADCTRL"]}
#: timers that are counted in each kind of call; of a step with RK4, four times but the first
TIMED: dict[str, tuple[str, ...]] = {
    "evaluation": (
        *("POSITION", "VELOCITY", "ACTUATION", "CONSTRAINT", "POS_KINEMATICS", "POS_INERTIA"),
        *("POS_COLLISION", "POS_MAKE", "POS_PROJECT", "COL_BROAD", "COL_NARROW"),
    ),
    "forward": ("FORWARD",),
    "step": ("STEP",),
    "advance": ("ADVANCE",),
    "step1": (
        *("STEP", "POSITION", "VELOCITY", "POS_KINEMATICS", "POS_INERTIA"),
        *("POS_COLLISION", "POS_MAKE", "POS_PROJECT", "COL_BROAD", "COL_NARROW"),
    ),
    "step2": ("ACTUATION", "CONSTRAINT", "ADVANCE"),
    "inverse": (
        *("INVERSE", "POSITION", "VELOCITY", "CONSTRAINT", "POS_KINEMATICS", "POS_INERTIA"),
        *("POS_COLLISION", "POS_MAKE", "COL_BROAD", "COL_NARROW"),
    ),
}
RK4_STAGES = 4


def _timer_rows() -> dict[str, np.ndarray]:
    """For each kind of call, which timers it counts."""
    members = ENUMS["mjtTimer"].__members__
    return {
        kind: np.isin(np.arange(NTIMER), [members[f"mjTIMER_{name}"] for name in names])
        for kind, names in TIMED.items()
    }


TIMER_ROWS = _timer_rows()


NO_DURATIONS = [0.0] * NTIMER
NO_CALLS = dict.fromkeys(("step", "rk4_step", "forward", "step1", "step2", "inverse"), 0)


def new_statistics() -> dict[str, Any]:
    """Attributes of new data that count."""
    # one array, so that a reset clears all columns at once
    columns = np.zeros((len(MjWarningStat._fields), NWARNING), np.int32)
    return {
        "warning": RowList(MjWarningStat, dict(zip(MjWarningStat._fields, columns, strict=True))),
        "_warning_columns": columns,
        "_durations": list(NO_DURATIONS),
        "_calls": dict(NO_CALLS),
    }


class StatisticFields:
    """Warnings and timers of data. Durations are those of whole calls, zero for their parts."""

    warning: RowList
    _durations: list[float]
    _calls: dict[str, int]

    @property
    def timer(self) -> RowList:
        """How often parts of a step were called since the last reset."""
        calls, rows = self._calls, TIMER_ROWS
        evaluations = calls["step"] + RK4_STAGES * calls["rk4_step"] + calls["forward"]
        number = (
            evaluations * (rows["evaluation"] | rows["forward"])
            + (calls["step"] + calls["rk4_step"]) * rows["step"]
            + calls["step"] * rows["advance"]
            + calls["step1"] * rows["step1"]
            + calls["step2"] * rows["step2"]
            + calls["inverse"] * rows["inverse"]
        )
        columns = {"duration": np.array(self._durations), "number": number.astype(np.int32)}
        for column in columns.values():
            column.flags.writeable = False
        return RowList(MjTimerStat, columns)

    def _reset_statistics(self) -> None:
        """Set all counters to zero."""
        own = self.__dict__
        own["_warning_columns"].fill(0)
        own["_durations"], own["_calls"] = NO_DURATIONS.copy(), NO_CALLS.copy()

    def _copy_statistics(self, other: StatisticFields) -> None:
        """Take over the counters of other data."""
        self.warning.number[:] = other.warning.number
        self.warning.lastinfo[:] = other.warning.lastinfo
        self._durations[:] = other._durations
        self._calls.update(other._calls)

    def _record_warning(self, warning: int, count: int, index: int, text: str) -> None:
        """Count a warning; the first one since a reset is given, too."""
        if self.warning.number[warning] == 0:
            kind = WARNINGS(warning).name.removeprefix("mjWARN_")
            give_warning(f"{kind}: {text}")
        self.warning.number[warning] += count
        self.warning.lastinfo[warning] = index


def warning_counter(owner: StatisticFields) -> Any:
    """What a Data calls with its warnings: they are counted, or given if MuJoCo has none such."""
    counted = weakref.ref(owner)

    def count(native: Data, warning: int, text: str) -> None:
        found = counted()
        kind = COUNTED.get(warning)
        if kind is None or found is None:
            give_warning(text)
        # of inertias that are no numbers, MuJoCo does not warn
        elif warning != WARN_INERTIA or not math.isnan(native.warning_value[warning]):
            number, index = int(native.warning_count[warning]), int(native.warning_index[warning])
            found._record_warning(int(kind), number, index, text)

    return count
