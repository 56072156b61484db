"""Contacts and constraint rows that MuJoCo found, put into a Data: what is built on them is tested
by itself, whoever made them."""

from __future__ import annotations

import numpy as np

from cortenforge.compare import mujoco_module
from cortenforge.model.methods.contacts import CONTACT_COLUMNS
from tests.step.stages import Pair

#: rows, as arrays over all of them
ROWS = (
    *("efc_type", "efc_id", "efc_J_rownnz", "efc_J_rowadr", "efc_pos", "efc_margin"),
    *("efc_frictionloss", "efc_D", "efc_R", "efc_vel", "efc_aref", "efc_force", "efc_state"),
)


def borrow(both: Pair) -> None:
    """Evaluate both engines, and take over what MuJoCo says of contacts and constraints."""
    both.reference.opt.jacobian = mujoco_module().mjtJacobian.mjJAC_SPARSE
    both.data.forward(smooth_only=True)
    mujoco_module().mj_forward(both.reference, both.theirs)
    take(both)


def take(both: Pair) -> None:
    """Contacts, rows and what the solver found."""
    data, theirs = both.data, both.theirs
    rooms = {"nconmax": theirs.ncon, "nefcmax": theirs.nefc, "nJmax": len(theirs.efc_J)}
    for name, wanted in rooms.items():
        if wanted > data._store.capacities[name]:
            data._grow(list(data._engine.capacities).index(name), wanted)
    for name in ("ncon", "ne", "nf", "nl", "nefc"):
        data._store.assign(name, getattr(theirs, name))
    data._store.assign("nJ", len(theirs.efc_J))
    arrays = data._store.arrays
    for name in CONTACT_COLUMNS:
        value = getattr(theirs.contact, name)
        column = arrays[f"contact_{name}"]
        column[: theirs.ncon] = np.reshape(value, (theirs.ncon, *column.shape[1:]))
    data.contact_mu[: theirs.ncon] = theirs.contact.mu
    for name in ROWS:
        arrays[name][: theirs.nefc] = getattr(theirs, name)
    data.efc_J_value[: data.nJ] = theirs.efc_J
    arrays["efc_J_colind"][: data.nJ] = theirs.efc_J_colind[: data.nJ]
    data.efc_KBIP[: theirs.nefc] = theirs.efc_KBIP
    data.qacc[:] = theirs.qacc
    data.qfrc_constraint[:] = theirs.qfrc_constraint
