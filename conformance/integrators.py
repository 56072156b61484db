"""One step of each integrator, from the same states as MuJoCo.

Without constraints the next states agree to 1e-9, and so does the derivative of smooth forces that
an implicit step leaves. With constraints, both engines step from MuJoCo's contacts with solvers
that converge, and agree as far as these do; Runge-Kutta finds contacts of its own in each stage, so
it steps without contacts there. The tolerance of MuJoCo's solver is also that of its search for
accelerations without constraints in `discrete`. Steps that rounding decides are counted apart: by
the README's rule, MuJoCo's own, perturbed, end as far away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.cases import Case, OwnShapesError, load_both, refuse_own_shapes
from conformance.fieldwise import reason
from conformance.findings import Finding
from conformance.rows import places
from cortenforge.compare import mujoco_module
from cortenforge.compare.oracle import muted_warnings
from cortenforge.compare.shared_contacts import (
    SOLVED_TOLERANCE,
    converged,
    either_rounding_dominated,
    reference_gave_up,
    step_both_from_contacts,
)
from cortenforge.compare.states import random_state
from cortenforge.enums import Disable, Enable, Integrator

__all__ = ["step_constrained", "step_smooth"]

#: MuJoCo's
KINDS = tuple(kind for kind in Integrator if kind < Integrator.IMPLICITSPRINGDAMPER)
IMPLICIT = (Integrator.IMPLICIT, Integrator.IMPLICITFAST)
STATE = ("qpos", "qvel", "act")
SMOOTH = 1e-9
#: sums of other order are as far apart as so many perturbations
FARTHER, PERTURBATION = 100.0, 1e-14


def step_smooth(title: str, cases: Iterable[Case], states: int) -> Finding:
    """Every integrator on many models, without constraints."""
    return _step_all(title, cases, states, constrained=False)


def step_constrained(title: str, cases: Iterable[Case], states: int) -> Finding:
    """The same with constraints."""
    return _step_all(title, cases, states, constrained=True)


def _step_all(title: str, cases: Iterable[Case], states: int, *, constrained: bool) -> Finding:
    finding = Finding(title, "steps")
    for case in cases:
        try:
            with muted_warnings():
                _step_model(case, states, finding, constrained=constrained)
        except Exception as error:  # a sweep reports everything that it finds
            finding.fail(f"{case.name}: {type(error).__name__}: {error}")
    return finding


def _step_model(case: Case, states: int, finding: Finding, *, constrained: bool) -> None:
    try:
        model, reference = load_both(case)
        refuse_own_shapes(model)
    except (cf.MjcfError, OwnShapesError) as error:
        why = reason(error) if isinstance(error, cf.MjcfError) else str(error)
        finding.left_out[why] += 1
        return
    for one in (model, reference):
        one.opt.disableflags |= int(Disable.SENSOR)
        one.opt.enableflags &= ~int(Enable.SLEEP | Enable.INVDISCRETE | Enable.IPC)
        one.opt.noslip_iterations = 0
        if not constrained:
            one.opt.disableflags |= int(Disable.CONSTRAINT)
    if lacking := model.supported():
        finding.left_out[lacking[0].split(" (")[0].split(";")[0]] += 1
        return
    if constrained and not model.constraining:
        finding.left_out["no constraints"] += 1
        return
    finding.models += 1
    rng = np.random.default_rng(case.seed)
    for number, start in enumerate(_starts(model, rng, states, constrained=constrained)):
        finding.states += 1
        for kind in KINDS:
            with converged(model, reference, integrator=int(kind)):
                place = f"{case.name}, state {number}, {kind.name.lower()}"
                _step(model, reference, start, place, finding, constrained=constrained)


def _starts(
    model: cf.Model, rng: np.random.Generator, states: int, *, constrained: bool
) -> list[dict[str, np.ndarray]]:
    """Where steps start: anywhere, or near the model's own position."""
    if not constrained:
        drawn = [random_state(model, rng) for _ in range(states)]
        names = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos")
        return [{name: getattr(state, name) for name in names} for state in drawn]
    drawn = list(places(model, rng, states))
    return [state | {"ctrl": rng.uniform(-1, 1, model.nu)} for state in drawn]


