"""Kinds of constraints that a model can have, and the constraint Jacobian of a Data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable, Jacobian
from cortenforge.model.touching import has_candidates
from cortenforge.step.constraint.kinds import CONTACTS, EQUALITIES, FRICTIONS, LIMITS
from cortenforge.step.constraint.rows import MANY_DOFS

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model


def look_at_constraints(model: Model) -> None:
    """Set the field `constraining`: kinds of constraints that are possible, as bits.

    Candidate pairs of geoms must be up to date.
    """
    off = Disable(model.opt.disableflags)
    kinds = {
        EQUALITIES: model.neq > 0 and not off & Disable.EQUALITY,
        FRICTIONS: _rough(model) and not off & Disable.FRICTIONLOSS,
        LIMITS: _limited(model) and not off & Disable.LIMIT,
        # switched off, contacts have no candidates
        CONTACTS: has_candidates(model),
    }
    possible = model.nv > 0 and not off & Disable.CONSTRAINT
    found = sum(kind for kind, there in kinds.items() if there) if possible else 0
    model._store.assign("constraining", found)


def _rough(model: Model) -> bool:
    """Whether any dof or tendon has friction loss, or may have it in worlds that differ."""
    if model._differing & {"dof_frictionloss", "tendon_frictionloss"}:
        return True
    return bool(np.any(model.dof_frictionloss != 0) or np.any(model.tendon_frictionloss > 0))


def _limited(model: Model) -> bool:
    """Whether any joint or tendon has limits."""
    return bool(np.any(model.jnt_limited) or np.any(model.tendon_limited))


def is_sparse(model: Model) -> bool:
    """Whether constraint matrices are stored sparse.  Mirrors mj_isSparse."""
    many = model.opt.jacobian == Jacobian.AUTO and model.nv >= MANY_DOFS
    return bool(many or model.opt.jacobian == Jacobian.SPARSE)


def constraint_jacobian(data: Data) -> np.ndarray:
    """The constraint Jacobian: (nefc, nv), or the sparse values, as opt.jacobian says."""
    model = data.model
    if is_sparse(model):
        return data.efc_J_value
    dense = np.zeros((data.nefc, model.nv))
    # rows stand one after another
    rows = np.repeat(np.arange(data.nefc), data.efc_J_rownnz)
    dense[rows, data.efc_J_colind] = data.efc_J_value
    return dense
