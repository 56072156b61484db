"""Rows of constraints against MuJoCo's: the same contacts are given to both engines.

`python -m conformance.rows` sweeps generated models and the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.model.contacts import COLUMNS
from cortenforge.step.constraint.reference import reference
from cortenforge.step.constraint.stage import make_rows
from cortenforge.step.statuses import FULL, OK

#: numbers that have to be equal, and those that agree to a tolerance, relative to the largest
EXACT = ("efc_type", "efc_id")
CLOSE = ("efc_pos", "efc_margin", "efc_frictionloss", "efc_diagA", "efc_KBIP", "efc_D", "efc_R")
MOVING = ("efc_vel", "efc_aref")
COUNTS = ("ne", "nf", "nl", "nefc")
#: why a contact has no rows that a sparse Jacobian leaves out
MOVES_NOTHING = 3


@dataclass(frozen=True)
class Wrong:
    """A field that differs."""

    name: str
    row: int
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"{self.name}[{self.row}]: {self.ours} and {self.theirs}"


def take_contacts(data: cf.Data, theirs: Any) -> None:
    """Give a Data MuJoCo's contacts."""
    while data._store.capacities["nconmax"] < theirs.ncon:
        data._grow(0, theirs.ncon)
    data.ncon = theirs.ncon
    for name in COLUMNS:
        column = getattr(data, f"contact_{name}")[: theirs.ncon]
        column[...] = getattr(theirs.contact, name).reshape(column.shape)
    excluded = data.contact_exclude[: theirs.ncon]
    excluded[excluded == MOVES_NOTHING] = 0
    data.contact_efc_address[: theirs.ncon] = -1
    data.contact_mu[: theirs.ncon] = 0


def run_rows(data: cf.Data) -> None:
    """Make rows of what a Data holds, with as much room as they need."""
    data.status = OK
    data._run_unit(make_rows)
    while data.status == FULL:
        data._grow(data.status_index, int(data.status_value))
        data.status = OK
        data._run_unit(make_rows)
    data._run_unit(reference)


def evaluate(data: cf.Data, reference_model: Any, theirs: Any) -> None:
    """Rows of both engines in their state, from MuJoCo's contacts."""
    mujoco = mujoco_module()
    mujoco.mj_fwdPosition(reference_model, theirs)
    mujoco.mj_fwdVelocity(reference_model, theirs)
    data.forward(smooth_only=True)
    take_contacts(data, theirs)
    run_rows(data)


def dense(data: cf.Data) -> np.ndarray:
    """The Jacobian of our rows."""
    jacobian = np.zeros((data.nefc, data.model.nv))
    arrays = data._store.arrays
    for row in range(data.nefc):
        start = arrays["efc_J_rowadr"][row]
        entries = slice(start, start + arrays["efc_J_rownnz"][row])
        jacobian[row, arrays["efc_J_colind"][entries]] = arrays["efc_J_value"][entries]
    return jacobian


def dense_reference(reference_model: Any, theirs: Any) -> np.ndarray:
    """The Jacobian of MuJoCo's rows."""
    mujoco = mujoco_module()
    jacobian = np.zeros((theirs.nefc, reference_model.nv))
    if not mujoco.mj_isSparse(reference_model):
        return np.array(theirs.efc_J).reshape(jacobian.shape)
    if theirs.nefc:
        mujoco.mju_sparse2dense(
            jacobian, theirs.efc_J, theirs.efc_J_rownnz, theirs.efc_J_rowadr, theirs.efc_J_colind
        )
    return jacobian


def differences(
    data: cf.Data, reference_model: Any, theirs: Any, tolerance: float = 1e-9
) -> list[Wrong]:
    """What of the rows differs."""
    wrong = [
        Wrong(name, 0, getattr(data, name), getattr(theirs, name))
        for name in COUNTS
        if getattr(data, name) != getattr(theirs, name)
    ]
    if wrong:
        return wrong
    n = data.nefc
    for name in EXACT:
        wrong += _compare(name, getattr(data, name)[:n], getattr(theirs, name), 0.0)
    wrong += _compare("efc_J", dense(data), dense_reference(reference_model, theirs), tolerance)
    for name in CLOSE + MOVING:
        wrong += _compare(name, getattr(data, name)[:n], getattr(theirs, name), tolerance)
    for name in ("mu", "efc_address", "exclude"):
        ours = data._store.arrays[f"contact_{name}"][: data.ncon]
        wrong += _compare(f"contact.{name}", ours, getattr(theirs.contact, name), tolerance)
    wrong += _compare("tendon_efcadr", data.tendon_efcadr, theirs.tendon_efcadr, 0.0)
    return wrong


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