def _step(
    model: cf.Model,
    reference: Any,
    start: dict[str, np.ndarray],
    place: str,
    finding: Finding,
    *,
    constrained: bool,
) -> None:
    """One step of one integrator."""
    data, theirs = model.make_data(), mujoco_module().MjData(reference)
    for name, value in start.items():
        getattr(data, name)[...] = value
        getattr(theirs, name)[...] = value
    touching = constrained and model.opt.integrator != Integrator.RK4
    if touching:
        stopped = step_both_from_contacts(data, reference, theirs)
    else:
        stopped = _step_apart(data, reference, theirs, constrained=constrained)
    if any(stopped):
        finding.notes["steps that explode"] += 1
        return
    if constrained and (
        either_rounding_dominated(data, reference, theirs)
        or reference_gave_up(data, reference, theirs)
    ):
        finding.notes["steps that rounding decides"] += 1
        return
    if model.opt.integrator == Integrator.DISCRETE and (why := _undecided(data)):
        finding.notes[why] += 1
        return
    tolerance = SOLVED_TOLERANCE if constrained else SMOOTH
    errors = {name: _apart(getattr(data, name), getattr(theirs, name)) for name in STATE}
    worst = max(errors.values())
    if tolerance < worst <= FARTHER * _spread(reference, start, theirs):
        finding.notes["steps in which MuJoCo, perturbed by 1e-14, ends elsewhere, too"] += 1
        return
    for name, error in errors.items():
        finding.hold(f"{place}, {name}", error, tolerance)
    if not constrained and model.opt.integrator in IMPLICIT:
        finding.hold(f"{place}, qDeriv", _apart(data.qDeriv, theirs.qDeriv), SMOOTH)


def _undecided(data: cf.Data) -> str:
    """Why rounding decides a step by `discrete`; "" if it does not.

    A tendon's stiffness counts from where its spring begins to pull; and conjugate gradients, which
    MuJoCo takes, too, lose as many digits as couplings are stiffer than inertia.
    """
    model = data.model
    springs = (model.tendon_stiffness != 0) | model.tendon_stiffnesspoly.any(axis=1)
    off = np.abs(data.ten_length[:, None] - model.tendon_lengthspring)
    if (off[springs] < 1e-12).any():
        return "steps that start where a tendon's spring begins to pull"
    inertia = data.M[model.M_rowadr + model.M_rownnz - 1]
    stiffer = np.max((inertia + data.efm_sdiag) / inertia, initial=0.0)
    return "steps whose metric is 1e10 times inertia" if stiffer > 1e10 else ""


def _spread(reference: Any, start: dict[str, np.ndarray], theirs: Any) -> float:
    """How far apart MuJoCo's own steps end that start where this one did, perturbed."""
    found = 0.0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        data = mujoco_module().MjData(reference)
        for name, value in start.items():
            getattr(data, name)[...] = value
        for name in ("qpos", "qvel"):
            values = getattr(data, name)
            size = np.maximum(1.0, np.abs(values))
            values[...] += PERTURBATION * size * rng.choice([-1.0, 1.0], values.shape)
        mujoco_module().mj_step(reference, data)
        found = max(found, *(_apart(getattr(data, n), getattr(theirs, n)) for n in STATE))
    return found


def _step_apart(
    data: cf.Data, reference: Any, theirs: Any, *, constrained: bool
) -> tuple[bool, bool]:
    """One step of each, without contacts if there are constraints; whether each of them stopped."""
    mujoco = mujoco_module()
    flag = int(Disable.CONTACT) if constrained else 0
    before = data.model.opt.disableflags
    data.model.opt.disableflags = reference.opt.disableflags = before | flag
    stopped = False
    try:
        data.step()
    except cf.StepError:
        stopped = True
    mujoco.mj_step(reference, theirs)
    data.model.opt.disableflags = reference.opt.disableflags = before
    kinds = mujoco.mjtWarning
    stops = (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC)
    return stopped, any(theirs.warning[int(kind)].number for kind in stops)


def _apart(ours: Any, theirs: Any) -> float:
    """Largest difference, relative to the largest number or 1."""
    size = max(1.0, float(np.max(np.abs(theirs), initial=0.0)))
    error = float(np.max(np.abs(ours - theirs), initial=0.0)) / size
    return error if np.isfinite(error) else float("inf")
