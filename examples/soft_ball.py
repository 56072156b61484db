"""A gripper squeezes a soft ball, lifts it, and holds it without slip."""

from __future__ import annotations

import numpy as np
from picture import keep, stage

import cortenforge as cf

FINGER = """
<body name="{name}" pos="{x} 0 0">
  <joint name="{name}" type="slide" axis="{axis} 0 0" damping="5"/>
  <geom type="box" size=".008 .03 .055" pos="0 0 -.06" mass=".1" rgba=".9 .5 .2 1" friction="1"/>
</body>
"""
HAND = f"""
<body name="hand" pos="0 0 .15">
  <joint name="lift" type="slide" axis="0 0 1" damping="20"/>
  <geom type="box" size=".11 .03 .012" pos="0 0 .007" mass="1" rgba=".35 .38 .42 1"
        contype="0" conaffinity="0"/>
  <geom type="cylinder" size=".02 .08" pos="0 0 .1" mass=".2" rgba=".55 .58 .62 1"
        contype="0" conaffinity="0"/>
  {FINGER.format(name="left", x=-0.08, axis=1)}{FINGER.format(name="right", x=0.08, axis=-1)}
</body>
"""
MOTORS = """
<option timestep="0.002"/>
<actuator>
  <position name="lift" joint="lift" kp="3000" kv="150"/>
  <motor name="left" joint="left"/>
  <motor name="right" joint="right"/>
</actuator>
"""
#: phases: name, duration [s], height of the hand [m], grip force [N]
PHASES = (
    ("waits", 0.2, 0, 0),
    ("grips", 0.8, 0, 30),
    ("lifts", 1.0, 0.1, 30),
    ("holds", 2.0, 0.1, 30),
)


def main() -> None:
    ball = cf.SoftBody.ball(
        0.05, cell=0.012, name="ball", material="soft_rubber", young=2e4, pos=(0, 0, 0.055),
        rgba=(0.3, 0.65, 0.5, 1),
    )  # fmt: skip
    data = stage(HAND, MOTORS).with_deformables([ball]).make_data()
    step = data.model.opt.timestep
    print("the hand     height of the ball    its width     contacts")
    for what, seconds, height, force in PHASES:
        begin, end = data.ctrl.copy(), np.array([height, force, force])
        count = round(float(seconds / step))
        for k in range(count):
            data.ctrl[:] = begin + (end - begin) * min(1, 2 * k / count)
            data.step()
        places = data.deformable("ball").positions
        middle, wide = places[:, 2].mean(), np.ptp(places[:, 0])
        touching = int(data.deformable("ball").colliding.sum())
        print(f"{what:8} {1e3 * middle:14.2f} mm {1e3 * wide:14.2f} mm {touching:8}")
    camera = cf.Camera(lookat=(0, 0, 0.14), distance=0.5, azimuth=108, elevation=-12)
    keep("soft_ball", data, camera)


if __name__ == "__main__":
    main()
