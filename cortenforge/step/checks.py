"""Checks before and after forward dynamics: state, timestep, acceleration, inertia."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.ldl import CLAMPED_INVERSE
from cortenforge.step.status import fail, warn
from cortenforge.step.statuses import (
    BAD_ACCELERATION,
    BAD_MOCAP,
    BAD_POSITION,
    BAD_TIMESTEP,
    BAD_VELOCITY,
    MAXVAL,
    NOT_POSITIVE,
    WARN_INERTIA,
)


@kernel(lanes=True)
def check_state(m, d):
    """Fail for a bad timestep, position or velocity.  Mirrors mj_checkPos and mj_checkVel."""
    check_timestep(m, d)
    check_positions(m, d)
    check_velocities(m, d)
    if m.nmocap > 0:
        check_mocap(m, d)


@kernel(lanes=True)
def check_timestep(m, d):
    """Fail for a bad timestep."""
    h = m.opt_timestep
    # comparisons are negated because that is true for nan, too
    fail(d, not (h > 0.0 and h < MAXVAL), BAD_TIMESTEP, 0, h)


@kernel(lanes=True)
def check_positions(m, d):
    """Fail for a bad position.  Mirrors mj_checkPos."""
    if any_lane(not sum_of_magnitudes(d.qpos, m.nq, d.time) <= MAXVAL):
        for i in range(m.nq):
            fail(d, not abs(d.qpos[i]) <= MAXVAL, BAD_POSITION, i, d.qpos[i])


@kernel(lanes=True)
def check_velocities(m, d):
    """Fail for a bad velocity.  Mirrors mj_checkVel."""
    if any_lane(not sum_of_magnitudes(d.qvel, m.nv, d.time) <= MAXVAL):
        for i in range(m.nv):
            fail(d, not abs(d.qvel[i]) <= MAXVAL, BAD_VELOCITY, i, d.qvel[i])


@kernel(lanes=True)
def check_mocap(m, d):
    """Fail for a mocap pose that is not finite; MuJoCo does not check these."""
    for i in range(m.nmocap):
        for k in range(3):
            x = d.mocap_pos[i, k]
            fail(d, not abs(x) <= MAXVAL, BAD_MOCAP, i, x)
        for k in range(4):
            q = d.mocap_quat[i, k]
            fail(d, not abs(q) <= MAXVAL, BAD_MOCAP, i, q)


@kernel(lanes=True)
def check_acceleration(m, d):
    """Fail for a bad acceleration, and warn of a bad inertia matrix.  Mirrors mj_checkAcc."""
    if any_lane(not sum_of_magnitudes(d.qLDiagInv, m.nv, d.time) < CLAMPED_INVERSE):
        fail_on_bad_inertia(m, d)
        warn_of_bad_inertia(m, d)
    if any_lane(not sum_of_magnitudes(d.qacc, m.nv, d.time) <= MAXVAL):
        for i in range(m.nv):
            fail(d, not abs(d.qacc[i]) <= MAXVAL, BAD_ACCELERATION, i, d.qacc[i])


@kernel(lanes=True)
def fail_on_bad_inertia(m, d):
    """Fail for an inertia matrix that is not positive, if it has led to a bad acceleration."""
    bad = zero_like(d.time)
    for i in range(m.nv):
        bad = select(abs(d.qacc[i]) <= MAXVAL, bad, 1.0)
    for i in range(m.nv):
        clamped = not abs(d.qLDiagInv[i]) < CLAMPED_INVERSE
        fail(d, clamped and bad > 0.0, NOT_POSITIVE, i, d.qLDiagInv[i])


@kernel(lanes=True)
def warn_of_bad_inertia(m, d):
    """Warn of an inertia matrix that is not positive, as MuJoCo does."""
    if any_lane(not sum_of_magnitudes(d.qLDiagInv, m.nv, d.time) < CLAMPED_INVERSE):
        for i in range(m.nv):
            warn(d, WARN_INERTIA, not abs(d.qLDiagInv[i]) < CLAMPED_INVERSE, i, d.qLDiagInv[i])


@kernel(lanes=True)
def sum_of_magnitudes(values, count: int, like):
    """Sum of |x_i|: a bound of each of them, and nan if any is nan."""
    # four sums that do not wait for each other
    a, b, c, e = zero_like(like), zero_like(like), zero_like(like), zero_like(like)
    rest = count & -4
    for i in range(0, rest, 4):
        a += abs(values[i])
        b += abs(values[i + 1])
        c += abs(values[i + 2])
        e += abs(values[i + 3])
    for i in range(rest, count):
        a += abs(values[i])
    return (a + b) + (c + e)
