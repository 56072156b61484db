"""Where the time of a step goes: its stages, called one by one in the same state."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

import cortenforge as cf
from cortenforge.enums import Integrator
from cortenforge.kernel import Kernel, kernel
from cortenforge.step.actuation.actuator_force import actuation
from cortenforge.step.collision.stage import collision
from cortenforge.step.constraint.reference_acceleration import reference_constraint
from cortenforge.step.constraint.stage import make_constraint
from cortenforge.step.forward import (
    forward_acceleration,
    forward_inertia,
    forward_kinematics,
    forward_velocity,
)
from cortenforge.step.position.mass_matrix import factor_inertia
from cortenforge.step.position.tendons import tendon_lengths
from cortenforge.step.position.transmission import transmission
from cortenforge.step.solve.stage import solve_constraints

__all__ = ["STAGES", "evaluations", "nothing", "stage_times"]

#: what is measured, in the order of a step; the rest of it is sensors, checks and integration
STAGES: dict[str, tuple[Kernel, ...]] = {
    "positions": (
        forward_kinematics,
        forward_inertia,
        tendon_lengths,
        factor_inertia,
        transmission,
    ),
    "collision": (collision,),
    "rows": (make_constraint, reference_constraint),
    "forces": (forward_velocity, actuation, forward_acceleration),
    "solver": (solve_constraints,),
}
REPEATS = 9


@kernel(unit=True)
def nothing(m, d):
    """What a call costs."""
    d.asked = 0


def evaluations(model: cf.Model) -> int:
    """How often a step goes through these stages."""
    return 4 if model.opt.integrator == Integrator.RK4 else 1


def stage_times(data: cf.Data, again: Callable[[], None]) -> dict[str, float]:
    """Microseconds of each stage in the state of a Data, over a whole step.

    again: makes the state what it was.
    """
    data.forward()
    m, d, often = data._call.m, data._call.d, evaluations(data.model)
    empty = data._function(nothing)
    call = _least(lambda: empty(m, d))
    found = dict.fromkeys(STAGES, 0.0)
    for name in STAGES:
        for unit in (data._function(one) for one in _needed(data.model, name)):
            found[name] += often * max(0.0, _least(lambda unit=unit: unit(m, d)) - call)
    whole = _least(data.step, again)
    return {**found, "rest": max(0.0, whole - sum(found.values()))}


def _needed(model: cf.Model, name: str) -> Iterator[Kernel]:
    """Units of a stage that a step of the model calls."""
    absent = {
        tendon_lengths: model.ntendon == 0,
        transmission: model.nu == 0,
        actuation: model.nu == 0,
        collision: len(model.candidate_geom) == 0,
    }
    return (unit for unit in STAGES[name] if not absent.get(unit, False))


def _least(run: Callable[[], object], again: Callable[[], None] = lambda: None) -> float:
    times = []
    for _ in range(REPEATS):
        again()
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e6 * float(np.min(times))
