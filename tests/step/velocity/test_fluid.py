"""Forces of the medium."""

from __future__ import annotations

import numpy as np
import pytest

from tests.step.stages import cases, pair, states, written_by

MODELS = ("fluid_box", "fluid_ellipsoid")


@cases(*MODELS)
def test_fields_are_mujocos(source):
    """The box of a body's inertia, and ellipsoids of geoms with their own coefficients."""
    for both in states(source):
        both.assert_equal(*written_by("step.velocity.fluid"))


def drifting(name: str):
    """A model of which every free body moves with the wind."""
    both = pair(name)
    model, data = both.model, both.data
    for joint in np.flatnonzero(model.jnt_type == 0):
        dof = model.jnt_dofadr[joint]
        data.qvel[dof : dof + 3] = model.opt.wind
    data.forward()
    return model, data


@pytest.mark.parametrize("name", MODELS)
def test_what_drifts_with_the_wind_feels_nothing(name):
    """No velocity against the medium, no force: on dofs of trees that float."""
    model, data = drifting(name)
    floating = np.flatnonzero(model.jnt_type == 0)
    assert len(floating) and model.opt.wind.any()
    roots = model.jnt_bodyid[floating]
    dofs = np.isin(model.body_rootid[model.dof_bodyid], roots)
    np.testing.assert_allclose(data.qfrc_fluid[dofs], 0, atol=1e-12)


def test_drag_takes_energy():
    """In still air with the box model, power is never positive, and negative when it moves."""
    both = pair("fluid_box")
    both.model.opt.wind[:] = 0
    rng = np.random.default_rng(4)
    for _ in range(10):
        both.write(rng)
        both.data.forward()
        assert both.data.qfrc_fluid @ both.data.qvel < 0
