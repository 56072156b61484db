"""Hundreds of steps stay with MuJoCo."""

from __future__ import annotations

import pytest

from conformance.cases import Case, handmade_cases
from conformance.driven import driven_model
from conformance.generate import smooth_model
from conformance.trajectory import Course, follow

SEEDS = range(2000, 2012)
INTEGRATORS = ("Euler", "RK4")

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random(seed, integrator):
    """002-C5: 200 steps from a random state, within 1e-8."""
    track = follow(Case(f"seed {seed}", smooth_model(seed, integrator), seed), Course(200))
    assert track.ok, track


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_driven(seed, integrator):
    """100 steps with actuators whose controls change all the time, within 1e-8."""
    track = follow(Case(f"seed {seed}", driven_model(seed, integrator), seed), Course(100))
    assert track.ok, track


@pytest.mark.parametrize("case", handmade_cases(), ids=lambda case: case.name)
def test_handmade(case):
    """100 steps with each model's own integrator."""
    track = follow(case, Course(100))
    assert track.ok, track
