"""Rows of constraints against MuJoCo's: the same contacts are given to both engines.

`python -m conformance.rows [GENERATED [PUBLIC]]` takes so many random models of everything, and of
the public models; all of them if it is not told.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import cortenforge as cf
from conformance.cases import Case, load_both, public_cases, random_cases
from cortenforge.compare import mujoco_module
from cortenforge.compare.states import random_state
from cortenforge.compare.touching import ROUNDING, dense_jacobian, run_rows, take_contacts
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
    take_contacts(data, theirs)
    run_rows(data)


def dense(data: cf.Data) -> np.ndarray:
    """The Jacobian of our rows, whatever format the model asks for."""
    jacobian = np.zeros((data.nefc, data.model.nv))
    rows = np.repeat(np.arange(data.nefc), data.efc_J_rownnz)
    jacobian[rows, data.efc_J_colind] = data.efc_J_value
    return jacobian


def differences(
    data: cf.Data, reference_model: Any, theirs: Any, tolerance: float = 1e-9
) -> list[Wrong]:
    """What of the rows differs.

    A dense Jacobian has no rows that are all zero, contacts aside; what is a zero here may be
    rounding there, so rows of rounding are no rows.
    """
    ours, other = dense(data), dense_jacobian(reference_model, theirs)
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
    solid: np.ndarray = np.abs(jacobian).max(axis=1, initial=0.0) > ROUNDING
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


@dataclass
class Tally:
    """What a sweep found: how many models, states and rows, by kind of row, and what differs."""

    models: int = 0
    states: int = 0
    rows: np.ndarray = field(default_factory=lambda: np.zeros(len(ConstraintType), int))
    left_out: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def leave_out(self, reason: str) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


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


def compare_case(case: Case, tally: Tally, states: int) -> None:
    """Rows of one model in some states, with both cones."""
    try:
        model, reference_model = load_both(case)
    except cf.CortenForgeError:
        tally.leave_out("not loaded here")
        return
    if model.opt.integrator == Integrator.DISCRETE:
        tally.leave_out("integrator discrete")
        return
    data, theirs = model.make_data(), mujoco_module().MjData(reference_model)
    rng = np.random.default_rng(case.seed)
    tally.models += 1
    for number, state in enumerate(places(model, rng, states)):
        for name, value in state.items():
            getattr(data, name)[...] = value
            getattr(theirs, name)[...] = value
        model.opt.cone = reference_model.opt.cone = (model.opt.cone + number) % 2
        evaluate(data, reference_model, theirs)
        tally.states += 1
        tally.rows += np.bincount(theirs.efc_type, minlength=len(ConstraintType))
        found = differences(data, reference_model, theirs)
        tally.wrong += [f"{case.name}, state {number}: {one}" for one in found]


def main(generated: int = 500, public: int | None = None, states: int = 4) -> int:
    """Random and public models; 1 if anything differs."""
    console = Console()
    found = {"generated": Tally(), "public": Tally()}
    for case in random_cases(0, generated):
        compare_case(case, found["generated"], states)
    for case in public_cases()[:public]:
        compare_case(case, found["public"], states)
    table = Table("", *found)
    table.add_row("models", *(str(tally.models) for tally in found.values()))
    table.add_row("states", *(str(tally.states) for tally in found.values()))
    for kind in ConstraintType:
        counts = (str(tally.rows[kind]) for tally in found.values())
        table.add_row(f"rows, {kind.name.lower()}", *counts)
    table.add_row("wrong", *(str(len(tally.wrong)) for tally in found.values()))
    for name, tally in found.items():
        for reason, count in tally.left_out.items():
            console.print(f"{count} {name} models left out: {reason}")
    wrong = [what for tally in found.values() for what in tally.wrong]
    console.print(table, *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
