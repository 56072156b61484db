"""What the feet of a humanoid feel while it lands in a crouch: contact forces and touch sensors."""

from __future__ import annotations

import numpy as np
from picture import keep
from terminal import plot

import cortenforge as cf

SECONDS = 0.6


def floor_force(data: cf.Data, foot: str) -> float:
    """Force of the floor on one foot along the vertical, the sum over its contacts."""
    touching = data.contacts_between("floor", foot)
    return float(sum(data.contact_force(i)[0] for i in touching.indices))


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("humanoid"))
    data = model.make_data()
    data.reset_to_keyframe("stand")
    data.qpos[2] += 0.05
    weight = float(model.body_mass.sum()) * 9.81
    time, left, right = [], [], []
    while data.time < SECONDS:
        data.step()
        data.forward()
        time.append(data.time)
        left.append(floor_force(data, "left_foot") / weight)
        right.append(floor_force(data, "right_foot") / weight)
        felt = float(data.sensor("left_foot").data[0]) / weight
        assert abs(felt - left[-1]) < 1e-9, "the touch sensor sums the same normal forces"
    t = np.array(time)
    print(plot("* left, o right: force over weight, over time [s]",
               (t, np.array(left)), (t, np.array(right))))  # fmt: skip
    peak = int(np.argmax(np.add(left, right)))
    print(
        f"\nThe feet land with {left[peak] + right[peak]:.1f} times its weight at {t[peak]:.3f} s."
    )
    keep("foot_forces", data, "side", contactpoint=True, contactforce=True)


if __name__ == "__main__":
    main()
