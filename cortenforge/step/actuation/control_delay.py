"""Delayed controls, read from the history buffer.

Source: MuJoCo: Modeling, "Delays"; docs/sensors.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.history import read_history


@kernel(unit=True)
def delayed_controls(m, d):
    """used_ctrl of actuators with a delay: the control of `delay` seconds ago.

    Mirrors mj_readCtrl.
    """
    for a in range(m.nactuator):
        count = m.actuator_history[a, 0]
        if count > 0 and m.actuator_delay[a] != 0.0:
            at = m.actuator_historyadr[a]
            width = m.actuator_ctrlnum[a]
            order = m.actuator_history[a, 1]
            time = d.time - m.actuator_delay[a]
            for k in range(width):
                value = read_history(d.history, at, count, width, k, time, order)
                d.used_ctrl[m.actuator_ctrladr[a] + k] = value
