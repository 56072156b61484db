"""Jacobians, products with M, motions of objects, joint forces of pushes."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.model.methods.mechanics import MOVING_OBJECTS
from tests.step.stages import Pair, pair

#: all kinds of joints, also several on one body; bodies without joints; a mocap body
TREES = """<mujoco><option><flag contact="disable"/></option><worldbody>
<geom name="g0" size=".1"/><site name="s0"/><camera name="c0"/>
<body name="a" pos="1 0 0"><freejoint/><geom size=".1 .2 .3" type="box"/>
<site name="s1" pos=".1 0 0"/>
<body name="b" pos="1 0 0"><joint type="ball"/><geom name="g1" size=".1"/>
<camera name="c1" pos="0 1 0"/>
<body name="c" pos="0 1 0"><joint axis="1 2 0"/><joint type="slide" axis="0 1 1"/>
<geom size=".1" pos=".2 0 0"/></body><body name="fixed" pos="1 1 1"><geom size=".1"/></body></body>
<body name="d" pos="0 0 1" euler="10 20 30"><joint pos=".1 .2 .3"/><geom size=".2"/>
<site name="s2" pos=".1 .2 .3" euler="40 50 60"/></body></body>
<body name="e"><joint type="slide"/><joint/><geom size=".1"/><body name="light"/></body>
<body name="m" mocap="true"><geom name="g2" size=".1"/><site name="s3"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def both() -> Pair:
    made = pair(TREES)
    made.write(np.random.default_rng(4))
    made.forward()
    return made


def theirs(both: Pair, name: str, *arguments, rows: int = 2) -> list[np.ndarray]:
    """What a function of MuJoCo that fills Jacobians gives."""
    filled = [np.zeros((3, both.model.nv)) for _ in range(rows)]
    getattr(mujoco_module(), name)(both.reference, both.theirs, *filled, *arguments)
    return filled


def close(ours, wanted) -> None:
    for one, other in zip(ours, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * max(1, np.abs(other).max()))


def test_jacobians_are_mujocos(both):
    """Of points, bodies, centres, geoms, sites and subtrees."""
    data, model, rng = both.data, both.model, np.random.default_rng(0)
    for b in range(model.nbody):
        point = rng.normal(size=3)
        close(data.jac(point, b), theirs(both, "mj_jac", point, b))
        close(data.jac_dot(point, b), theirs(both, "mj_jacDot", point, b))
        close(data.jac_body(b), theirs(both, "mj_jacBody", b))
        close(data.jac_body_com(b), theirs(both, "mj_jacBodyCom", b))
        ours = data.jac_subtree_com(b)
        if model.body_subtreemass[b] > 0:
            close([ours], theirs(both, "mj_jacSubtreeCom", b, rows=1))
        else:
            # without mass there is no centre; MuJoCo says nan
            np.testing.assert_array_equal(ours, 0)
    for g in range(model.ngeom):
        close(data.jac_geom(g), theirs(both, "mj_jacGeom", g))
    for s in range(model.nsite):
        close(data.jac_site(s), theirs(both, "mj_jacSite", s))
    close(data.jac_site("s2"), data.jac(data.site("s2").xpos, "d"))


def test_jacobians_move_points(both):
    """A Jacobian times qvel is a velocity; its rate is what finite differences say."""
    data = both.data.copy()
    body, point = data.model.names["body"].index("c"), data.body("c").xpos + 0.1
    jac, rate = data.jac(point, "c"), data.jac_dot(point, "c")
    local = data.xmat[body].reshape(3, 3).T @ (point - data.xpos[body])
    velocity = data.object_velocity("xbody", "c")
    np.testing.assert_allclose(jac.jacr @ data.qvel, velocity[:3], atol=1e-12)
    np.testing.assert_allclose(data.jac_body("c").jacp @ data.qvel, velocity[3:], atol=1e-12)
    data.subtree_momentum()
    np.testing.assert_allclose(
        data.jac_subtree_com("a") @ data.qvel, data.subtree_linvel[1], atol=1e-12
    )
    later = data.copy()
    step = 1e-6
    later.qpos[:] = data.model.integrate_pos(data.qpos, data.qvel, step)
    later.forward()
    point = later.xpos[body] + later.xmat[body].reshape(3, 3) @ local
    for now, then, change in zip(jac, later.jac(point, "c"), rate, strict=True):
        # of first order in the step
        np.testing.assert_allclose((then - now) / step, change, atol=1e-4)


