"""Entries by which Python runs one world."""

from __future__ import annotations

from cortenforge.kernel import kernel, zero_like
from cortenforge.step.collision.convex.query import geom_distance
from cortenforge.step.forward import touch
from cortenforge.step.lengthrange import pushed_step
from cortenforge.step.pipeline import (
    begin,
    evaluate,
    evaluate_inverse,
    evaluate_smooth,
    step,
    step_from_controls,
    step_to_controls,
)
from cortenforge.step.sleeping.fall import sleep_from_start
from cortenforge.step.statuses import CHANGED, NWARNING, OK, UNSUPPORTED, WARNED


@kernel
def refused(m, d):
    """Why a call cannot be made: the model has changed since the last look, or needs too much.

    Where static geoms are in a tree, their places are held against the last ones, too.
    """
    difference = zero_like(m.watched_now[0])
    for k in range(m.nfront if m.nstatic > 0 else m.nwatched):
        difference = difference | (m.watched_now[k] ^ m.watched_seen[k])
    if difference != 0 or d.model_version != m.version:
        return CHANGED
    return OK if m.missing == 0 else UNSUPPORTED


@kernel
def warned(d):
    """Whether a call gave any warning."""
    given = 0
    for k in range(NWARNING):
        given += d.warning_count[k]
    return given > 0


@kernel(entry=True)
def run_steps(m, d, count: int):
    """`count` steps, up to the first that fails."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        for _k in range(count):
            step(m, d)
            if d.status != OK:
                break
        why = d.status
        if why == OK and warned(d):
            why = WARNED
    return why


@kernel(entry=True)
def run_forward(m, d, count: int):
    """Forward dynamics once."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        evaluate(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_to_sleep(m, d, count: int):
    """Forward dynamics once, with everyone awake; then some trees sleep from the start."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        evaluate(m, d)
        if d.status == OK:
            sleep_from_start(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_to_controls(m, d, count: int):
    """The first half of a step."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        step_to_controls(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_from_controls(m, d, count: int):
    """The second half of a step."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        step_from_controls(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_smooth(m, d, count: int):
    """Forward dynamics as far as it needs no constraints, whatever else the model asks for."""
    why = refused(m, d)
    if why != CHANGED:
        begin(m, d)
        evaluate_smooth(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_distance(m, d, count: int):
    """The distance of two geoms where they are, whatever the model asks for."""
    why = refused(m, d)
    if why != CHANGED:
        begin(m, d)
        geom_distance(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_inverse(m, d, count: int):
    """Inverse dynamics once."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        evaluate_inverse(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_collide(m, d, count: int):
    """Contacts once, whatever else the model asks for."""
    why = refused(m, d)
    if why != CHANGED:
        why = UNSUPPORTED if m.strangers > 0 else OK
    if why == OK:
        begin(m, d)
        touch(m, d)
        why = d.status
    return why


@kernel(entry=True)
def run_range(m, d, count: int):
    """`count` steps with a push, up to the end of the search, or to the first that fails."""
    why = refused(m, d)
    if why == OK:
        begin(m, d)
        for _k in range(count):
            if d.time >= d.range_end:
                break
            pushed_step(m, d)
            if d.status != OK:
                break
        why = d.status
    return why
