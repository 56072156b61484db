"""The least value on a disc, on blocks that are drawn at random: kernels as plain Python."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from cortenforge.step.solve.qcqp import solve_qcqp, solve_qcqp_as_mujoco

RADIUS = 0.7


def block(seed: int, k: int, rank: int, size: float = 1.0) -> SimpleNamespace:
    """A quadratic function whose matrix has this rank."""
    rng = np.random.default_rng(seed)
    part = rng.normal(size=(k, rank))
    padded = np.zeros((5, 5))
    padded[:k, :k] = size * part @ part.T
    return SimpleNamespace(
        disc_A=padded.ravel(),
        disc_b=rng.normal(size=5),
        disc_x=np.full(5, np.nan),
        disc_y=np.full(5, np.nan),
        disc_L=np.zeros(25),
    )


def value(d: SimpleNamespace, x: np.ndarray) -> np.ndarray:
    """The function at many points."""
    k = x.shape[-1]
    A = d.disc_A.reshape(5, 5)[:k, :k]
    return 0.5 * np.einsum("...i,ij,...j", x, A, x) + x @ d.disc_b[:k]


@pytest.mark.parametrize("size", [1.0, 1e-9, 1e9, 0.0])
@pytest.mark.parametrize(("k", "rank"), [(2, 0), (2, 1), (2, 2), (3, 1), (3, 3), (5, 2), (5, 5)])
def test_nothing_on_the_disc_is_less(k, rank, size):
    """Also where the matrix is singular, or nothing."""
    for seed in range(20):
        d = block(seed, k, rank, size)
        solve_qcqp(d, k, RADIUS)
        x = d.disc_x[:k].copy()
        assert np.linalg.norm(x) <= RADIUS * (1 + 1e-12)
        tried = np.random.default_rng(seed).normal(size=(2000, k))
        tried *= RADIUS / np.linalg.norm(tried, axis=1, keepdims=True)
        tried = np.concatenate([tried, 0.5 * tried, x + 1e-4 * tried, x[None] * 0])
        tried *= np.minimum(1, RADIUS / np.maximum(np.linalg.norm(tried, axis=1), 1e-300))[:, None]
        assert value(d, x) <= value(d, tried).min() + 1e-10 * max(1.0, size)


@pytest.mark.parametrize(("k", "rank"), [(2, 0), (2, 1), (3, 2), (5, 1), (5, 4)])
def test_a_singular_block_has_no_friction(k, rank):
    """MuJoCo's rule, where the one best friction is not unique."""
    for seed in range(20):
        d = block(seed, k, rank)
        solve_qcqp_as_mujoco(d, k, RADIUS)
        assert not d.disc_x[:k].any()


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("size", [1.0, 0.1, 100.0])
def test_friction_is_the_least_or_on_the_rim(k, size):
    """What is found for MuJoCo's sake is the least, but for MuJoCo's tolerance."""
    outside = 0
    for seed in range(20):
        d = block(seed, k, k + 2, size)
        solve_qcqp(d, k, RADIUS)
        best = d.disc_x[:k].copy()
        solve_qcqp_as_mujoco(d, k, RADIUS)
        # squares of lengths are compared to 1e-10
        np.testing.assert_allclose(d.disc_x[:k], best, atol=1e-9)
        outside += np.linalg.norm(best) > RADIUS * (1 - 1e-9)
    assert outside > 0 or size > 1
