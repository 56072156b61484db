"""Pulling at bodies: forces and places are those of MuJoCo's perturbation."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.viewer.perturbation import Perturbation

from .scenes import DESK, same_rotation, world_of

pytestmark = pytest.mark.oracle


def both(text: str, seed: int = 3) -> tuple:
    """The same moving world in both engines."""
    mujoco = mujoco_module()
    theirs = mujoco.MjModel.from_xml_string(text)
    world = mujoco.MjData(theirs)
    rng = np.random.default_rng(seed)
    mujoco.mj_integratePos(theirs, world.qpos, rng.normal(size=theirs.nv), 0.2)
    world.qvel[:] = rng.normal(size=theirs.nv)
    mujoco.mj_forward(theirs, world)
    model, data = world_of(text)
    data.qpos[:], data.qvel[:] = world.qpos, world.qvel
    data.forward()
    return mujoco, theirs, world, model, data


def perturb(mujoco, theirs, world, body: int, point: np.ndarray):
    """MuJoCo's perturbation of a body at a point, as its viewer begins it."""
    made = mujoco.MjvPerturb()
    made.select = body
    mat = world.xmat[body].reshape(3, 3)
    made.localpos[:] = mat.T @ (point - world.xpos[body])
    scene = mujoco.MjvScene(theirs, 100)
    mujoco.mjv_updateScene(theirs, world, mujoco.MjvOption(), None, mujoco.MjvCamera(), 7, scene)
    mujoco.mjv_initPerturb(theirs, world, scene, made)
    return made


@pytest.mark.parametrize("body", [1, 2])
def test_pulling_is_mujocos(body: int) -> None:
    """Stiffness, damping and the mass of the point that is held, as in mjv_applyPerturbForce."""
    mujoco, theirs, world, model, data = both(DESK)
    point = data.xpos[body] + [0.05, -0.02, 0.03]
    pert = perturb(mujoco, theirs, world, body, point)
    perturbation = Perturbation(model)
    perturbation.grab(data, body, point)
    assert perturbation.localmass == pytest.approx(pert.localmass, rel=1e-10)
    target = np.add(point, [0.3, 0.2, 0.5])
    perturbation.move_target(target)
    pert.refselpos[:] = target
    pert.active = mujoco.mjtPertBit.mjPERT_TRANSLATE
    mujoco.mjv_applyPerturbForce(theirs, world, pert)
    perturbation.apply_force(data)
    np.testing.assert_allclose(data.xfrc_applied, world.xfrc_applied, rtol=1e-10, atol=1e-11)
    assert np.abs(data.xfrc_applied[body]).min() > 0
    perturbation.release(data)
    assert not data.xfrc_applied.any()


@pytest.mark.parametrize("body", [1, 2])
def test_turning_is_mujocos(body: int) -> None:
    mujoco, theirs, world, model, data = both(DESK)
    point = np.array(data.xipos[body])
    pert = perturb(mujoco, theirs, world, body, point)
    perturbation = Perturbation(model)
    perturbation.grab(data, body, point, turning=True)
    perturbation.rotate_target([1.0, 2.0, -1.0], 2.5)
    pert.refquat[:] = perturbation.refquat
    pert.active = mujoco.mjtPertBit.mjPERT_ROTATE
    mujoco.mjv_applyPerturbForce(theirs, world, pert)
    perturbation.apply_force(data)
    np.testing.assert_allclose(data.xfrc_applied, world.xfrc_applied, rtol=1e-10, atol=1e-11)


#: the selected body hangs on one that floats
FLOATING = """
<mujoco><worldbody>
  <body name="root" pos="0 0 1"><freejoint/><geom size=".1" pos=".03 0 0"/>
    <body name="child" pos=".2 .1 0" euler="10 20 30"><joint axis="1 0 0"/>
      <geom type="box" size=".1 .05 .02" pos="0 .05 0" euler="30 0 20"/></body>
  </body>
  <body name="mocap" mocap="true"><geom size=".1" pos=".1 0 0"/></body>
</worldbody></mujoco>
"""


@pytest.mark.parametrize("body", [1, 2, 3])
def test_placing_is_mujocos(body: int) -> None:
    """In a pause, what floats goes where the mouse is, with the body that was grabbed."""
    mujoco, theirs, world, model, data = both(FLOATING)
    point = data.xpos[body] + [0.02, 0.0, 0.01]
    pert = perturb(mujoco, theirs, world, body, point)
    perturbation = Perturbation(model)
    perturbation.grab(data, body, point)
    perturbation.move_target(np.add(point, [0.5, -0.3, 0.2]))
    perturbation.rotate_target([0.0, 1.0, 1.0], 0.7)
    pert.refpos[:], pert.refquat[:] = perturbation.refpos, perturbation.refquat
    pert.active = mujoco.mjtPertBit.mjPERT_TRANSLATE
    mujoco.mjv_applyPerturbPose(theirs, world, pert, 1)
    assert perturbation.apply_pose(data, paused=True)
    for name in ("qpos", "mocap_pos", "mocap_quat"):
        np.testing.assert_allclose(getattr(data, name), getattr(world, name), atol=1e-12)
    # the point that is held is where the mouse is; the body has turned about its middle
    data.forward()
    np.testing.assert_allclose(data.xipos[body], perturbation.refpos, atol=1e-10)


def test_what_is_played_is_not_placed() -> None:
    """While time goes on only mocap bodies are put somewhere; others are pulled."""
    model, data = world_of(DESK)
    for body, placed in ((1, False), (2, False), (3, True)):
        perturbation = Perturbation(model)
        perturbation.grab(data, body, data.xpos[body])
        assert perturbation.apply_pose(data, paused=False) is placed
    assert not Perturbation(model).apply_pose(data, paused=True)


def test_a_pull_lifts_a_box() -> None:
    """The spring holds the box near the mouse, and lets go of it."""
    model, data = world_of(DESK)
    perturbation = Perturbation(model)
    perturbation.grab(data, 1, data.xpos[1])
    goal = data.xpos[1] + [0.0, 0.0, 0.6]
    perturbation.move_target(goal)
    for _ in range(800):
        perturbation.apply_force(data)
        data.step()
    # gravity pulls the spring by m g / k
    sag = 9.81 / float(model.vis.map.stiffness)
    assert data.xpos[1][2] == pytest.approx(goal[2] - sag, abs=2e-3)
    perturbation.release(data)
    data.step(400)
    assert data.xpos[1][2] < 0.2


def test_a_world_without_dofs() -> None:
    model, data = world_of(
        "<mujoco><worldbody><body mocap='true'><geom size='.1'/></body></worldbody></mujoco>"
    )
    perturbation = Perturbation(model)
    perturbation.grab(data, 1, [0.1, 0.0, 0.0])
    perturbation.move_target([0.3, 0.0, 0.0])
    assert perturbation.apply_pose(data, paused=False)
    np.testing.assert_allclose(data.mocap_pos[0], [0.2, 0.0, 0.0], atol=1e-12)
    assert same_rotation(data.mocap_quat[0], np.array([1.0, 0.0, 0.0, 0.0]))
    assert isinstance(data, cf.Data)
