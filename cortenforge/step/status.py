"""Numbers that compiled code can report; `model.failure` turns them into exceptions."""

from __future__ import annotations

from cortenforge.kernel import kernel

OK = 0
BAD_TIMESTEP = 1
BAD_POSITION = 2
BAD_VELOCITY = 3
BAD_ACCELERATION = 4
NOT_POSITIVE = 5
UNSUPPORTED = 6

#: larger numbers mean that the simulation has left the world (MuJoCo's mjMAXVAL)
MAXVAL = 1e10


@kernel
def first_bad(values, count):
    """The first number that is not finite or too large; -1 if there is none."""
    for i in range(count):
        # false for nan, too
        if not abs(values[i]) <= MAXVAL:
            return i
    return -1


@kernel
def failed(d, status, values, index):
    """Record what went wrong, and return it."""
    d.status = status
    d.status_index = index
    d.status_value = values[index]
    return status
