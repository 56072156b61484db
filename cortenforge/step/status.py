"""How kernels report: failures that stop a world, warnings, and capacity requests."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.statuses import FULL, OK


@kernel(lanes=True)
def is_ok(d):
    """Whether a world has not failed; one that has is frozen until its next call."""
    return d.status == OK


@kernel(lanes=True)
def fail(d, bad, status: int, index: int, value):
    """Fail worlds where `bad` holds; the first failure of a world is the one reported."""
    fresh = bad and is_ok(d)
    if any_lane(fresh):
        d.status = select(fresh, status, d.status)
        d.status_index = select(fresh, index, d.status_index)
        d.status_value = select(fresh, value, d.status_value)


@kernel(lanes=True)
def warn(d, warning: int, bad, index: int, value):
    """Count a warning where `bad` holds; index and value are those of the first."""
    fresh = bad and is_ok(d)
    if any_lane(fresh):
        first = fresh and d.warning_count[warning] == 0
        d.warning_index[warning] = select(first, index, d.warning_index[warning])
        d.warning_value[warning] = select(first, value, d.warning_value[warning])
        d.warning_count[warning] = select(
            fresh, d.warning_count[warning] + 1, d.warning_count[warning]
        )


@kernel
def has_capacity(d, room: int, capacity: int, wanted: int):
    """Whether a capacity of this world suffices; if not, a larger one is requested."""
    if room < wanted:
        need(d, capacity, wanted)
    return room >= wanted


@kernel
def need(d, capacity: int, wanted: int):
    """Request a larger capacity for this world: the step is repeated with it."""
    d.status = FULL
    d.status_index = capacity
    d.status_value = wanted
