"""Exceptions from status codes of compiled code, with the object, the value and the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Disable
from cortenforge.errors import CompilationError, StepError
from cortenforge.kernel.load.link import NOT_LOADED, not_loaded
from cortenforge.model.changes.candidates import pair_geoms
from cortenforge.step.statuses import (
    BAD_ACCELERATION,
    BAD_POSITION,
    BAD_VELOCITY,
    NOT_CONVERGED,
    STATUSES,
)

if TYPE_CHECKING:
    from cortenforge.model.model import Model


#: objects that an error is named after: the first that its sentence has
NAMED_OBJECTS = ("joint", "actuator", "sensor", "body", "geom")


#: failures after which MuJoCo resets the world, unless the flag `autoreset` is disabled
RESET_BY_MUJOCO = (BAD_POSITION, BAD_VELOCITY, BAD_ACCELERATION)
NO_AUTORESET = (
    '  flag autoreset="disable": MuJoCo goes on with such numbers; a step of CortenForge does not, '
    "data.forward() evaluates them"
)


@dataclass(frozen=True)
class CallReport:
    """The status fields of one world after a call."""

    status: int
    index: int
    value: float
    time: float
    steps_done: int
    #: of a batch that cannot grow: names and sizes of its capacities
    capacities: tuple[tuple[str, int], ...] = ()


def step_error(model: Model, report: CallReport, more: str = "") -> StepError | CompilationError:
    """The exception for a world that failed; `more` is appended to its message."""
    if report.status == NOT_LOADED:
        return not_loaded(report.index)
    status = STATUSES[report.status]
    if report.status in RESET_BY_MUJOCO and model.opt_disableflags & Disable.AUTORESET:
        more = f"{NO_AUTORESET}\n{more}" if more else NO_AUTORESET
    words = _sentence_words(model, status.index, report)
    return status.error(
        status.sentence.format(**words) + (f"\n{more}" if more else ""),
        object_name=next((words[kind] for kind in NAMED_OBJECTS if kind in words), ""),
        dof=report.index if status.index == "dof" else -1,
        value=report.value,
        time=report.time,
        steps_done=report.steps_done,
    )


def distance_warning(model: Model, geoms: Sequence[int], iterations: float, time: float) -> str:
    """The warning that the distance of two geoms did not converge."""
    one, other = (_object_name(model, "geom", geom) for geom in geoms)
    when = _time_text(time)
    sentence = STATUSES[NOT_CONVERGED].sentence
    return sentence.format(geom=one, other=other, value=iterations, when=when)


def _time_text(time: float) -> str:
    return f"at t = {time:.6g} s"


def _sentence_words(model: Model, index: str, report: CallReport) -> dict[str, Any]:
    """Values for the placeholders of a sentence of `step.statuses`."""
    words: dict[str, Any] = {
        "index": report.index,
        "value": report.value,
        "inverse": _reciprocal(report.value),
        "when": _time_text(report.time),
    }
    if index == "qpos":
        joint = int(np.searchsorted(model.jnt_qposadr, report.index, side="right")) - 1
        words["joint"] = _object_name(model, "joint", joint)
    elif index == "dof":
        words["joint"] = _object_name(model, "joint", int(model.dof_jntid[report.index]))
        words["body"] = _object_name(model, "body", int(model.dof_bodyid[report.index]))
    elif index == "actuator":
        words["actuator"] = _object_name(model, "actuator", report.index)
    elif index == "control":
        ends = model.actuator_ctrladr + model.actuator_ctrlnum
        # an actuator without controls has the address of the next one
        actuator = int(np.searchsorted(ends, report.index, side="right"))
        words["actuator"] = _object_name(model, "actuator", actuator)
    elif index == "candidate":
        one, other = pair_geoms(model, np.array([report.index]))[0].tolist()
        words["geom"], words["other"] = (
            _object_name(model, "geom", one),
            _object_name(model, "geom", other),
        )
    elif index == "sensor":
        words["sensor"] = _object_name(model, "sensor", report.index)
    elif index == "mocap":
        body = int(np.flatnonzero(model.body_mocapid == report.index)[0])
        words["body"] = _object_name(model, "body", body)
    elif index == "softvert":
        words["soft"] = _object_name(model, "soft", int(model.softvert_soft[report.index]))
    elif index == "capacity":
        words["capacity"], words["room"] = report.capacities[report.index]
    return words


def _object_name(model: Model, kind: str, number: int) -> str:
    return model.name_of(kind, number) or f"#{number}"


def _reciprocal(value: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(1.0) / np.float64(value))
