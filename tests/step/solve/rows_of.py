"""Rows as MuJoCo makes them, put into a Data: what solvers are given."""

from __future__ import annotations

from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.fields import place_of
from cortenforge.step.solve.stage import constrain
from cortenforge.step.statuses import FULL, OK

ROWS = ("type", "id", "pos", "margin", "frictionloss", "diagA", "D", "R", "vel", "aref")


def give_rows(data: cf.Data, reference: Any, theirs: Any) -> None:
    """Give a Data the contacts, rows and smooth dynamics of MuJoCo's."""
    nefc, ncon = theirs.nefc, theirs.ncon
    J = dense_rows(reference, theirs)
    rows = [np.flatnonzero(row) for row in joint_patterns(theirs, J)]
    for name, wanted in (("nefcmax", nefc), ("nJmax", sum(map(len, rows))), ("nconmax", ncon)):
        if data._store.capacities[name] < wanted:
            data._grow(place_of(name), wanted)
    data.ne, data.nf, data.nl, data.nefc = theirs.ne, theirs.nf, theirs.nl, nefc
    data.ncon = ncon
    arrays = data._store.arrays
    for name in ROWS:
        arrays[f"efc_{name}"][:nefc] = getattr(theirs, f"efc_{name}")
    at = 0
    for r, columns in enumerate(rows):
        arrays["efc_J_rowadr"][r], arrays["efc_J_rownnz"][r] = at, len(columns)
        arrays["efc_J_colind"][at : at + len(columns)] = columns
        arrays["efc_J_value"][at : at + len(columns)] = J[r, columns]
        at += len(columns)
    for name in ("dim", "efc_address", "mu", "friction"):
        arrays[f"contact_{name}"][:ncon] = getattr(theirs.contact, name)
    for name in ("M", "qLD", "qLDiagInv", "qacc_smooth", "qfrc_smooth", "qacc_warmstart"):
        arrays[name][...] = getattr(theirs, name)


def dense_rows(reference: Any, theirs: Any) -> np.ndarray:
    """J as a matrix."""
    mj = mujoco_module()
    J = np.zeros((theirs.nefc, reference.nv))
    if mj.mj_isSparse(reference):
        mj.mju_sparse2dense(
            J, theirs.efc_J, theirs.efc_J_rownnz, theirs.efc_J_rowadr, theirs.efc_J_colind
        )
        return J
    return np.array(theirs.efc_J).reshape(J.shape)


def joint_patterns(theirs: Any, J: np.ndarray) -> np.ndarray:
    """Where rows may hold something: rows of one contact have the same columns."""
    filled = J != 0
    contacts = [(k, i) for k, i in zip(theirs.efc_type, theirs.efc_id, strict=True)]
    for r, (kind, number) in enumerate(contacts):
        if kind >= 5:
            same = [k for k, other in enumerate(contacts) if other[0] >= 5 and other[1] == number]
            filled[r] = np.any(J[same] != 0, axis=0)
    return filled


def solve(data: cf.Data) -> None:
    """Run the solver on what was given."""
    function = data._function(constrain)
    data.status = OK
    function(data.model._store.address, data._store.address)
    while data.status == FULL:
        data._grow(data.status_index, int(data.status_value))
        data.status = OK
        function(data.model._store.address, data._store.address)
