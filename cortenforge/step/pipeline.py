"""The order of a step, on one screen: for one world, for eight in lockstep and for a GPU.

A world that fails is frozen: stages of one world leave it out, and at the end of the step it is
back in the state from which the step started. What drives a step, and how often, stands elsewhere:
`run` for one world, `batch.lockstep` for groups of worlds, `gpu.program` for a device.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.checks import check_acceleration, check_state, warn_of_bad_inertia
from cortenforge.step.constants import (
    DISCRETE,
    IMPLICIT,
    IMPLICITFAST,
    RK4,
    SPRINGDAMPER,
    WITH_FWDINV,
    WITH_SLEEP,
)
from cortenforge.step.forward import (
    forward,
    forward_from_controls,
    forward_in_place,
    forward_smooth,
    forward_to_controls,
)
from cortenforge.step.integrate.discrete import discrete
from cortenforge.step.integrate.euler import euler
from cortenforge.step.integrate.implicit import implicit
from cortenforge.step.integrate.rk4 import rk4
from cortenforge.step.integrate.springdamper import spring_damper
from cortenforge.step.inverse import compare_forward_inverse, inverse_dynamics
from cortenforge.step.sensing.noise import advance_noise_draw
from cortenforge.step.sleeping.resting_values import zero_sleeping_tendons
from cortenforge.step.sleeping.sleep_constants import FULLY_AWAKE
from cortenforge.step.soft.integration import store_soft_state
from cortenforge.step.status import is_ok
from cortenforge.step.statuses import NWARNING, OK


@kernel(lanes=True, unit=True)
def step(m, d):
    """Check, forward, integrate.  Mirrors mj_step."""
    store_state(m, d)
    check_state(m, d)
    if any_lane(is_ok(d)):
        forward(m, d, 1)
        check_forward(m, d)
    finish_step(m, d)


@kernel(lanes=True, unit=True)
def step_in_place(m, d):
    """A step of worlds at the positions of their last evaluation: kinematics are not repeated.

    Not for Runge-Kutta, whose later stages change positions, nor with sleep, which depends on more
    than positions.
    """
    store_state(m, d)
    check_state(m, d)
    if any_lane(is_ok(d)):
        forward_in_place(m, d)
        check_forward(m, d)
    finish_step(m, d)


@kernel(lanes=True)
def finish_step(m, d):
    """Integrate, and end the step."""
    if any_lane(is_ok(d)):
        if m.opt_integrator == RK4:
            rk4(m, d)
        else:
            integrate_state(m, d)
        if m.nsoft > 0:
            store_soft_state(m, d)
    zero_tendons_of_sleepers(m, d)
    if m.nnoise > 0:
        advance_noise_draw(d)
    restore_if_failed(m, d)


@kernel(lanes=True, unit=True)
def step_to_controls(m, d):
    """First half of a step: all that does not depend on controls.  Mirrors mj_step1."""
    check_state(m, d)
    if any_lane(is_ok(d)):
        forward_to_controls(m, d, 1, 1)


@kernel(lanes=True, unit=True)
def step_from_controls(m, d):
    """Second half of a step; Euler's method instead of RK4.  Mirrors mj_step2."""
    store_state(m, d)
    forward_from_controls(m, d, 1)
    check_forward(m, d)
    if any_lane(is_ok(d)):
        integrate_state(m, d)
        if m.nsoft > 0:
            store_soft_state(m, d)
    zero_tendons_of_sleepers(m, d)
    if m.nnoise > 0:
        advance_noise_draw(d)
    restore_if_failed(m, d)


@kernel(lanes=True)
def integrate_state(m, d):
    """Advance the state with a single-step integrator."""
    if m.opt_integrator == IMPLICIT or m.opt_integrator == IMPLICITFAST:
        implicit(m, d)
    elif m.opt_integrator == DISCRETE:
        discrete(m, d)
    elif m.opt_integrator == SPRINGDAMPER:
        spring_damper(m, d)
    else:
        euler(m, d)


@kernel(lanes=True)
def check_forward(m, d):
    """Check the acceleration; compare with inverse dynamics if the flag `fwdinv` is set."""
    check_acceleration(m, d)
    if m.opt_enableflags & WITH_FWDINV != 0:
        compare_forward_inverse(m, d)


@kernel(lanes=True, unit=True)
def evaluate_forward(m, d):
    """Forward dynamics once, without integration.  Mirrors mj_forward."""
    forward(m, d, 1)
    zero_tendons_of_sleepers(m, d)
    warn_of_bad_inertia(m, d)


@kernel(lanes=True, unit=True)
def evaluate_smooth(m, d):
    """Forward dynamics once, without constraints and integration."""
    forward_smooth(m, d, 1, 0)
    zero_tendons_of_sleepers(m, d)
    warn_of_bad_inertia(m, d)


@kernel(lanes=True, unit=True)
def evaluate_inverse(m, d):
    """Inverse dynamics once."""
    inverse_dynamics(m, d)
    zero_tendons_of_sleepers(m, d)
    warn_of_bad_inertia(m, d)


@kernel(lanes=True)
def zero_tendons_of_sleepers(m, d):
    """Zero tendons of sleeping trees, at the end of every evaluation."""
    if m.ntendon > 0 and m.opt_enableflags & WITH_SLEEP != 0:
        zero_sleeping_tendons(m, d)


@kernel(lanes=True)
def begin_call(m, d):
    """Reset status and warnings before a call; wake all if sleep is disabled."""
    d.status = OK
    d.status_index = 0
    d.status_value = 0.0
    d.steps_done = 0
    if m.static_differs != 0:
        # another world, or one that was given other places
        d.settled = 0
    for k in range(NWARNING):
        d.warning_count[k] = 0
        d.warning_index[k] = 0
        d.warning_value[k] = 0.0
    if m.opt_enableflags & WITH_SLEEP == 0:
        for t in range(m.ntree):
            d.tree_asleep[t] = FULLY_AWAKE


@kernel(lanes=True)
def store_state(m, d):
    """Store the state at the start of a step."""
    for k in range(m.nstate):
        d.kept_state[k] = d.state[k]


@kernel(lanes=True)
def restore_if_failed(m, d):
    """Count the step, and restore worlds that have failed to the state at its start."""
    if any_lane(not is_ok(d)):
        for k in range(m.nstate):
            d.state[k] = select(is_ok(d), d.state[k], d.kept_state[k])
    d.steps_done += select(is_ok(d), 1, 0)
