"""Entries through which Python runs one world."""

from __future__ import annotations

from cortenforge.kernel import kernel, zero_like
from cortenforge.step.collision.convex.geom_distance import geom_distance
from cortenforge.step.flags import (
    flag_accelerations,
    flag_all,
    flag_positions_and_velocities,
    flag_step,
)
from cortenforge.step.forward import forward_collision
from cortenforge.step.integrate.falling_asleep import sleep_at_reset
from cortenforge.step.lengthrange import length_range_step
from cortenforge.step.pipeline import (
    begin_call,
    evaluate_forward,
    evaluate_inverse,
    evaluate_smooth,
    step,
    step_from_controls,
    step_to_controls,
)
from cortenforge.step.statuses import CHANGED, NWARNING, OK, UNSUPPORTED, WARNED


@kernel
def refusal_status(m, d):
    """Status that refuses a call: the model has changed, or needs units that are missing.

    Where static geoms are in a tree, their placement is compared, too.
    """
    difference = zero_like(m.watched_now[0])
    for k in range(m.nfront if m.nstatic > 0 else m.nwatched):
        difference = difference | (m.watched_now[k] ^ m.watched_seen[k])
    if difference != 0 or d.model_version != m.version:
        return CHANGED
    return OK if m.missing == 0 else UNSUPPORTED


@kernel
def final_status(d):
    """Status of a call that was made: of a failure, or whether there were warnings."""
    why, given = d.status, 0
    for k in range(NWARNING):
        given += d.warning_count[k]
    return WARNED if why == OK and given > 0 else why


@kernel(entry=True)
def run_before_stage(m, d, count: int):
    """Begin a stage that runs by itself: refuse the model, or reset status and warnings."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
    return why


@kernel(entry=True)
def run_steps(m, d, count: int):
    """`count` steps, up to the first failure."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        for _k in range(count):
            step(m, d)
            if d.status != OK:
                break
            flag_step(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_forward(m, d, count: int):
    """Forward dynamics once."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        evaluate_forward(m, d)
        flag_all(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_to_sleep(m, d, count: int):
    """Forward dynamics once with all awake; then trees with the policy `init` fall asleep."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        evaluate_forward(m, d)
        if d.status == OK:
            sleep_at_reset(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_to_controls(m, d, count: int):
    """The first half of a step."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        step_to_controls(m, d)
        flag_positions_and_velocities(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_from_controls(m, d, count: int):
    """The second half of a step."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        step_from_controls(m, d)
        flag_accelerations(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_smooth(m, d, count: int):
    """Forward dynamics without constraints, even if the model has unsupported features."""
    why = refusal_status(m, d)
    if why != CHANGED:
        begin_call(m, d)
        evaluate_smooth(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_distance(m, d, count: int):
    """Distance of two geoms at their poses, even if the model has unsupported features."""
    why = refusal_status(m, d)
    if why != CHANGED:
        begin_call(m, d)
        geom_distance(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_inverse(m, d, count: int):
    """Inverse dynamics once."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        evaluate_inverse(m, d)
        flag_all(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_collide(m, d, count: int):
    """Contacts once, even if the model has other unsupported features."""
    why = refusal_status(m, d)
    if why != CHANGED:
        why = UNSUPPORTED if m.strangers > 0 else OK
    if why == OK:
        begin_call(m, d)
        forward_collision(m, d)
        why = final_status(d)
    return why


@kernel(entry=True)
def run_range(m, d, count: int):
    """`count` length range steps, up to the end of the search or the first failure."""
    why = refusal_status(m, d)
    if why == OK:
        begin_call(m, d)
        for _k in range(count):
            if d.time >= d.range_end:
                break
            length_range_step(m, d)
            if d.status != OK:
                break
        why = d.status
    return why
