"""A cloth laid over the gripper of an arm, which lifts it: forces both ways."""

from __future__ import annotations

import numpy as np
from picture import keep

import cortenforge as cf


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("arm"))
    start = model.make_data()
    start.reset_to_keyframe("home")
    hand = start.ctrl.copy()
    # the gripper points up, fingers closed
    hand[[1, 3, 5, 7]] = 0.2, 1.2, -1.4, 0.0
    cloth = cf.Cloth.grid(
        36, 36, size=(0.5, 0.5), name="cloth", pos=(0.3, 0, 1.05), material="cotton", damping=4,
        rgba=(0.25, 0.4, 0.65, 1),
    )  # fmt: skip
    data = model.with_deformables([cloth]).make_data()
    data.reset_to_keyframe("home")
    data.ctrl[:] = hand
    weight = cloth.masses().sum() * 9.81
    print("   time   cloth's middle   carried, of its weight")
    for _ in range(6):
        data.step(250)
        middle = data.deformable("cloth").positions.mean(0)
        carried = np.array(data.softcon_force)[: data.nsoftcon, 2].sum() / weight
        print(f"{data.time:5.2f} s {middle[2]:10.2f} m {carried:16.1%}")
    keep(
        "cloth_on_hand",
        data,
        cf.Camera(lookat=(0.3, 0, 0.6), distance=1.9, azimuth=120, elevation=-15),
    )


if __name__ == "__main__":
    main()
