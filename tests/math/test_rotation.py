"""Quaternions of length one, where MuJoCo leaves them alone and where it does not."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.kernel import quat
from cortenforge.math.rotation import unit_quat
from cortenforge.math.vector import MINVAL


def directions(count: int) -> np.ndarray:
    found = np.random.default_rng(0).normal(size=(count, 4))
    return found / np.linalg.norm(found, axis=1)[:, None]


@pytest.mark.parametrize("off", [0.0, 2.3e-16, -2.3e-16, 8.9e-16])
def test_a_length_of_one_stays(off):
    """Within MINVAL of length one, every bit stays."""
    q = quat(1.0 + off, 0.0, 0.0, 0.0)
    assert unit_quat(q) == q


@pytest.mark.parametrize("length", [1e-9, 0.3, 1.0 - 1e-14, 1.0 + 2e-15, 7.0, 1e9])
def test_any_other_length_becomes_one(length):
    """Anything else is scaled."""
    for direction in directions(20):
        found = np.array(list(unit_quat(quat(*direction * length))))
        assert abs(np.linalg.norm(found) - 1.0) < 5e-16
        np.testing.assert_allclose(found, direction, atol=1e-15)


def test_no_length_is_the_identity():
    """What points nowhere does not turn."""
    for length in (0.0, 0.5 * MINVAL):
        assert unit_quat(quat(0.0, length, 0.0, 0.0)) == quat(1.0, 0.0, 0.0, 0.0)


def test_nan_stays():
    """A quaternion that is not a number is not made one."""
    assert all(np.isnan(list(unit_quat(quat(*[np.nan] * 4)))))


@pytest.mark.oracle
def test_lengths_near_one_are_treated_as_mujoco_treats_them():
    """The bound between leaving alone and scaling is MuJoCo's."""
    mujoco = pytest.importorskip("mujoco")
    for steps in range(-20, 21):
        start = 1.0 + steps * np.spacing(1.0)
        theirs = np.array([start, 0.0, 0.0, 0.0])
        mujoco.mju_normalize4(theirs)
        assert unit_quat(quat(start, 0.0, 0.0, 0.0)).w == theirs[0]
