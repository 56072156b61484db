"""Length range of an actuator: a world is pushed along its moment arms until it settles.

    qfrc_applied = s moment',   |M^-1 moment'| s = range_accel,   |qfrc_applied| <= range_maxforce

Which forces act meanwhile follows from the model's options; Python sets them, and the side.

Source: MuJoCo: XML reference, compiler/lengthrange.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.ldl import ldl_solve
from cortenforge.math.vector import MINVAL
from cortenforge.step.pipeline import step_from_controls, step_to_controls
from cortenforge.step.statuses import OK


@kernel
def length_range_step(m, d):
    """One step with a force along the moment arms; records the length before it.

    Velocities are damped after a step, in MuJoCo before the next one: a world starts at rest, so it
    is the same, and a step that is repeated finds the same state.  Mirrors mj_setLengthRange.
    """
    step_to_controls(m, d)
    if d.status == OK:
        push_along_moment(m, d)
        step_from_controls(m, d)
    if d.status == OK:
        record_length(d)
        for i in range(m.nv):
            d.qvel[i] *= d.range_slowing


@kernel
def push_along_moment(m, d):
    """qfrc_applied along the moment arms, for an acceleration of given norm."""
    set_moment_force(m, d, 1.0)
    ldl_solve(m, d.qLD, d.qLDiagInv, d.qfrc_applied)
    scale = d.range_accel / max(MINVAL, applied_force_norm(m, d))
    set_moment_force(m, d, scale)
    force = applied_force_norm(m, d)
    if d.range_maxforce > 0.0 and force > d.range_maxforce:
        set_moment_force(m, d, scale * (d.range_maxforce / max(MINVAL, force)))


@kernel
def set_moment_force(m, d, scale):
    """qfrc_applied = scale * moment arms of the output."""
    for i in range(m.nv):
        d.qfrc_applied[i] = 0.0
    start = m.moment_rowadr[d.range_output]
    for at in range(start, start + m.moment_rownnz[d.range_output]):
        d.qfrc_applied[m.moment_colind[at]] = scale * d.actuator_moment[at]


@kernel
def applied_force_norm(m, d):
    """|qfrc_applied|."""
    total = 0.0
    for i in range(m.nv):
        total += d.qfrc_applied[i] * d.qfrc_applied[i]
    return math.sqrt(total)


@kernel
def record_length(d):
    """Record the shortest and longest length, after the settling time."""
    if d.time > d.range_start:
        length = d.actuator_length[d.range_output]
        if d.range_count == 0 or length < d.range_low:
            d.range_low = length
        if d.range_count == 0 or length > d.range_high:
            d.range_high = length
        d.range_count += 1
