"""Where things that hang on bodies are."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from tests.step.stages import cases, states, written_by

MODELS = ("inertia_from_geoms", "inertia_written", "frames", "orientation_forms", "meshes")


@cases(*MODELS, "simple_bodies")
def test_fields_are_mujocos(source):
    """Inertial frames, geoms and sites."""
    for both in states(source):
        both.assert_equal(*written_by("step.position.frames"))


@cases("inertia_from_geoms", "frames")
def test_matrices_are_those_of_the_quaternions(source):
    """Each pose stands there twice; both are the same orientation."""
    for both in states(source):
        data = both.data
        for kind in ("x", "xi", "geom_x", "site_x"):
            quats, mats = getattr(data, f"{kind}quat"), getattr(data, f"{kind}mat")
            if len(quats):
                expected = Rotation.from_quat(quats, scalar_first=True).as_matrix()
                np.testing.assert_allclose(mats.reshape(-1, 3, 3), expected, atol=1e-12)


@cases("inertia_from_geoms", "frames")
def test_bodies_are_rigid(source):
    """In the axes of its body a geom stays where the model has it, however the body moves."""
    for both in states(source):
        model, data = both.model, both.data
        for g, body in enumerate(model.geom_bodyid):
            offset = data.xmat[body].reshape(3, 3).T @ (data.geom_xpos[g] - data.xpos[body])
            np.testing.assert_allclose(offset, model.geom_pos[g], atol=1e-12)
