"""Hulls with many sides against each other and on planes; `python -m conformance.hulls` takes those
of robots."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.hulls import compare_hulls, lay_on_plane

pytestmark = pytest.mark.oracle


def bevelled(corners: int, seed: int) -> np.ndarray:
    """A plate with a bevelled rim, as many robots' links have it."""
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
    ring = np.stack((0.1 * np.cos(angle), 0.07 * np.sin(angle)), axis=1)
    layers = ((1.0, 0.02), (0.9, 0.03), (1.0, -0.02), (0.9, -0.03))
    return np.concatenate([np.c_[size * ring, np.full(corners, z)] for size, z in layers])


HULLS = {f"plate{seed}": bevelled(7 + 3 * seed, seed) for seed in range(3)}


def test_hulls_touch_as_in_mujoco():
    """Other contacts than MuJoCo's are proven: the nearest way apart, on both surfaces."""
    found = compare_hulls(HULLS, 4, 12)
    assert found.poses == 4 * (3 * 12 + 3)
    assert not found.unproven, found.unproven
    assert found.same > 0.97 and found.most == 4


@pytest.mark.parametrize("name", HULLS)
def test_hulls_lie_on_all_their_sides(name):
    """Each flat side has four contacts, as in MuJoCo."""
    assert set(lay_on_plane(HULLS[name])) == {(4, 4)}
