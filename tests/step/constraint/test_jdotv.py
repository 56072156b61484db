"""`equality/distance`, which MuJoCo does not have: derivatives by differences, and circles."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.rows import make_constraint_rows

TEXT = """<mujoco><option><flag contact="disable"/></option><worldbody>
  <geom name="post" size=".1" pos="0 0 1"/>
  <body name="a" pos=".4 0 .1"><freejoint/><geom name="a" size=".1" pos=".1 .05 0"/>
    <body pos=".3 0 0"><joint axis="0 1 1"/><geom name="b" type="box" size=".1 .2 .1"
      pos=".2 .1 0"/></body>
  </body>
  <body pos="0 1 0"><joint axis="1 0 0"/><geom name="c" size=".1" pos="0 .1 .3"/></body>
</worldbody><equality>{}</equality></mujoco>"""
#: two trees, one tree, something fixed, the origin
HELD = {
    "trees": '<distance geom1="b" geom2="c" distance=".3"/>',
    "one tree": '<distance geom1="a" geom2="b" distance=".3"/>',
    "ground": '<distance geom1="b" geom2="post" distance=".3"/>',
    "origin": '<distance geom1="b" distance=".3"/>',
}


def rows(data: cf.Data) -> cf.Data:
    """Rows of a Data where it is."""
    data.forward(smooth_only=True)
    make_constraint_rows(data)
    return data


def moved(name: str) -> cf.Data:
    """A model in some state."""
    data = cf.Model.from_mjcf(TEXT.format(HELD[name])).make_data()
    rng = np.random.default_rng(4)
    data.qpos[:] = data.model.integrate_pos(data.qpos, rng.normal(size=data.model.nv), 0.3)
    data.qvel[:] = rng.normal(size=data.model.nv)
    return rows(data)


def along(data: cf.Data, time: float) -> cf.Data:
    """Another Data that coasted for a time: in joints, nothing accelerates."""
    twin = data.copy()
    twin.qpos[:] = data.model.integrate_pos(data.qpos, data.qvel, time)
    return rows(twin)


@pytest.mark.parametrize("name", HELD)
def test_a_distance_has_one_row(name):
    """000-Q2: the violation is the distance less the one that is asked for."""
    data = moved(name)
    equality = data.model.eq_obj1id[0], data.model.eq_obj2id[0]
    one = data.geom_xpos[equality[0]]
    other = data.geom_xpos[equality[1]] if equality[1] >= 0 else np.zeros(3)
    assert (data.nefc, data.ne) == (1, 1)
    assert data.efc_pos[0] == pytest.approx(np.linalg.norm(one - other) - 0.3, abs=1e-12)


@pytest.mark.parametrize("name", HELD)
def test_its_jacobian_is_the_derivative(name):
    """000-Q2: by central differences along every dof."""
    data, step = moved(name), 1e-6
    for i in range(data.model.nv):
        ends = []
        for sign in (1, -1):
            twin = data.copy()
            twin.qpos[:] = data.model.integrate_pos(
                data.qpos, np.eye(data.model.nv)[i], sign * step
            )
            ends.append(rows(twin).efc_pos[0])
        assert data.efc_J[0, i] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-8)


@pytest.mark.parametrize("name", HELD)
def test_it_asks_for_what_coasting_would_change(name):
    """000-Q2: the reference takes out the second derivative of the distance while joints coast."""
    data, step = moved(name), 1e-4
    before, after = along(data, -step).efc_pos[0], along(data, step).efc_pos[0]
    curving = (before - 2 * data.efc_pos[0] + after) / step**2
    stiffness, damping, impedance, _ = data.efc_KBIP[0]
    plain = -damping * data.efc_vel[0] - stiffness * impedance * data.efc_pos[0]
    assert data.efc_aref[0] == pytest.approx(plain - curving, abs=1e-5)


def test_a_circle_needs_its_centripetal_acceleration():
    """000-Q2: a ball on a rod of length r with speed v: aref is -v^2 / r where all is in place."""
    text = """<mujoco><option><flag contact="disable"/></option><worldbody>
      <body pos=".5 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
      <geom name="ball" size=".1"/></body></worldbody>
      <equality><distance geom1="ball"/></equality></mujoco>"""
    data = cf.Model.from_mjcf(text).make_data()
    data.qvel[1] = 3.0
    rows(data)
    assert data.efc_pos[0] == 0
    assert data.efc_vel[0] == 0
    assert data.efc_aref[0] == pytest.approx(-9 / 0.5)
    np.testing.assert_allclose(data.efc_J, [[1, 0]])


def test_centres_that_meet_have_a_direction_all_the_same():
    """Hostile: no line between them, and still finite numbers."""
    text = TEXT.format('<distance geom1="c" geom2="post" distance=".3"/>')
    text = text.replace('pos="0 .1 .3"', 'pos="0 -1 1"').replace('axis="1 0 0"', 'axis="0 0 1"')
    data = rows(cf.Model.from_mjcf(text).make_data())
    assert data.efc_pos.tolist() == [-0.3]
    for name in ("efc_J", "efc_aref", "efc_D"):
        assert np.all(np.isfinite(getattr(data, name)))


def test_an_inactive_distance_holds_nothing():
    """`eq_active` switches it off."""
    data = moved("trees")
    data.eq_active[0] = 0
    assert rows(data).nefc == 0
