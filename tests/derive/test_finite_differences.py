"""Derivatives by differences of whole steps, against MuJoCo's."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.batch.internals import step_every_world
from cortenforge.derive import finite_differences
from tests.derive.scenes import SMOOTH, TOUCHING, apart, at_random, settled, theirs

FD = cf.DerivativeConfig(method="fd")
INTEGRATORS = ("Euler", "implicit", "implicitfast")
#: of MuJoCo's differences with eps 1e-6: rounding of readings and forces of order 1e3, over eps
NOISE = 1e-7


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_smooth_models_agree_with_mujoco(integrator: str) -> None:
    """A, B, C and D of joints, springs, tendons and actuators of many kinds."""
    text = SMOOTH.format(option=f'integrator="{integrator}"')
    data = at_random(text)
    found = apart(data.transition_derivatives(FD), theirs(text, data))
    assert max(found.values()) < NOISE, found


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contacts_agree_with_mujoco(cone: str) -> None:
    """Boxes and balls on a floor, and a joint at its limit."""
    text = TOUCHING.format(option=f'cone="{cone}"')
    data = settled(text)
    assert data.ncon > 3
    found = apart(data.transition_derivatives(FD), theirs(text, data))
    # the solver's own rounding, over eps
    assert max(found.values()) < 1e-5, found


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "discrete", "implicitspringdamper"])
@pytest.mark.parametrize("text", [SMOOTH, TOUCHING], ids=["smooth", "touching"])
def test_positions_are_placed_once(text: str, integrator: str, monkeypatch) -> None:
    """Columns that do not move positions have the bits of whole steps."""
    data = settled(text.format(option=f'integrator="{integrator}"'))
    found = data.transition_derivatives(FD)
    asked = []

    def step_whole(batch: cf.BatchSim) -> None:
        asked.append(batch)
        step_every_world(batch)

    monkeypatch.setattr(finite_differences, "step_from_equal_positions", step_whole)
    whole = data.transition_derivatives(FD)
    assert asked
    for name in ("A", "B", "C", "D"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
