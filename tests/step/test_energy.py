"""Potential and kinetic energy."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import Enable
from tests.laws.mechanics import dense_inertia
from tests.step.stages import Pair, cases, one, states, written_by

MODELS = ("joint_hinge", "joint_ball", "joint_free", "springdamper", "tree_branching")


def with_energy(both: Pair) -> Pair:
    """The same state, with energy switched on in both engines."""
    for side in (both.model, both.reference):
        side.opt.enableflags |= int(Enable.ENERGY)
    both.forward()
    return both


@cases(*MODELS)
def test_fields_are_mujocos(source):
    """Gravity, springs and motion."""
    for both in map(with_energy, states(source)):
        both.assert_equal(*written_by("step.energy"))


@cases("joint_several", "tree_branching")
def test_kinetic_energy_is_half_of_vMv(source):
    """The quadratic form of the inertia matrix."""
    for both in map(with_energy, states(source)):
        data = both.data
        expected = 0.5 * data.qvel @ dense_inertia(both.model, data) @ data.qvel
        assert data.energy[1] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_energy_of_a_spring():
    """The work of its force, with quadratic and cubic terms; a body without weight has no other."""
    data = one(
        '<option gravity="0 0 0"><flag energy="enable"/></option><worldbody><body>'
        '<joint stiffness="3 0.5 0.2"/><geom size=".1"/></body></worldbody>'
    )
    for x in (-1.5, 0.3, 2.0):
        data.qpos[0] = x
        data.forward()
        expected = 3 * x**2 / 2 + 0.5 * x**3 / 3 + 0.2 * x**4 / 4
        np.testing.assert_allclose(data.energy, [expected, 0], atol=1e-14)


def test_energy_is_zero_when_it_is_not_asked_for():
    """As MuJoCo leaves it; it costs time."""
    data = one('<worldbody><body pos="0 0 3"><joint/><geom size=".1"/></body></worldbody>')
    data.energy[:] = 7
    data.forward()
    assert not data.energy.any()
