"""The sparse factor and solve: right, and the same bits however dofs are grouped into runs."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.math.ldl import ldl_factor, ldl_solve
from cortenforge.math.vector import MINVAL
from cortenforge.models import find

BRANCHES = """<mujoco><worldbody>
  <body><joint type="slide"/><geom size="0.1"/></body>
  <body><freejoint/><geom size="0.1"/></body>
  <body><freejoint/><geom size="0.1"/>
    <body pos="0 0 1"><joint type="ball"/><geom size="0.1"/>
      <body pos="0 0 1"><joint/><geom size="0.1"/></body></body>
    <body pos="0 1 0"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size="0.1"/></body>
  </body></worldbody></mujoco>"""


def chain(links: int) -> str:
    """A chain of hinges."""
    link = '<body pos="0 0 -0.1"><joint axis="0 1 0"/><geom size="0.02" pos="0 0 -0.1"/>'
    return f"<mujoco><worldbody>{link * links}{'</body>' * links}</worldbody></mujoco>"


CASES = {
    **{f"chain of {n}": chain(n) for n in (1, 2, 3, 4, 5, 7, 8, 13)},
    "branches": BRANCHES,
    "humanoid": find("humanoid_floating"),
}


@pytest.fixture(params=CASES, scope="module")
def model(request):
    return cf.Model.from_mjcf(CASES[request.param])


@pytest.fixture
def matrix(model):
    """A positive matrix in M's pattern."""
    values = np.random.default_rng(0).normal(size=model.nC)
    values[model.M_rowadr + model.M_rownnz - 1] = 8.0 * model.nv
    return values


@pytest.fixture
def vector(model):
    return np.random.default_rng(1).normal(size=model.nv)


def plain(model, **changes):
    """The model as kernels see it when they run as Python."""
    store = model._store
    return PlainStruct(MODEL_LAYOUT, {**store.arrays, **store.sizes, **store.capacities, **changes})


def dense(model, values):
    """The lower half that a sparse matrix stands for."""
    full = np.zeros((model.nv, model.nv))
    full[np.repeat(np.arange(model.nv), model.M_rownnz), model.M_colind] = values
    return full


def factored(m, values):
    result, inverse = values.copy(), np.zeros(m.nv)
    ldl_factor(m, result, inverse)
    return result, inverse


def test_factor(model, matrix):
    """L'DL gives back the matrix, and D's inverse stands apart."""
    factor, inverse = factored(plain(model), matrix)
    lower = np.tril(dense(model, factor), -1) + np.eye(model.nv)
    diagonal = np.diag(dense(model, factor))
    product = lower.T @ np.diag(diagonal) @ lower
    np.testing.assert_allclose(np.tril(product), dense(model, matrix), atol=1e-12 * model.nv)
    np.testing.assert_array_equal(inverse, 1.0 / diagonal)


def test_solve(model, matrix, vector):
    """000.1-AC3: the solution solves the equations, and is that of a library's Cholesky."""
    lower = dense(model, matrix)
    found = vector.copy()
    ldl_solve(plain(model), *factored(plain(model), matrix), found)
    whole = lower + np.tril(lower, -1).T
    np.testing.assert_allclose(whole @ found, vector, atol=1e-12)
    root = np.linalg.cholesky(whole)
    expected = np.linalg.solve(root.T, np.linalg.solve(root, vector))
    np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


def test_runs_keep_every_bit(model, matrix, vector):
    """Runs of four and two dofs give the bits that dofs one by one give."""
    alone = plain(model, dof_runlength=np.ones(model.nv, np.int32))
    together, apart = factored(plain(model), matrix), factored(alone, matrix)
    np.testing.assert_array_equal(together[0], apart[0])
    np.testing.assert_array_equal(together[1], apart[1])
    one, other = vector.copy(), vector.copy()
    ldl_solve(plain(model), *together, one)
    ldl_solve(alone, *apart, other)
    np.testing.assert_array_equal(one, other)


def test_rows_of_a_run_extend_each_other(model):
    """In a run each row is the row before it and one entry more; runs are of four, two or one."""
    rows = np.split(model.M_colind, model.M_rowadr[1:])
    i = 0
    while i < model.nv:
        length = model.dof_runlength[i]
        assert length in (1, 2, 4)
        for k in range(i, i + length):
            assert model.dof_runlength[k] == length
            assert k == i or list(rows[k]) == [*rows[k - 1], k]
        i += length
    assert i == model.nv


def test_runs_are_as_long_as_they_can_be():
    """A chain is handled in fours, what is left over first."""
    model = cf.Model.from_mjcf(chain(7))
    assert model.dof_runlength.tolist() == [1, 2, 2, 4, 4, 4, 4]


def test_short_rows_make_no_run():
    """Dofs of simple bodies stay apart, though one is below another: their rows are diagonal."""
    model = cf.Model.from_mjcf(BRANCHES)
    simple = model.dof_simplenum > 0
    assert simple.any() and (model.dof_parentid[simple] >= 0).any()
    assert (model.dof_runlength[simple] == 1).all()


def pivots_by_hand(matrix: np.ndarray) -> np.ndarray:
    """D of M = L' D L, from the last row up, each pivot at least MINVAL."""
    left = matrix.copy()
    for i in range(len(left) - 1, -1, -1):
        left[i, i] = max(left[i, i], MINVAL)
        left[:i, :i] -= np.outer(left[i, :i], left[i, :i]) / left[i, i]
    return np.diag(left)


@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("pivot", [-3.0, -1e-20, 0.0, 0.5 * MINVAL, 2 * MINVAL])
def test_pivots_are_kept_from_zero(row, pivot):
    """A pivot below the smallest that is allowed is replaced by it; others stay what they are.

    The row stands alone, so that its own pivot is what is given; in runs of one, two and four.
    """
    for links in (1, 2, 4, 7):
        model = cf.Model.from_mjcf(chain(links))
        values = np.random.default_rng(2).normal(size=model.nC)
        at = model.M_rowadr + model.M_rownnz - 1
        values[at] = 8.0 * links
        place = min(row, links - 1)
        whole = dense(model, values)
        whole[place, :place] = whole[place + 1 :, place] = 0.0
        whole[place, place] = pivot
        for i in range(links):
            own = slice(model.M_rowadr[i], at[i] + 1)
            values[own] = whole[i, model.M_colind[own]]
        factor, inverse = factored(plain(model), values)
        full = np.tril(whole) + np.tril(whole, -1).T
        expected = pivots_by_hand(full)
        assert expected[place] == max(pivot, MINVAL)
        np.testing.assert_allclose(np.diag(dense(model, factor)), expected, rtol=1e-12)
        np.testing.assert_allclose(inverse, 1.0 / expected, rtol=1e-12)


def test_nothing_has_the_smallest_pivots():
    """Zeros all over."""
    model = cf.Model.from_mjcf(chain(4))
    factor, inverse = factored(plain(model), np.zeros(model.nC))
    np.testing.assert_array_equal(np.diag(dense(model, factor)), MINVAL)
    np.testing.assert_array_equal(inverse, 1.0 / MINVAL)
