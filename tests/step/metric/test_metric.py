"""The metric of the integrator `discrete`: M + hD + h^2 K."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.cases import driven_cases, pulled_cases
from cortenforge.compare import compare_data, step_fields
from tests.laws.mechanics import dense_inertia
from tests.step.integrate.scenes import MODELS, choose, drawn, scene
from tests.step.stages import field, states


@MODELS
def test_metric_is_mujocos(source):
    """Term by term."""
    for both in states(source):
        choose(both)
        both.forward()
        theirs = both.theirs
        shift = theirs.efm_c + (theirs.efm_ca if len(theirs.efm_ca) else 0.0)
        np.testing.assert_allclose(both.data.efm_c, shift, rtol=1e-12, atol=1e-12)
        for name in ("efm_ck", "efm_diag", "efm_sdiag"):
            wanted = getattr(theirs, name)
            if len(wanted):
                np.testing.assert_allclose(getattr(both.data, name), wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("draw", [driven_cases, pulled_cases])
def test_actuators_of_all_kinds(draw):
    """Random models with actuators on joints, sites and tendons, and limits of their forces."""
    for name, both in drawn(draw, "discrete"):
        choose(both)
        both.step()
        fields = [*step_fields(), field("qacc")]
        wrong = [diff for diff in compare_data(both.data, both.theirs, fields) if not diff.ok]
        assert not wrong, f"{name}: " + "\n".join(map(str, wrong))


def test_acceleration_is_the_change_of_velocity():
    """qacc = (v+ - v) / h, and (M + hD + h^2 K) qacc = f - hK v + J'f, densely."""
    data = scene().data
    data.qpos[-1] = 0.1  # beyond where the tendon's spring rests
    before = data.qvel.copy()
    data.forward()
    matrix, h = dense_inertia(data.model, data), data.model.opt.timestep
    dofs = {name: data.model.joint(name).dofadr[0] for name in "jkl"}
    stiffness, damping = np.zeros(len(before)), np.zeros(len(before))
    stiffness[dofs["j"]], damping[dofs["j"]] = 300, 0.4
    stiffness[dofs["k"]] = 1e5
    damping[dofs["l"]] = 0.1 + 1
    stiffness[dofs["l"]] = 2000
    K, D = np.diag(stiffness), np.diag(damping)
    along = np.zeros(len(before))
    along[dofs["k"]], along[dofs["l"]] = 1, -1
    K += (2000 + 50) * np.outer(along, along)
    D += 3 * np.outer(along, along)
    metric = matrix + h * D + h * h * K
    force = data.qfrc_smooth + data.qfrc_constraint - h * K @ before
    held = np.ones(len(before), bool)
    held[12:18] = False  # the body that flies is solved by itself
    off = (metric @ data.qacc - force)[held]
    np.testing.assert_allclose(off, 0, atol=1e-8 * np.abs(force).max())
    acceleration = data.qacc.copy()
    data.step()
    np.testing.assert_allclose(data.qvel, before + h * acceleration, rtol=1e-13)
