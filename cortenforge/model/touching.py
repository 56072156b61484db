"""Which bodies could ever touch, by MuJoCo's filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable

if TYPE_CHECKING:
    from cortenforge.model.model import Model


def first_contact_pair(model: Model) -> tuple[int, int] | None:
    """Two bodies whose geoms could touch; None if there are none.

    A pair that the model lists passes all filters; one that it excludes passes none. Bodies have
    bits of their own, made of their geoms' when the model was compiled, and both must agree.
    """
    if len(model.pair_signature):
        geoms = model.pair_geom1[0], model.pair_geom2[0]
        return int(model.geom_bodyid[geoms[0]]), int(model.geom_bodyid[geoms[1]])
    solid = _distinct_geoms(model)
    for n, geom in enumerate(solid):
        others = solid[n + 1 :]
        hits = others[_may_touch(model, int(geom), others)]
        if len(hits):
            a, b = int(model.geom_bodyid[geom]), int(model.geom_bodyid[hits[0]])
            return min(a, b), max(a, b)
    return None


def _may_touch(model: Model, geom: int, others: np.ndarray) -> np.ndarray:
    """Whether a geom could touch each of some others."""
    bodyid, weld = model.geom_bodyid, model.body_weldid
    a, b = bodyid[geom], bodyid[others]
    touch = _agree(model.geom_contype, model.geom_conaffinity, geom, others)
    touch &= _agree(model.body_contype, model.body_conaffinity, a, b)
    apart = weld[b] != weld[a]
    moving = (model.body_dofnum[weld[a]] > 0) | (model.body_dofnum[weld[b]] > 0)
    near = np.zeros(len(others), bool)
    if not Disable(model.opt.disableflags) & Disable.FILTERPARENT:
        # a child of the world is not its relative: floors are made of world geoms
        parent_weld = weld[model.body_parentid[weld]]
        near = (weld[a] != 0) & (weld[b] != 0)
        near &= (weld[a] == parent_weld[b]) | (weld[b] == parent_weld[a])
    # signatures are 32-bit numbers, also those of many bodies
    first, second = np.minimum(a, b).astype(np.int64), np.maximum(a, b).astype(np.int64)
    signature = ((first << 16) + second).astype(np.int32)
    found: np.ndarray = (
        touch & apart & moving & ~near & ~np.isin(signature, model.exclude_signature)
    )
    return found


def _agree(
    contype: np.ndarray, conaffinity: np.ndarray, one: int, others: np.ndarray
) -> np.ndarray:
    """Whether one of two bit masks meets the other's partner."""
    bits = (contype[one] & conaffinity[others]) | (contype[others] & conaffinity[one])
    found: np.ndarray = bits != 0
    return found


def _distinct_geoms(model: Model) -> np.ndarray:
    """Geoms that can touch something, one of those that filters cannot tell apart."""
    bodyid = model.geom_bodyid
    excluded = np.concatenate((model.exclude_signature >> 16, model.exclude_signature)) & 0xFFFF
    special = np.where(np.isin(bodyid, excluded), bodyid, -1)
    traits = np.stack(
        (
            model.geom_contype,
            model.geom_conaffinity,
            model.body_contype[bodyid],
            model.body_conaffinity[bodyid],
            model.body_weldid[bodyid],
            special,
        ),
        axis=1,
    )
    solid = np.flatnonzero((traits[:, :2] != 0).any(axis=1))
    if not len(solid):
        return solid
    _, first = np.unique(traits[solid], axis=0, return_index=True)
    chosen: np.ndarray = np.sort(solid[first])
    return chosen
