"""Rows of constraints against MuJoCo's: the same contacts are given to both engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.cases import Case, OwnShapesError, load_both, refuse_own_shapes
from conformance.fieldwise import reason
from conformance.findings import Finding
from cortenforge.compare import mujoco_module
from cortenforge.compare.shared_contacts import (
    ROUNDING_TOLERANCE,
    copy_contacts,
    dense_jacobian,
    make_constraint_rows,
    own_jacobian,
)
from cortenforge.compare.states import random_state
from cortenforge.enums import ConstraintType, Integrator

#: numbers that have to be equal, and those that agree to a tolerance, relative to the largest
EXACT = ("efc_type", "efc_id")
CLOSE = ("efc_pos", "efc_margin", "efc_frictionloss", "efc_diagA", "efc_KBIP", "efc_D", "efc_R")
MOVING = ("efc_vel", "efc_aref")
COUNTS = ("ne", "nf", "nl")


@dataclass(frozen=True)
class Wrong:
    """A field that differs."""

    name: str
    row: int
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"{self.name}[{self.row}]: {self.ours} and {self.theirs}"


def evaluate(data: cf.Data, reference_model: Any, theirs: Any) -> None:
    """Rows of both engines in their state, from MuJoCo's contacts."""
    mujoco = mujoco_module()
    mujoco.mj_fwdPosition(reference_model, theirs)
    mujoco.mj_fwdVelocity(reference_model, theirs)
    data.forward(smooth_only=True)
    copy_contacts(data, theirs)
    make_constraint_rows(data)


def differences(
    data: cf.Data, reference_model: Any, theirs: Any, tolerance: float = 1e-9
) -> list[Wrong]:
    """What of the rows differs.

    A dense Jacobian has no rows that are all zero, contacts aside; what is a zero here may be
    rounding there, so rows of rounding are no rows.
    """
    ours, other = own_jacobian(data), dense_jacobian(reference_model, theirs)
    mine, same = _solid(ours, data.efc_type), _solid(other, theirs.efc_type)
    pairs = [("nefc", np.array([mine.sum()]), np.array([same.sum()]), 0.0)]
    if mine.sum() == same.sum():
        pairs += [
            (name, getattr(data, name)[mine], getattr(theirs, name)[same], 0.0) for name in EXACT
        ]
        pairs += [("efc_J", ours[mine], other[same], tolerance)]
        pairs += [
            (name, getattr(data, name)[mine], getattr(theirs, name)[same], tolerance)
            for name in CLOSE + MOVING
        ]
        pairs += [
            (
                f"contact.{name}",
                getattr(data.contact, name),
                getattr(theirs.contact, name),
                tolerance,
            )
            for name in ("mu", "exclude")
        ]
    if len(mine) == len(same):
        address = (data.contact.efc_address, theirs.contact.efc_address)
        pairs += [("contact.efc_address", *address, 0.0)]
        pairs += [("tendon_efcadr", data.tendon_efcadr, theirs.tendon_efcadr, 0.0)]
        pairs += [
            (name, np.array([getattr(data, name)]), np.array([getattr(theirs, name)]), 0.0)
            for name in COUNTS
        ]
    return [wrong for pair in pairs for wrong in _compare(*pair)]


def _solid(jacobian: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Which rows are of contacts, or have entries that are more than rounding."""
    solid: np.ndarray = np.abs(jacobian).max(axis=1, initial=0.0) > ROUNDING_TOLERANCE
    return solid | (kinds >= ConstraintType.CONTACT_FRICTIONLESS)


def _compare(name: str, ours: np.ndarray, theirs: Any, tolerance: float) -> list[Wrong]:
    expected = np.asarray(theirs).reshape(ours.shape)
    if not ours.size:
        return []
    scale = np.maximum(1.0, np.abs(expected))
    off = ~(np.abs(ours - expected) <= tolerance * scale)
    if not off.any():
        return []
    row = int(np.argwhere(off)[0][0])
    return [Wrong(name, row, ours[row], expected[row])]


def places(
    model: cf.Model, rng: np.random.Generator, states: int
) -> Iterator[dict[str, np.ndarray]]:
    """States of a model: as it was drawn, its first keyframes, near them, and anywhere."""
    starts = [model.qpos0, *model.key_qpos[:2]]
    for qpos in starts:
        yield {"qpos": qpos, "qvel": rng.normal(size=model.nv)}
    for n in range(states):
        if n % 2:
            state = random_state(model, rng)
            yield {"qpos": state.qpos, "qvel": state.qvel, "mocap_pos": state.mocap_pos}
        else:
            moved = rng.normal(size=model.nv) * 0.1
            qpos = model.integrate_pos(starts[n % len(starts)], moved, 1.0)
            active = rng.random(model.neq) < 0.7
            yield {"qpos": qpos, "qvel": rng.normal(size=model.nv), "eq_active": active}


def compare_rows(title: str, cases: Iterable[Case], states: int) -> Finding:
    """Rows of many models in some states, with both cones."""
    finding = Finding(title, "rows")
    for case in cases:
        try:
            _compare_model(case, finding, states)
        except Exception as error:  # a sweep reports everything that it finds
            finding.fail(f"{case.name}: {type(error).__name__}: {error}")
    return finding


def _compare_model(case: Case, finding: Finding, states: int) -> None:
    try:
        model, reference_model = load_both(case)
        refuse_own_shapes(model)
    except (cf.MjcfError, OwnShapesError) as error:
        why = reason(error) if isinstance(error, cf.MjcfError) else str(error)
        finding.left_out[why] += 1
        return
    for one in (model, reference_model):
        # MuJoCo's rows of a discrete integrator hold what it integrates besides
        one.opt.integrator = int(Integrator.EULER)
    data, theirs = model.make_data(), mujoco_module().MjData(reference_model)
    finding.models += 1
    for number, state in enumerate(places(model, np.random.default_rng(case.seed), states)):
        for name, value in state.items():
            getattr(data, name)[...] = value
            getattr(theirs, name)[...] = value
        model.opt.cone = reference_model.opt.cone = (model.opt.cone + number) % 2
        evaluate(data, reference_model, theirs)
        finding.states += 1
        finding.compared += theirs.nefc
        for kind, count in enumerate(np.bincount(theirs.efc_type, minlength=len(ConstraintType))):
            finding.notes[f"rows, {ConstraintType(kind).name.lower()}"] += int(count)
        for one in differences(data, reference_model, theirs):
            finding.fail(f"{case.name}, state {number}: {one}")
