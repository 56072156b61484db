"""Integration and differentiation of positions on their manifold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cortenforge as cf

XML = """
<mujoco><option><flag contact="disable"/></option><worldbody>
  <body><freejoint/><geom size=".1"/>
    <body><joint type="ball"/><geom size=".1"/>
      <body><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".1"/></body></body>
  </body>
</worldbody></mujoco>
"""
MODEL = cf.Model.from_mjcf(XML)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1.0, 0.01, 2.5]))
def test_differentiate_undoes_integrate(seed, dt):
    """For rotations below half a turn."""
    rng = np.random.default_rng(seed)
    start = MODEL.make_data()
    start.qpos = rng.normal(size=MODEL.nq)
    qpos = MODEL.integrate_pos(start.qpos, np.zeros(MODEL.nv), 1.0)
    velocity = rng.uniform(-1.0, 1.0, MODEL.nv) / dt
    moved = MODEL.integrate_pos(qpos, velocity, dt)
    np.testing.assert_allclose(MODEL.differentiate_pos(qpos, moved, dt), velocity, atol=1e-9 / dt)
    for quat in (moved[3:7], moved[7:11]):
        assert abs(np.linalg.norm(quat) - 1.0) < 1e-14


def test_matches_mujoco():
    """002-S2: mj_integratePos and mj_differentiatePos on the same numbers."""
    mujoco = pytest.importorskip("mujoco")
    reference = mujoco.MjModel.from_xml_string(XML)
    rng = np.random.default_rng(3)
    for _ in range(20):
        qpos, qvel = rng.normal(size=MODEL.nq), 3 * rng.normal(size=MODEL.nv)
        expected = qpos.copy()
        mujoco.mj_integratePos(reference, expected, qvel, 0.3)
        np.testing.assert_allclose(MODEL.integrate_pos(qpos, qvel, 0.3), expected, atol=1e-14)
        back = np.zeros(MODEL.nv)
        other = qpos.copy()
        mujoco.mj_normalizeQuat(reference, other)
        mujoco.mj_differentiatePos(reference, back, 0.3, other, expected)
        np.testing.assert_allclose(MODEL.differentiate_pos(other, expected, 0.3), back, atol=1e-12)


def test_bad_arguments():
    with pytest.raises(cf.ShapeError, match="qpos"):
        MODEL.integrate_pos(np.zeros(2), np.zeros(MODEL.nv), 1.0)
    with pytest.raises(cf.ShapeError, match="dt"):
        MODEL.differentiate_pos(np.zeros(MODEL.nq), np.zeros(MODEL.nq), 0.0)
