"""Fields of MjData that are computed when they are read."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from cortenforge.enums import ConstraintType
from cortenforge.model.internals import jacobian_is_sparse
from cortenforge.step.sleeping.sleep_constants import ASLEEP

Compute = Callable[[Any], Any]


def _from_native(name: str) -> Compute:
    """A property of this engine's data."""
    return lambda d: getattr(d._native, name)


def _from_model(name: str) -> Compute:
    """A field that is the model's in this engine."""
    return lambda d: np.array(getattr(d.model._native, name))


def _flag(d: Any, name: str) -> bool:
    """Whether fields that are computed when they are needed are up to date."""
    return bool(d._arrays[name].item())


def _constraint_jacobian(d: Any) -> np.ndarray:
    """The Jacobian of constraints, flat: all of it, or its entries if it is sparse."""
    found: np.ndarray = np.array(d._native.efc_J).reshape(-1)
    return found


def _sparse_rows(name: str) -> Compute:
    """A field of the sparse Jacobian; zeros where it is dense, as in `mujoco`."""

    def compute(d: Any) -> np.ndarray:
        count = "nJ" if name == "efc_J_colind" else "nefc"
        if not jacobian_is_sparse(d.model._native):
            return np.zeros(getattr(d, count), np.int32)
        found: np.ndarray = d._arrays[name][: d._arrays[count].item()].copy()
        return found

    return compute


def _awake(name: str) -> Compute:
    """Numbers of what is awake, in rising order, with zeros behind."""

    def compute(d: Any) -> np.ndarray:
        found = _awake_numbers(d, name)
        size = d.model.nv if name == "dof" else d.model.nbody
        padded: np.ndarray = np.pad(found, (0, size - len(found))).astype(np.int32)
        return padded

    return compute


def _awake_numbers(d: Any, name: str) -> np.ndarray:
    """Bodies or dofs that are awake; or bodies whose parent is awake."""
    if name == "dof":
        return np.flatnonzero(d.tree_awake[d.model.dof_treeid] == 1)
    awake = d.body_awake != ASLEEP
    if name == "parent":
        return 1 + np.flatnonzero(awake[d.model.body_parentid[1:]])
    return np.flatnonzero(awake)


#: lists that are grouped by islands -> the field with the island of each, -1 for none
GROUPED = {"tree": "tree_island", "dof": "dof_island", "efc": "efc_island"}


def _island_of(d: Any, what: str) -> np.ndarray:
    """The island of each tree, dof or row; -1 for all if there are none."""
    island: np.ndarray = d._arrays[GROUPED[what]]
    island = island[: d.nefc] if what == "efc" else island.copy()
    return island if d.nisland else np.full_like(island, -1)


def _order(what: str) -> Compute:
    """Numbers in the order of islands; what belongs to none comes last."""

    def compute(d: Any) -> np.ndarray:
        island = _island_of(d, what)
        last = np.where(island < 0, d.nisland, island)
        order: np.ndarray = np.argsort(last, kind="stable").astype(np.int32)
        return order

    return compute


def _place(what: str) -> Compute:
    """The place of each in the order of islands."""

    def compute(d: Any) -> np.ndarray:
        return np.argsort(_order(what)(d)).astype(np.int32)

    return compute


def _count(what: str, *kinds: int) -> Compute:
    """How many each island has; kinds: of rows."""

    def compute(d: Any) -> np.ndarray:
        island = _island_of(d, what)
        chosen = np.isin(d.efc_type, kinds) if kinds else np.ones(len(island), bool)
        found = np.bincount(island[chosen & (island >= 0)], minlength=d.nisland)
        return found.astype(np.int32)

    return compute


def _address(what: str) -> Compute:
    """The first of each island, in their order."""

    def compute(d: Any) -> np.ndarray:
        counts = _count(what)(d)
        first: np.ndarray = (np.cumsum(counts) - counts).astype(np.int32)
        return first

    return compute


def _first_dofs(d: Any) -> np.ndarray:
    """The first dof of each island."""
    found: np.ndarray = _order("dof")(d)[_address("dof")(d)]
    return found


def _rows_by_island(name: str) -> Compute:
    """Values of rows in the order of islands."""

    def compute(d: Any) -> np.ndarray:
        found: np.ndarray = getattr(d, name)[_order("efc")(d)]
        return found

    return compute


EQUALITY = (int(ConstraintType.EQUALITY),)
FRICTION = (int(ConstraintType.FRICTION_DOF), int(ConstraintType.FRICTION_TENDON))

COMPUTED: dict[str, Compute] = {
    "efc_J": _constraint_jacobian,
    "nJ": lambda d: d._native.efc_J.size,
    **{name: _sparse_rows(name) for name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind")},
    "tree_asleep": lambda d: d._arrays["tree_asleep"].astype(np.int32),
    "solver_nnz": _from_native("solver_nnz"),
    **{
        name: _from_native(name)
        for name in ("tree_awake", "body_awake", "ntree_awake", "nbody_awake", "nv_awake")
    },
    "nparent_awake": lambda d: len(_awake_numbers(d, "parent")),
    "body_awake_ind": _awake("body"),
    "parent_awake_ind": _awake("parent"),
    "dof_awake_ind": _awake("dof"),
    **{name: _from_model(name) for name in ("moment_rownnz", "moment_rowadr", "moment_colind")},
    **{
        flag: functools.partial(_flag, name=flag)
        for flag in ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost")
    },
    "signature": lambda d: d.model.signature,
    "nplugin": lambda d: d.model.nplugin,
    **{
        field: functools.partial(_island_of, what=what)
        for what, field in GROUPED.items()
        if what != "efc"
    },
    "nidof": lambda d: int((d.dof_island >= 0).sum()),
    "island_ntree": _count("tree"),
    "island_itreeadr": _address("tree"),
    "map_itree2tree": _order("tree"),
    "island_nv": _count("dof"),
    "island_idofadr": _address("dof"),
    "island_dofadr": _first_dofs,
    "map_dof2idof": _place("dof"),
    "map_idof2dof": _order("dof"),
    "island_nefc": _count("efc"),
    "island_ne": _count("efc", *EQUALITY),
    "island_nf": _count("efc", *FRICTION),
    "island_iefcadr": _address("efc"),
    "map_efc2iefc": _place("efc"),
    "map_iefc2efc": _order("efc"),
    **{
        f"iefc_{name}": _rows_by_island(f"efc_{name}")
        for name in ("type", "id", "frictionloss", "D", "R")
    },
}
