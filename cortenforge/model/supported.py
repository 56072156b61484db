"""What a model asks for that the engine cannot do yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable, Enable, GeomType, Integrator

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: enable flags whose physics is there
DONE_FLAGS = Enable.ENERGY
DONE_INTEGRATORS = (Integrator.EULER, Integrator.RK4)


def missing_features(model: Model) -> list[str]:
    """One sentence for each feature that `step` and `forward` would need and do not have."""
    off = Disable(model.opt.disableflags)
    on = Enable(model.opt.enableflags)
    found = []
    if Integrator(model.opt.integrator) not in DONE_INTEGRATORS:
        name = Integrator(model.opt.integrator).name.lower()
        found.append(f'integrator "{name}" (Euler and RK4 are there)')
    for flag in on & ~DONE_FLAGS:
        found.append(f'option flag {flag.name.lower()}="enable"')  # type: ignore[union-attr]
    if model.nsensor and not off & Disable.SENSOR:
        sensors = _named(model, "sensor", np.arange(model.nsensor))
        found.append(f'sensors ({sensors}); <flag sensor="disable"/> runs without them')
    if model.ntendon:
        found.append(f"tendons ({_named(model, 'tendon', np.arange(model.ntendon))})")
    if model.nactuator > 0:
        actuators = _named(model, "actuator", np.arange(model.nactuator))
        found.append(f"actuators ({actuators})")
    if (model.jnt_plasticadr >= 0).any():
        joints = _named(model, "joint", np.flatnonzero(model.jnt_plasticadr >= 0))
        found.append(f"springs that yield ({joints})")
    if off & Disable.CONSTRAINT:
        return found
    if not off & Disable.EQUALITY and model.neq:
        held = _named(model, "equality", np.arange(model.neq))
        found.append(f'equality constraints ({held}); <flag equality="disable"/> runs without them')
    if not off & Disable.LIMIT and model.jnt_limited.any():
        joints = _named(model, "joint", np.flatnonzero(model.jnt_limited))
        found.append(f'joint limits ({joints}); <flag limit="disable"/> runs without them')
    if not off & Disable.FRICTIONLOSS and (model.dof_frictionloss > 0).any():
        joints = _named(
            model, "joint", np.unique(model.dof_jntid[np.flatnonzero(model.dof_frictionloss > 0)])
        )
        found.append(f'joint friction loss ({joints}); <flag frictionloss="disable"/> runs without')
    if not off & Disable.CONTACT:
        found += _distance_fields(model)
        pair = first_contact_pair(model)
        if pair is not None:
            bodies = _named(model, "body", np.array(pair))
            found.append(
                f'contacts (for instance between bodies {bodies}); <flag contact="disable"/>, or '
                'contype="0" conaffinity="0" on geoms, runs without them'
            )
    return found


def _distance_fields(model: Model) -> list[str]:
    """Geoms that would collide as signed distance fields."""
    solid = (model.geom_contype | model.geom_conaffinity) != 0
    fields = np.flatnonzero((model.geom_type == GeomType.SDF) & solid)
    if not len(fields):
        return []
    return [f"contacts of signed distance fields ({_named(model, 'geom', fields)})"]


def first_contact_pair(model: Model) -> tuple[int, int] | None:
    """Two bodies whose geoms could touch, by MuJoCo's filters; None if there are none.

    A pair that the model lists passes all filters; one that it excludes passes none.
    """
    if len(model.pair_signature):
        geoms = model.pair_geom1[0], model.pair_geom2[0]
        return int(model.geom_bodyid[geoms[0]]), int(model.geom_bodyid[geoms[1]])
    filter_parents = not Disable(model.opt.disableflags) & Disable.FILTERPARENT
    weld = model.body_weldid
    parent_weld = weld[model.body_parentid[weld]]
    solid = _distinct_bodies(model)
    for n, a in enumerate(solid):
        others = solid[n + 1 :]
        touch = (model.body_contype[a] & model.body_conaffinity[others]) | (
            model.body_contype[others] & model.body_conaffinity[a]
        )
        apart = weld[others] != weld[a]
        moving = (model.body_dofnum[weld[a]] > 0) | (model.body_dofnum[weld[others]] > 0)
        near = np.zeros(len(others), bool)
        if filter_parents:
            # a child of the world is not its relative: floors are made of world geoms
            near = (weld[a] != 0) & (weld[others] != 0)
            near &= (weld[a] == parent_weld[others]) | (weld[others] == parent_weld[a])
        # signatures are 32-bit numbers, also those of many bodies
        signature = ((int(a) << 16) + others.astype(np.int64)).astype(np.int32)
        left_out = np.isin(signature, model.exclude_signature)
        hits = others[(touch != 0) & apart & moving & ~near & ~left_out]
        if len(hits):
            return int(a), int(hits[0])
    return None


def _distinct_bodies(model: Model) -> np.ndarray:
    """Bodies that can touch something, one of those that filters cannot tell apart."""
    bits = np.stack((model.body_contype, model.body_conaffinity, model.body_weldid), axis=1)
    excluded = np.concatenate((model.exclude_signature >> 16, model.exclude_signature)) & 0xFFFF
    special = np.isin(np.arange(len(bits)), excluded)
    _, first = np.unique(bits[~special], axis=0, return_index=True)
    chosen: np.ndarray = np.union1d(np.flatnonzero(~special)[first], np.flatnonzero(special))
    solid: np.ndarray = chosen[(bits[chosen, :2] != 0).any(axis=1)]
    return solid


def _named(model: Model, kind: str, numbers: np.ndarray) -> str:
    names = [model.name_of(kind, int(i)) or f"#{i}" for i in numbers[:3]]
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return ", ".join(names) + more
