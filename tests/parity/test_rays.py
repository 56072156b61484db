"""Rays in public models: robots of meshes, terrain, piles of primitives."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import public_folder
from conformance.rays import Rays, their_hits

PUBLIC = public_folder()
MODELS = (
    "menagerie/agility_cassie/scene.xml",
    "menagerie/shadow_hand/scene_right.xml",
    "menagerie/kuka_iiwa_14/scene.xml",
    "mujoco/humanoid/100_humanoids.xml",
    "mujoco/car/car.xml",
)
COUNT = 100


@pytest.mark.skipif(PUBLIC is None, reason="the folder of public models is not there")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", MODELS)
def test_public_model(path):
    """Distances are MuJoCo's; where surfaces lie on one another, either geom is met."""
    if not (PUBLIC / path).exists():
        pytest.skip(f"{path} is not there")
    theirs = mujoco.MjModel.from_xml_path(str(PUBLIC / path))
    their_data = mujoco.MjData(theirs)
    mujoco.mj_kinematics(theirs, their_data)
    data = cf.Model.from_mjcf(PUBLIC / path).make_data()
    data.forward(smooth_only=True)
    rng = np.random.default_rng(0)
    aim = their_data.geom_xpos[rng.integers(theirs.ngeom, size=COUNT)]
    start = aim + 0.5 * theirs.stat.extent * rng.normal(size=(COUNT, 3))
    way = aim + 0.1 * theirs.stat.extent * rng.normal(size=(COUNT, 3)) - start
    dist, geom, normal = their_hits(theirs, their_data, Rays(start, way))
    ours = data.multi_ray(start, way, normal=True)
    assert np.sum(dist >= 0) > COUNT / 10
    np.testing.assert_allclose(ours.dist, dist, rtol=1e-9, atol=1e-9)
    same = ours.geomid == geom
    assert same.mean() > 0.95
    np.testing.assert_allclose(ours.normal[same], normal[same], atol=1e-6)
