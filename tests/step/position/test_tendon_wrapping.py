"""Arcs of tendons around spheres and cylinders, by geometry; test_tendons has MuJoCo's."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.kernel import vec3
from cortenforge.math.vector import norm
from cortenforge.step.constants import WRAP_CYLINDER
from cortenforge.step.position.tendon_wrapping import wrap_geom

START = vec3(-1.0, -2.0, 0.0)
ABOVE, BELOW = vec3(0.0, 3.0, 0.0), vec3(0.0, -3.0, 0.0)


def test_an_arc_of_half_a_circle():
    """Ends that touch a unit circle on opposite sides are joined by half of it."""
    end = vec3(1.0, -2.0, 0.0)
    length, first, _ = wrap_geom(START, end, ABOVE, 1, 1.0, WRAP_CYLINDER)
    assert length == pytest.approx(np.pi)
    assert (first.x, first.y, first.z) == pytest.approx((-1, 0, 0))
    # on the other side, and where any will do, the path is clear
    assert wrap_geom(START, end, BELOW, 1, 1.0, WRAP_CYLINDER)[0] < 0
    assert wrap_geom(START, end, BELOW, 0, 1.0, WRAP_CYLINDER)[0] < 0


def test_a_helix_rises_evenly():
    """Around a cylinder, a path rises in proportion to the way it has gone."""
    end = vec3(1.0, -2.0, 3.0)
    length, first, last = wrap_geom(START, end, ABOVE, 1, 1.0, WRAP_CYLINDER)
    assert first.z == pytest.approx(3 * 2 / (4 + np.pi))
    assert last.z == pytest.approx(3 * (2 + np.pi) / (4 + np.pi))
    straight = norm(first - START) + norm(end - last)
    assert straight + length == pytest.approx(np.hypot(4 + np.pi, 3))
