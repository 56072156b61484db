"""What a model asks for that the engine cannot do yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..enums import Disable, Enable, Integrator

if TYPE_CHECKING:
    from .model import Model

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
    if model.nactuator > 0:
        actuators = _named(model, "actuator", np.arange(model.nactuator))
        found.append(f"actuators ({actuators})")
    if off & Disable.CONSTRAINT:
        return found
    if not off & Disable.LIMIT and model.jnt_limited.any():
        joints = _named(model, "joint", np.flatnonzero(model.jnt_limited))
        found.append(f'joint limits ({joints}); <flag limit="disable"/> runs without them')
    if not off & Disable.FRICTIONLOSS and (model.dof_frictionloss > 0).any():
        joints = _named(
            model, "joint", np.unique(model.dof_jntid[np.flatnonzero(model.dof_frictionloss > 0)])
        )
        found.append(f'joint friction loss ({joints}); <flag frictionloss="disable"/> runs without')
    if not off & Disable.CONTACT:
        pair = first_contact_pair(model)
        if pair is not None:
            bodies = _named(model, "body", np.array(pair))
            found.append(
                f'contacts (for instance between bodies {bodies}); <flag contact="disable"/>, or '
                'contype="0" conaffinity="0" on geoms, runs without them'
            )
    return found


def first_contact_pair(model: Model) -> tuple[int, int] | None:
    """Two bodies whose geoms could touch, by MuJoCo's filters; None if there are none."""
    filter_parents = not Disable(model.opt.disableflags) & Disable.FILTERPARENT
    weld = model.body_weldid
    parent_weld = weld[model.body_parentid[weld]]
    solid = np.flatnonzero((model.body_contype | model.body_conaffinity) != 0)
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
        hits = others[(touch != 0) & apart & moving & ~near]
        if len(hits):
            return int(a), int(hits[0])
    return None


def _named(model: Model, kind: str, numbers: np.ndarray) -> str:
    names = [model.name_of(kind, int(i)) or f"#{i}" for i in numbers[:3]]
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return ", ".join(names) + more
