"""What contacts, equalities and tendons do to bodies."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import mujoco_module
from cortenforge.step.body_forces.rne_post_constraint import interaction_forces
from tests.step.body_forces.test_contact_force import CONES, heap
from tests.step.borrowed import borrow
from tests.step.stages import one, pair

TREE = """<body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="a" pos=".1 .2 0"/>
<body name="b" pos=".3 0 0"><joint type="ball"/><geom size=".1"/><site name="b" euler="30 9 8"/>
<body name="c" pos=".3 .1 0" euler="8 30 4"><joint/><geom size=".1"/><site name="c"/></body></body>
</body><body name="d" pos="0 1 1" euler="3 50 6"><freejoint/><geom size=".1"/>
<site name="d"/></body>"""
HELD = """<mujoco><option><flag contact="disable"/></option><worldbody>
<site name="w" pos=".2 .1 .3" euler="7 8 9"/>{bodies}</worldbody>
<equality>{equality}</equality><tendon>{tendon}</tendon></mujoco>"""
SPATIAL = """<spatial name="{0}" {2}><site site="{0}"/><site site="{1}"/></spatial>"""
EQUALITIES = (
    '<connect body1="c" body2="d" anchor=".1 .2 .3"/>',
    '<connect body1="c" anchor=".1 .2 .3"/>',
    '<connect site1="c" site2="d"/>',
    '<weld body1="c" body2="d" torquescale=".3" relpose="0 1 2 .1 .2 .3 .4" anchor=".4 .5 .6"/>',
    '<weld body1="d" torquescale="2"/>',
    '<weld site1="w" site2="b" torquescale="3"/>',
    '<joint joint1="j" polycoef=".1 1 0 0 0"/><connect body1="c" body2="a" anchor="0 0 1"/>',
)
TENDONS = {
    "limited": (SPATIAL.format("a", "d", 'range="2 3" stiffness="3"'), ""),
    "taut": (SPATIAL.format("a", "d", 'range=".01 .02"'), ""),
    "both": (SPATIAL.format("a", "d", 'range=".6 3" margin="9"'), ""),
    "rough": (SPATIAL.format("b", "d", 'frictionloss=".3" damping="1"'), ""),
    "fixed": (SPATIAL.format("a", "d", ""), '<tendon tendon1="a" polycoef="1 2 .3 .4 .5"/>'),
    "coupled": (
        SPATIAL.format("a", "d", 'armature=".2"') + SPATIAL.format("b", "w", ""),
        '<tendon tendon1="a" tendon2="b" polycoef="1 2 .3 .4 .5"/>',
    ),
}


def assert_forces(text: str, seed: int = 0):
    """Accelerations and forces of bodies are MuJoCo's in random states."""
    both, rng = pair(text), np.random.default_rng(seed)
    for _ in range(3):
        both.write(rng)
        borrow(both)
        assert np.abs(both.theirs.efc_force).max() > 1e-3
        mujoco_module().mj_rnePostConstraint(both.reference, both.theirs)
        assert_same(both)
    return both


def assert_same(both):
    both.data._run_unit(interaction_forces)
    for name in ("cacc", "cfrc_ext", "cfrc_int"):
        wanted = getattr(both.theirs, name)
        size = max(1.0, np.abs(wanted).max())
        np.testing.assert_allclose(getattr(both.data, name), wanted, atol=1e-11 * size)


@CONES
def test_contacts(cone):
    """Of every dimension."""
    both = heap(cone)
    mujoco_module().mj_rnePostConstraint(both.reference, both.theirs)
    assert_same(both)


@pytest.mark.parametrize("equality", EQUALITIES)
def test_equalities(equality):
    """Connects and welds of bodies and sites, also to the world."""
    bodies = TREE.replace("<joint/>", '<joint name="j"/>')
    assert_forces(HELD.format(bodies=bodies, equality=equality, tendon=""))


@pytest.mark.parametrize("kind", TENDONS)
def test_tendons(kind):
    """Limits on either side, friction loss, and equalities of one and two."""
    tendon, equality = TENDONS[kind]
    assert_forces(HELD.format(bodies=TREE, equality=equality, tendon=tendon))


def test_a_distance_between_centres():
    """Of our own: it pulls along the line, with opposite forces, and explains the motion."""
    data = one("""<worldbody>
    <body pos="0 0 1"><freejoint/><geom name="g" size=".1" mass="2"/></body>
    <body pos=".3 .4 2"><freejoint/><geom name="h" size=".1" mass="3"/></body></worldbody>
    <equality><distance geom1="g" geom2="h" distance="1"/></equality>""")
    data.qvel[:3] = [0.1, 0.2, -0.3]
    data.forward()
    data.interaction_forces()
    pull = data.cfrc_ext[1, 3:]
    assert np.linalg.norm(pull) > 1e-3
    np.testing.assert_allclose(pull, -data.cfrc_ext[2, 3:], rtol=1e-12)
    line = data.xipos[2] - data.xipos[1]
    np.testing.assert_allclose(np.cross(pull, line), 0, atol=1e-9)
    for body, mass in ((1, 2), (2, 3)):
        motion = mass * (data.qacc[6 * body - 6 : 6 * body - 3] - data.model.opt.gravity)
        np.testing.assert_allclose(motion, data.cfrc_ext[body, 3:], atol=1e-8)
