"""A cloth falls on the raised hand of an arm, which carries the cloth's weight and waves it."""

from __future__ import annotations

import numpy as np
from picture import keep

import cortenforge as cf

#: arm raised, fingers closed
RAISED = {"shoulder_pitch": 0.2, "elbow": 0.3, "wrist_pitch": -0.5, "fingers": 0.0}
WAVES, TURN = 3.0, 0.5


def main() -> None:
    rigid = cf.Model.from_mjcf(cf.models.find("arm"))
    cloth = cf.Cloth.grid(
        50, 50, size=(0.6, 0.6), name="cloth", pos=(0.12, 0, 1.25), material="cotton", damping=4,
        rgba=(0.2, 0.42, 0.62, 1),
    )  # fmt: skip
    model = rigid.with_deformables([cloth])
    data = model.make_data()
    data.reset_to_keyframe("home")
    for joint, angle in RAISED.items():
        data.actuator(joint).ctrl[:] = angle
        if joint != "fingers":
            data.joint(joint).qpos[:] = angle
    data.joint("left_finger").qpos[:] = data.joint("right_finger").qpos[:] = 0.0
    weight = cloth.masses().sum() * 9.81
    print("    time    hand to the side    cloth to the side    carried, of its weight")
    for k in range(400):
        # the arm starts to wave after two seconds
        waving = max(0.0, data.time - 2.0)
        data.actuator("shoulder_yaw").ctrl[:] = TURN * np.sin(WAVES * waving)
        data.step(5)
        if k % 50 == 49:
            middle = data.deformable("cloth").positions.mean(0)
            carried = data.softcon_force[: data.nsoftcon, 2].sum() / weight
            hand = data.body("gripper").xpos
            print(f"{data.time:6.1f} s {hand[1]:16.2f} m {middle[1]:18.2f} m {carried:18.1%}")
    camera = cf.Camera(lookat=(0.15, 0, 0.75), distance=1.9, azimuth=140, elevation=-12)
    keep("cloth_on_hand", data, camera)


if __name__ == "__main__":
    main()
