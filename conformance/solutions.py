"""Solvers of constraints against MuJoCo's, and forward dynamics against inverse dynamics.

Both engines solve the same rows, made from MuJoCo's contacts. Newton's method, converged as far as
numbers go, has to give the same accelerations and forces, with either cone. At default options,
Newton has to be within its stopping tolerance of that, CG and PGS within ten times the distance at
which MuJoCo's own CG and PGS are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    is_rounding_dominated,
    own_jacobian,
    reference_gave_up,
    step_both_from_contacts,
)
from cortenforge.compare.states import random_state
from cortenforge.enums import Cone, ConstraintType, Disable, Enable, Integrator, Solver

__all__ = ["recover_forces", "solve_all"]

FOUND = ("qacc", "qfrc_constraint", "efc_force")
#: options as MJCF has them unless told
USUAL = {"tolerance": 1e-8, "iterations": 100, "ls_iterations": 50}
#: CG and PGS may be so many times as far from the solution as MuJoCo's
FARTHER = 10.0
#: forces are so far within their bounds, as a part of the largest
INSIDE = 1e-9
#: what a step moves on, which is put back
STATE = ("qpos", "qvel", "act", "qacc_warmstart")


class Both:
    """One model in both engines, solved again and again in the same state."""

    def __init__(self, case: Case) -> None:
        self.name = case.name
        self.model, self.reference = load_both(case)
        refuse_own_shapes(self.model)
        for one in (self.model, self.reference):
            # how far each solver comes, not what readings cost
            one.opt.disableflags |= int(Disable.SENSOR)
            one.opt.enableflags &= ~int(Enable.SLEEP | Enable.INVDISCRETE | Enable.IPC)
            one.opt.noslip_iterations = 0
            one.opt.integrator = int(Integrator.EULER)
        self.data = self.model.make_data()
        self.theirs = mujoco_module().MjData(self.reference)

    def places(self, rng: np.random.Generator, states: int) -> Iterator[int]:
        """Put both into one state after the other."""
        for number, state in enumerate(places(self.model, rng, states)):
            for name, value in state.items():
                getattr(self.data, name)[...] = value
                getattr(self.theirs, name)[...] = value
            self.start = [getattr(self.data, name).copy() for name in STATE]
            yield number

    def solve(self) -> bool:
        """Accelerations and forces of both; whether both have them."""
        for name, value in zip(STATE, self.start, strict=True):
            for data in (self.data, self.theirs):
                getattr(data, name)[...] = 0 if name == "qacc_warmstart" else value
        stopped = step_both_from_contacts(self.data, self.reference, self.theirs)
        if any(stopped):
            self.data.reset()
            mujoco_module().mj_resetData(self.reference, self.theirs)
        return not any(stopped)

    def cost(self, qacc: np.ndarray) -> float:
        """What an acceleration costs, worked out by MuJoCo, as a part of all inertia."""
        mujoco, cost = mujoco_module(), np.zeros(1)
        reference, theirs = self.reference, self.theirs
        jar = np.zeros(theirs.nefc)
        mujoco.mj_mulJacVec(reference, theirs, jar, qacc)
        mujoco.mj_constraintUpdate(reference, theirs, jar - theirs.efc_aref, cost, 0)
        moved = np.zeros(reference.nv)
        mujoco.mj_mulM(reference, theirs, moved, qacc - theirs.qacc_smooth)
        inertia = theirs.M[reference.M_rowadr + reference.M_rownnz - 1].sum()
        return float((cost[0] + 0.5 * moved @ (qacc - theirs.qacc_smooth)) / inertia)


def solve_all(title: str, cases: Iterable[Case], states: int) -> Finding:
    """All solvers with both cones on many models."""
    finding = Finding(title, "solutions")
    for case in cases:
        try:
            both = _made(case, finding)
            if both is None:
                continue
            finding.models += 1
            with muted_warnings():
                for number in both.places(np.random.default_rng(case.seed), states):
                    finding.states += 1
                    for cone in Cone:
                        _solve(both, f"{case.name}, state {number}, {cone.name}", cone, finding)
        except Exception as error:  # a sweep reports everything that it finds
            finding.fail(f"{case.name}: {type(error).__name__}: {error}")
    return finding


def _made(case: Case, finding: Finding) -> Both | None:
    """A model that has constraints and runs; None if not."""
    try:
        both = Both(case)
    except (cf.MjcfError, OwnShapesError) as error:
        why = reason(error) if isinstance(error, cf.MjcfError) else str(error)
        finding.left_out[why] += 1
        return None
    if lacking := both.model.supported():
        finding.left_out[lacking[0].split(" (")[0].split(";")[0]] += 1
        return None
    if not both.model.constraining:
        finding.left_out["no constraints"] += 1
        return None
    return both


def _solve(both: Both, place: str, cone: Cone, finding: Finding) -> None:
    """One state: hard, then each solver as it is by default."""
    with converged(both.model, both.reference, cone=int(cone)):
        if not both.solve():
            finding.notes["states that explode in a step"] += 1
            return
        if not both.theirs.nefc:
            finding.notes["solves without rows"] += 1
            return
        if either_rounding_dominated(both.data, both.reference, both.theirs):
            finding.notes["solves that rounding decides"] += 1
            return
        if reference_gave_up(both.data, both.reference, both.theirs):
            ours, theirs = (
                both.cost(np.array(both.data.qacc)),
                both.cost(np.array(both.theirs.qacc)),
            )
            finding.notes["solves in which MuJoCo does not converge"] += 1
            finding.hold(f"{place}, cost beyond that of MuJoCo", max(0.0, ours - theirs), 0.0)
            return
        best = np.array(both.theirs.qacc)
        for name in FOUND:
            error = _apart(getattr(both.data, name), getattr(both.theirs, name))
            finding.hold(f"{place}, Newton, {name}", error, SOLVED_TOLERANCE)
    for solver in Solver:
        with converged(both.model, both.reference, cone=int(cone), solver=int(solver), **USUAL):
            both.solve()
            _hold_usual(both, place, solver, best, finding)


def _hold_usual(both: Both, place: str, solver: Solver, best: np.ndarray, finding: Finding) -> None:
    """How far a solver stays away from the solution at default options."""
    ours, theirs = np.array(both.data.qacc), np.array(both.theirs.qacc)
    finding.compared += 1
    text = f"{place}, {solver.name}"
    if not outside(both.data) <= INSIDE:
        finding.fail(f"{text}: forces outside of their bounds by {outside(both.data):.2g}")
    if solver == Solver.NEWTON:
        if not within(both, ours, theirs, best):
            least, cost = both.cost(best), both.cost(ours)
            finding.fail(f"{text}: costs {cost - least:.2g} more than the least")
        return
    mine, other = _apart(ours, best), _apart(theirs, best)
    finding.notes[f"{solver.name} nearer than MuJoCo's"] += mine <= max(other, SOLVED_TOLERANCE)
    finding.notes[f"{solver.name} solves"] += 1
    if mine <= FARTHER * max(other, SOLVED_TOLERANCE):
        return
    if within(both, ours, theirs, best):
        finding.notes[f"{solver.name} farther, within the stopping tolerance"] += 1
    elif not both.data.solver_converged:
        # it has not come to its tolerance, and says so
        finding.notes[f"{solver.name} farther, cut off by the limit of iterations"] += 1
    else:
        finding.fail(f"{text}: {mine:.2g} from the solution, MuJoCo {other:.2g}")


def outside(data: cf.Data) -> float:
    """How far forces are outside of what rows and cones allow, as a part of the largest force.

    Limits and contacts push, friction loss has a bound, and friction of an elliptic contact, each
    part of it over its coefficient, is no longer than the normal force.
    """
    force, kind = data.efc_force[: data.nefc], data.efc_type[: data.nefc]
    loss = (kind == ConstraintType.FRICTION_DOF) | (kind == ConstraintType.FRICTION_TENDON)
    pushes = (kind >= ConstraintType.LIMIT_JOINT) & (kind != ConstraintType.CONTACT_ELLIPTIC)
    beyond = [-force[pushes], np.abs(force[loss]) - data.efc_frictionloss[: data.nefc][loss]]
    contacts = data.contact
    first = np.asarray(contacts.efc_address)
    round_ = (first >= 0) & (np.append(kind, 0)[first] == ConstraintType.CONTACT_ELLIPTIC)
    for dim in (3, 4, 6):
        chosen = np.flatnonzero(round_ & (np.asarray(contacts.dim) == dim))
        rows = force[first[chosen][:, None] + np.arange(dim)]
        sides = rows[:, 1:] / np.asarray(contacts.friction)[chosen, : dim - 1]
        beyond += [np.linalg.norm(sides, axis=1) - rows[:, 0], -rows[:, 0]]
    largest = max(float(np.max(part, initial=0.0)) for part in beyond)
    return largest / max(1.0, float(np.max(np.abs(force), initial=0.0)))


def within(both: Both, ours: np.ndarray, theirs: np.ndarray, best: np.ndarray) -> bool:
    """Whether an acceleration costs as little as solvers are asked to stop at."""
    least = both.cost(best)
    usual = both.cost(theirs) - least
    # what the last iteration gained is not all there was to gain; and large costs have rounding
    allowed = max(FARTHER * USUAL["tolerance"], FARTHER * usual, 1e-12 * abs(least))
    return both.cost(ours) - least <= allowed


def _apart(ours: Any, theirs: Any) -> float:
    """Largest difference, relative to the largest number or 1."""
    if ours.shape != theirs.shape:
        return float("inf")
    size = max(1.0, float(np.max(np.abs(theirs), initial=0.0)))
    error = float(np.max(np.abs(ours - theirs), initial=0.0)) / size
    return error if np.isfinite(error) else float("inf")


# ---------------------------------------------------------------------- inverse


def recover_forces(title: str, cases: Iterable[Case], states: int) -> Finding:
    """Forward dynamics with contacts of our own, then inverse: applied forces come back."""
    finding = Finding(title, "states")
    for case in cases:
        try:
            both = _made(case, finding)
            if both is None:
                continue
            finding.models += 1
            rng = np.random.default_rng(case.seed)
            for number in both.places(rng, states):
                finding.states += 1
                for cone in Cone:
                    with converged(both.model, both.reference, cone=int(cone)):
                        _recover(both, f"{case.name}, state {number}, {cone.name}", rng, finding)
        except Exception as error:
            finding.fail(f"{case.name}: {type(error).__name__}: {error}")
    return finding


def _recover(both: Both, place: str, rng: np.random.Generator, finding: Finding) -> None:
    data = both.data
    state = random_state(both.model, rng)
    for name in ("qfrc_applied", "xfrc_applied", "ctrl"):
        getattr(data, name)[...] = getattr(state, name)
    try:
        data.forward()
    except cf.StepError as error:
        finding.notes[type(error).__name__] += 1
        return
    applied = data.qfrc_applied + data.qfrc_actuator
    for b in range(1, data.model.nbody):
        push = data.xfrc_applied[b]
        if push.any():
            applied += data.apply_ft(push[:3], push[3:], data.xipos[b], b)
    if is_rounding_dominated(data, own_jacobian(data)):
        finding.notes["states that rounding decides"] += 1
        return
    sizes = [np.max(np.abs(x), initial=1.0) for x in (data.qfrc_constraint, data.qfrc_smooth)]
    data.inverse()
    error = float(np.max(np.abs(data.qfrc_inverse - applied), initial=0.0) / max(sizes))
    finding.hold(place, error, SOLVED_TOLERANCE)
