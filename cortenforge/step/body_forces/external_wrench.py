"""Sum of the external forces on each body, cfrc_ext.

    cfrc_ext_b += (torque + (point - com) x force, force)        com: of the body's tree

Source: MuJoCo: API reference, mjData, "cfrc_ext".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.step.apply_force import wrench_on_body


@kernel(lanes=True)
def add_external_wrench(m, d, b: int, point, force, torque, active):
    """Add a force and torque at a point of a body to cfrc_ext; nothing for the world.

    All in world axes. Lanes where `active` is false do not change.
    """
    if b > 0:
        wrench = wrench_on_body(m, d, b, point, force, torque)
        d.cfrc_ext[b] = select(active, d.cfrc_ext[b] + wrench, d.cfrc_ext[b])
