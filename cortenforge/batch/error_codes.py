"""What a call came to in a world of a batch, as numbers that compare and index as a whole array."""

from __future__ import annotations

from enum import IntEnum

from cortenforge.step import statuses


class ErrorCode(IntEnum):
    """Why a world failed; each has an exception, whose text says where and what to do."""

    OK = statuses.OK
    BAD_TIMESTEP = statuses.BAD_TIMESTEP
    BAD_POSITION = statuses.BAD_POSITION
    BAD_VELOCITY = statuses.BAD_VELOCITY
    BAD_ACCELERATION = statuses.BAD_ACCELERATION
    NOT_POSITIVE = statuses.NOT_POSITIVE
    BAD_ACTUATOR = statuses.BAD_ACTUATOR
    BAD_CALLBACK = statuses.BAD_CALLBACK
    BAD_READING = statuses.BAD_READING
    BAD_MOCAP = statuses.BAD_MOCAP
    NOT_SOLVED = statuses.NOT_SOLVED
    NOT_POSITIVE_STEP = statuses.NOT_POSITIVE_STEP
    BAD_SOFT = statuses.BAD_SOFT
    SINGULAR_STEP = statuses.SINGULAR_STEP
