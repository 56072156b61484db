"""The order of a step, on one screen."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import CLAMPED
from cortenforge.step.constants import (
    NO_CONSTRAINT,
    NO_CONTACT,
    NO_EQUALITY,
    NO_FRICTIONLOSS,
    NO_LIMIT,
    NO_SENSOR,
    RK4,
    WITH_ENERGY,
)
from cortenforge.step.forward import forward, smooth
from cortenforge.step.integrate.euler import euler
from cortenforge.step.integrate.rk4 import rk4
from cortenforge.step.status import (
    BAD_ACCELERATION,
    BAD_POSITION,
    BAD_TIMESTEP,
    BAD_VELOCITY,
    MAXVAL,
    NOT_POSITIVE,
    OK,
    UNSUPPORTED,
    failed,
    first_bad,
)


@kernel(entry=True)
def step(m, d, count: int):
    """`count` steps: check, forward, integrate.  Mirrors mj_step."""
    d.steps_done = 0
    d.status = check_supported(m)
    if d.status != OK:
        return UNSUPPORTED
    for k in range(count):
        status = check_state(m, d)
        if status == OK:
            forward(m, d)
            status = check_acceleration(m, d)
        if status != OK:
            return status
        if m.opt_integrator == RK4:
            rk4(m, d)
        else:
            euler_step(m, d)
        # a stage that had to be compiled just now may have failed to
        if d.status != OK:
            return d.status
        d.steps_done = k + 1
    return OK


@kernel(lanes=True, unit=True)
def euler_step(m, d):
    """Integrate by Euler's method."""
    euler(m, d)


@kernel(entry=True)
def run_forward(m, d, count: int):
    """Forward dynamics once; with count 0, only as far as it needs no constraints."""
    d.status = OK
    if count == 0:
        smooth(m, d)
        d.status = check_inertia(m, d)
    else:
        d.status = check_supported(m)
        if d.status == OK:
            forward(m, d)
            d.status = check_inertia(m, d)
    return d.status


@kernel
def check_supported(m):
    """Whether a model needs nothing that is not there yet; `model.supported` says what."""
    if m.opt_integrator > RK4 or m.opt_enableflags & ~WITH_ENERGY != 0:
        return UNSUPPORTED
    if m.ntendon > 0 or m.nactuator > 0 or m.nplastic > 0:
        return UNSUPPORTED
    off = m.opt_disableflags
    if off & NO_SENSOR == 0 and m.nsensor > 0:
        return UNSUPPORTED
    if off & NO_CONSTRAINT == 0:
        if off & NO_EQUALITY == 0 and m.neq > 0:
            return UNSUPPORTED
        if off & NO_CONTACT == 0 and m.contacts_possible > 0:
            return UNSUPPORTED
        if off & NO_LIMIT == 0:
            for j in range(m.njnt):
                if m.jnt_limited[j] > 0:
                    return UNSUPPORTED
        if off & NO_FRICTIONLOSS == 0:
            for i in range(m.nv):
                if m.dof_frictionloss[i] > 0.0:
                    return UNSUPPORTED
    return OK


@kernel
def check_state(m, d):
    """Whether a step can be taken from here.  Mirrors mj_checkPos and mj_checkVel."""
    h = m.opt_timestep
    # false for nan, too
    if not (h > 0.0 and h < MAXVAL):
        d.status_value = h
        d.status_index = 0
        d.status = BAD_TIMESTEP
        return BAD_TIMESTEP
    bad = first_bad(d.qpos, m.nq)
    if bad >= 0:
        return failed(d, BAD_POSITION, d.qpos, bad)
    bad = first_bad(d.qvel, m.nv)
    if bad >= 0:
        return failed(d, BAD_VELOCITY, d.qvel, bad)
    return OK


@kernel
def check_acceleration(m, d):
    """Whether forward dynamics worked out.  Mirrors mj_checkAcc."""
    # an inertia matrix that is not positive is the cause of bad accelerations, not a symptom
    status = check_inertia(m, d)
    if status != OK:
        return status
    bad = first_bad(d.qacc, m.nv)
    if bad >= 0:
        return failed(d, BAD_ACCELERATION, d.qacc, bad)
    return OK


@kernel
def check_inertia(m, d):
    """Whether the inertia matrix was positive; MuJoCo warns of it and goes on."""
    for i in range(m.nv):
        # false for nan, too
        if not d.qLDiagInv[i] < CLAMPED:
            return failed(d, NOT_POSITIVE, d.qLDiagInv, i)
    return OK
