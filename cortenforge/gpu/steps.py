"""What a step does around the stages, one kernel a dispatch.

A shader cannot return from the middle of a step, so a world's status does: every dispatch but the
first leaves worlds alone whose status is not OK.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.pipeline import check_acceleration, check_state
from cortenforge.step.status import OK


@kernel
def begin(m, d):
    """Before the first step of a call: every world may try again."""
    d.status = OK
    d.steps_done = 0


@kernel
def check_start(m, d):
    """Whether a step can be taken from here."""
    check_state(m, d)


@kernel
def check_result(m, d):
    """Whether forward dynamics worked out."""
    check_acceleration(m, d)


@kernel
def count_step(m, d):
    """One more step is done."""
    d.steps_done = d.steps_done + 1
