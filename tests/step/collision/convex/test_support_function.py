"""Where searches in hulls begin and end."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from cortenforge.kernel import vec3
from cortenforge.model.changes.hulls import support_cell_directions
from cortenforge.step.collision.convex.support_function import DIRECTION_CELLS, direction_cell

BALL = """<mujoco><asset><mesh name="ball" builtin="sphere" params="3" scale="1 .6 .3"/></asset>
<worldbody><geom type="mesh" mesh="ball"/></worldbody></mujoco>"""


def test_cells_are_counted_as_their_directions():
    """The middle of each cell is in it, and so is what is near the middle, of any length."""
    rng = np.random.default_rng(0)
    directions = support_cell_directions()
    assert len(directions) == 6 * DIRECTION_CELLS**2
    moved = directions + rng.uniform(-0.49, 0.49, directions.shape) / DIRECTION_CELLS * (
        abs(directions) < 1.0
    )
    for number, (middle, near) in enumerate(zip(directions, moved, strict=True)):
        assert direction_cell(vec3(*middle)) == number
        assert direction_cell(vec3(*(near * rng.uniform(1e-6, 1e6)))) == number


def test_no_direction_has_a_cell():
    """What is zero or no number begins somewhere in the table."""
    for bad in ((0.0, 0.0, 0.0), (np.nan, 1.0, 0.0), (1.0, np.nan, np.nan), (np.inf, 0.0, 1.0)):
        assert 0 <= direction_cell(vec3(*bad)) < 6 * DIRECTION_CELLS**2


def test_searches_begin_near_the_farthest_vertex():
    """Each cell has the vertex that is farthest in the direction of its middle."""
    model = cf.Model.from_mjcf(BALL)
    far = support_cell_directions() @ model.hull_vert.T
    chosen = np.take_along_axis(far, model.hull_toward[0][:, None], axis=1)[:, 0]
    np.testing.assert_array_equal(chosen, far.max(axis=1))
