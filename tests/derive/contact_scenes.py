"""Ten models in contact, each at a state in which rows of constraints keep theirs for a while."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from cortenforge import models
from tests.derive.scenes import TOUCHING

BOX = '<body pos="0 0 .198"><freejoint/><geom type="box" size=".1 .15 .2"/></body>'


def on_floor(bodies: str, option: str = "") -> str:
    """A model of bodies on a floor."""
    return (
        f'<mujoco><option timestep="0.004" {option}/><worldbody>'
        f'<geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'
    )


SCENES = {
    "ball": on_floor('<body pos="0 0 .099"><freejoint/><geom size=".1"/></body>'),
    "box": on_floor(BOX),
    "box, elliptic cone": on_floor(BOX, 'cone="elliptic" impratio="3"'),
    "box, implicitfast": on_floor(BOX, 'integrator="implicitfast"'),
    "rolling capsule": on_floor(
        '<body pos="0 0 .049" euler="90 0 0"><freejoint/>'
        '<geom type="capsule" size=".05 .2" condim="6" friction="1 .01 .01"/></body>'
    ),
    "stack": on_floor(
        '<body pos="0 0 .099"><freejoint/><geom type="box" size=".2 .2 .1"/></body>'
        '<body pos=".02 .01 .298"><freejoint/><geom type="box" size=".15 .1 .1"/></body>'
    ),
    "chain of balls": on_floor(
        '<body pos="0 0 .048"><joint type="ball" damping=".01"/><geom type="capsule" size=".05" '
        'fromto="0 0 0 .3 0 0"/><body pos=".4 0 0"><joint type="ball" damping=".01"/>'
        '<geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>'
    ),
    "hinge at its limit": TOUCHING.format(option=""),
    "ant": models.find("ant").read_text(),
    "quadruped": models.find("quadruped").read_text(),
}


def scene(name: str) -> tuple[cf.Model, np.ndarray, np.ndarray]:
    """A model, and a state and controls at which it is in contact and moves."""
    model = cf.Model.from_mjcf(SCENES[name])
    model.opt.tolerance = 0.0
    rng = np.random.default_rng(3)
    data = model.make_data()
    data.ctrl[:] = 0.2 * rng.normal(size=model.nu)
    data.step(150)
    data.qvel[:] += 0.02 * rng.normal(size=model.nv)
    data.step(2)
    assert data.ncon > 0
    return model, np.concatenate([data.qpos, data.qvel, data.act]), data.ctrl.copy()


def loss_weights(model: cf.Model) -> np.ndarray:
    """Weights w of a loss w'x of states."""
    size = model.nq + model.nv + model.na
    return np.random.default_rng(0).normal(size=size)


def differences(
    model: cf.Model, x: np.ndarray, u: np.ndarray, nstep: int, eps: float = 1e-6
) -> np.ndarray:
    """Central differences of the loss after some steps, by each number of the state and of ctrl.

    Steps are plain ones of a batch with a world for each difference.
    """
    at = np.concatenate([x, u])
    rows = np.concatenate([at + eps * np.eye(len(at)), at - eps * np.eye(len(at))])
    batch = cf.BatchSim(model, len(rows))
    nq, nx = model.nq, len(x)
    batch.qpos, batch.qvel = rows[:, :nq], rows[:, nq : nq + model.nv]
    batch.act, batch.ctrl = rows[:, nq + model.nv : nx], rows[:, nx:]
    assert not any(batch.step_all(nstep))
    ahead, back = np.split(
        np.hstack([batch.qpos, batch.qvel, batch.act]) @ loss_weights(model), [len(at)]
    )
    return (ahead - back) / (2 * eps)


def assert_equal_gradients(found: np.ndarray, wanted: np.ndarray) -> None:
    """Finite, not zero, and equal to 1e-5 of the largest number.

    Rows of contacts are differentiated by differences over eps 1e-6, of an impedance that grows
    within a millimetre: 1e-6 a step, seen up to 5e-6 after twenty (docs/derivatives.md).
    """
    assert np.isfinite(found).all() and np.abs(wanted).max() > 1
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
