"""The line search, on contacts that are drawn at random: kernels as plain Python."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from cortenforge.step.solve.cones import prepare_cone
from cortenforge.step.solve.rows import line_search, slope_at

FLAT = 1e-9
FRICTION = 0.7


def contacts(seed: int, count: int) -> tuple[SimpleNamespace, float, float]:
    """Elliptic contacts along a search direction; slope and curvature of the smooth cost."""
    rng, rows = np.random.default_rng(seed), 3 * count
    size = np.tile([1.0, 3.0, 3.0], count)
    d = SimpleNamespace(
        iefc_x=rng.normal(size=rows) * size,
        iefc_v=rng.normal(size=rows) * size,
        iefc_D=np.repeat(10 ** rng.uniform(0, 3, count), 3),
        cone_row=3 * np.arange(count),
        cone_contact=np.arange(count),
        contact_dim=np.full(count, 3),
        contact_mu=np.full(count, FRICTION),
        contact_friction=np.full((count, 5), FRICTION),
        cone_line=np.zeros((count, 8)),
    )
    for c in range(count):
        prepare_cone(d, c)
    slope, _ = slope_at(d, 0, count, 0.0, 0.0, 0.0)
    return d, -abs(slope) * rng.uniform(0, 2), rng.uniform(0, 10)


@pytest.mark.parametrize(
    ("seed", "count"), [(1092, 2), (1400, 3), (504, 4), *((seed, 3) for seed in range(100))]
)
def test_the_slope_vanishes(seed, count):
    """Also between corners of the slope, where Newton's method by itself goes to and fro."""
    d, slope, curve = contacts(seed, count)
    if slope_at(d, 0, count, slope, curve, 0.0)[0] >= 0:
        slope -= 1.1 * slope_at(d, 0, count, slope, curve, 0.0)[0] + 1.0
    m = SimpleNamespace(opt_ls_iterations=30)
    alpha = line_search(m, d, 0, count, slope, curve, 1.0, FLAT)
    left, _ = slope_at(d, 0, count, slope, curve, alpha)
    assert alpha > 0 and abs(left) < max(FLAT, 1e-13 * abs(slope))