def test_products_with_inertia(both):
    """M v, M^-1 v and M itself; of vectors and of rows of them."""
    data, nv = both.data, both.model.nv
    many = np.random.default_rng(2).normal(size=(3, nv))
    full, product, solved = np.zeros((nv, nv)), np.zeros(nv), np.zeros((3, nv))
    mujoco_module().mj_fullM(both.reference, both.theirs, full)
    mujoco_module().mj_mulM(both.reference, both.theirs, product, many[0])
    mujoco_module().mj_solveM(both.reference, both.theirs, solved, many)
    close([data.full_M(), data.mul_M(many[0])], [full, product])
    np.testing.assert_allclose(data.solve_M(many), solved, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(data.mul_M(data.solve_M(many)), many, atol=1e-10)
    np.testing.assert_allclose(data.full_M() @ many[1], data.mul_M(many)[1], atol=1e-12)


def test_motions_of_objects_are_mujocos(both):
    """In world axes and in their own."""
    for kind, (number, names) in MOVING_OBJECTS.items():
        for i in range(len(both.model.names[names])):
            for local in (False, True):
                wanted = np.zeros((2, 6))
                module, arguments = mujoco_module(), (both.reference, both.theirs, number, i)
                module.mj_rnePostConstraint(both.reference, both.theirs)
                module.mj_objectVelocity(*arguments, wanted[0], local)
                module.mj_objectAcceleration(*arguments, wanted[1], local)
                ours = (
                    both.data.object_velocity(kind, i, local=local),
                    both.data.object_acceleration(kind, i, local=local),
                )
                close(ours, wanted)


def test_pushes_are_mujocos(both):
    """And the same as the Jacobian says."""
    force, torque, point = np.random.default_rng(3).normal(size=(3, 3))
    for b in range(both.model.nbody):
        wanted = np.zeros(both.model.nv)
        arguments = (force, torque, point, b)
        mujoco_module().mj_applyFT(both.reference, both.theirs, *arguments, wanted)
        ours = both.data.apply_ft(*arguments)
        jac = both.data.jac(point, b)
        close([ours, jac.jacp.T @ force + jac.jacr.T @ torque], [wanted, wanted])


def test_answers_are_their_own():
    """What is given back does not change with the next question; nothing to move is fine."""
    data = cf.Model.from_mjcf(
        "<mujoco><worldbody><body name='b'/></worldbody></mujoco>"
    ).make_data()
    data.forward()
    assert data.jac_body("b").jacp.shape == (3, 0) and data.full_M().shape == (0, 0)
    assert data.mul_M([]).shape == (0,) and data.contact_forces().shape == (0, 6)
    other = pair(TREES).data
    other.forward()
    first = other.jac_body("c").jacp
    kept = first.copy()
    other.jac_body("a")
    np.testing.assert_array_equal(first, kept)


BAD = {
    "point": lambda d: d.jac([1, 2], "a"),
    "text": lambda d: d.jac("abc", "a"),
    "body": lambda d: d.jac([1, 2, 3], "nobody"),
    "number": lambda d: d.jac_body(99),
    "vector": lambda d: d.mul_M(np.zeros(3)),
    "matrix": lambda d: d.solve_M(np.zeros((2, 2, 2))),
    "kind": lambda d: d.object_velocity("joint", 0),
    "object": lambda d: d.object_velocity("site", -1),
    "contact": lambda d: d.contact_force(0),
    "no number": lambda d: d.contact_force("first"),
    "force": lambda d: d.apply_ft(None, [0, 0, 0], [0, 0, 0], "a"),
}


@pytest.mark.parametrize("question", BAD)
def test_bad_questions(both, question):
    """Typed errors, whatever is asked."""
    with pytest.raises((cf.ArgumentError, cf.ShapeError, KeyError, IndexError)):
        BAD[question](both.data)
