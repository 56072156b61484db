"""How kernels report: failures that stop a world, and warnings that do not."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.statuses import FULL, OK


@kernel(lanes=True)
def well(d):
    """Whether nothing has gone wrong; a world that is not well is frozen until its next call."""
    return d.status == OK


@kernel(lanes=True)
def fail(d, bad, status: int, index: int, value):
    """A world in which something is bad fails; what went wrong first is what it reports."""
    fresh = bad and well(d)
    if any_lane(fresh):
        d.status = select(fresh, status, d.status)
        d.status_index = select(fresh, index, d.status_index)
        d.status_value = select(fresh, value, d.status_value)


@kernel(lanes=True)
def warn(d, warning: int, bad, index: int, value):
    """Count a warning; the first one keeps its place."""
    fresh = bad and well(d)
    if any_lane(fresh):
        first = fresh and d.warning_count[warning] == 0
        d.warning_index[warning] = select(first, index, d.warning_index[warning])
        d.warning_value[warning] = select(first, value, d.warning_value[warning])
        d.warning_count[warning] = select(
            fresh, d.warning_count[warning] + 1, d.warning_count[warning]
        )


@kernel
def has_room(d, room: int, capacity: int, wanted: int):
    """Whether a list of this world is long enough; if not, a longer one is asked for."""
    if room < wanted:
        need(d, capacity, wanted)
    return room >= wanted


@kernel
def need(d, capacity: int, wanted: int):
    """A list of this world has to be longer: the step is taken again with more room."""
    d.status = FULL
    d.status_index = capacity
    d.status_value = wanted
