"""Hinges: shells that are bent at rest stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import cortenforge as cf


@pytest.mark.parametrize(
    "mesh",
    [trimesh.creation.icosphere(2, 0.1), trimesh.creation.uv_sphere(0.1, count=[8, 12])],
    ids=["icosphere", "uv sphere"],
)
def test_curved_shells_rest_as_they_are(mesh):
    """Triangles of unequal size meet at their angle at rest without a force."""
    shell = cf.Cloth.from_mesh(mesh, material="leather", damping=0)
    empty = cf.Model.from_mjcf('<mujoco><option gravity="0 0 0" softsleep="0"/></mujoco>')
    data = empty.with_deformables([shell]).make_data()
    data.step(100)
    moved = data.softvert_pos - data.model.softvert_pos0[:-1]
    assert np.abs(moved).max() < 1e-11
