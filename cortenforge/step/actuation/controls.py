"""Controls as actuators use them: delayed, clamped to ctrlrange, and finite.

Source: MuJoCo: Computation, "Actuation model"; docs/sensors.md for delays.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, zero_like
from cortenforge.math.scalar import clip
from cortenforge.step.actuation.control_delay import delayed_controls
from cortenforge.step.checks import sum_of_magnitudes
from cortenforge.step.constants import NO_CLAMPCTRL
from cortenforge.step.status import warn
from cortenforge.step.statuses import MAXVAL, WARN_CONTROL


@kernel(lanes=True)
def read_controls(m, d):
    """used_ctrl: ctrl, delayed and clamped; all zero if one is not finite or too large.

    Mirrors mj_fwdActuation.
    """
    for i in range(m.nu):
        d.used_ctrl[i] = d.ctrl[i]
    if m.nhistory > 0:
        delayed_controls(m, d)
    if m.opt_disableflags & NO_CLAMPCTRL == 0:
        for i in range(m.nu):
            if m.actuator_ctrllimited[i] != 0:
                low, high = m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1]
                d.used_ctrl[i] = clip(d.used_ctrl[i], low, high)
    # negated comparison: true for NaN, too
    if any_lane(not sum_of_magnitudes(d.used_ctrl, m.nu, d.time) <= MAXVAL):
        drop_bad_controls(m, d)


@kernel(lanes=True)
def drop_bad_controls(m, d):
    """Set all controls to zero in lanes with a bad one, and warn about the first of them."""
    found = zero_like(d.time)
    for i in range(m.nu):
        bad = not abs(d.used_ctrl[i]) <= MAXVAL
        warn(d, WARN_CONTROL, bad and found == 0.0, i, d.used_ctrl[i])
        found = select(bad, 1.0, found)
    for i in range(m.nu):
        d.used_ctrl[i] = select(found == 0.0, d.used_ctrl[i], 0.0)
