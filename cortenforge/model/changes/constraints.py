"""Kinds of constraints that a model can have, and the constraint Jacobian of a Data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable, Jacobian
from cortenforge.model.changes.candidates import has_candidates
from cortenforge.step.constraint.kinds import (
    HAS_CONTACTS,
    HAS_EQUALITIES,
    HAS_FRICTIONLOSS,
    HAS_LIMITS,
)
from cortenforge.step.constraint.row_list import SPARSE_FROM_DOFS

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model


def update_constraint_kinds(model: Model) -> None:
    """Set the field `constraining`: kinds of constraints that are possible, as bits.

    Candidate pairs of geoms must be up to date.
    """
    off = Disable(model.opt.disableflags)
    kinds = {
        HAS_EQUALITIES: model.neq > 0 and not off & Disable.EQUALITY,
        HAS_FRICTIONLOSS: _has_friction_loss(model) and not off & Disable.FRICTIONLOSS,
        HAS_LIMITS: _has_limits(model) and not off & Disable.LIMIT,
        # switched off, contacts have no candidates
        HAS_CONTACTS: has_candidates(model),
    }
    possible = model.nv > 0 and not off & Disable.CONSTRAINT
    found = sum(kind for kind, there in kinds.items() if there) if possible else 0
    model._store.assign("constraining", found)


def _has_friction_loss(model: Model) -> bool:
    """Whether any dof or tendon has friction loss, or may have it in worlds that differ."""
    if model._differing & {"dof_frictionloss", "tendon_frictionloss"}:
        return True
    return bool(np.any(model.dof_frictionloss != 0) or np.any(model.tendon_frictionloss > 0))


def _has_limits(model: Model) -> bool:
    """Whether any joint or tendon has limits."""
    return bool(np.any(model.jnt_limited) or np.any(model.tendon_limited))


def jacobian_is_sparse(model: Model) -> bool:
    """Whether constraint matrices are stored sparse.  Mirrors mj_isSparse."""
    many = model.opt.jacobian == Jacobian.AUTO and model.nv >= SPARSE_FROM_DOFS
    return bool(many or model.opt.jacobian == Jacobian.SPARSE)


def constraint_jacobian(data: Data) -> np.ndarray:
    """The constraint Jacobian: (nefc, nv), or the sparse values, as opt.jacobian says."""
    model = data.model
    if jacobian_is_sparse(model):
        return data.efc_J_value
    dense = np.zeros((data.nefc, model.nv))
    # rows stand one after another
    rows = np.repeat(np.arange(data.nefc), data.efc_J_rownnz)
    dense[rows, data.efc_J_colind] = data.efc_J_value
    return dense
