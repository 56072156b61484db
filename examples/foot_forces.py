"""Forces on the feet of a humanoid that lands and stands: contacts and touch sensors."""

from __future__ import annotations

import numpy as np
from picture import keep
from terminal import plot

import cortenforge as cf

SECONDS, DROP = 1.5, 0.05
#: PD control that keeps it upright
KP, KD = 400.0, 4.0


def floor_force(data: cf.Data, foot: str) -> float:
    """Sum of the normal forces of all contacts between the floor and a foot."""
    touching = data.contacts_between("floor", foot)
    return float(sum(data.contact_force(contact)[0] for contact in touching))


def hold(model: cf.Model, data: cf.Data, wanted: np.ndarray) -> None:
    """PD control of the joints towards the target angles."""
    joints = model.actuator_trnid[:, 0]
    angles, speeds = data.qpos[model.jnt_qposadr[joints]], data.qvel[model.jnt_dofadr[joints]]
    data.ctrl[:] = (KP * (wanted - angles) - KD * speeds) / model.actuator_gear[:, 0]


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("humanoid"))
    data = model.make_data()
    data.reset_to_keyframe("stand")
    wanted = data.qpos[model.jnt_qposadr[model.actuator_trnid[:, 0]]].copy()
    data.qpos[2] += DROP
    weight = model.body_mass.sum() * 9.81
    rows = []
    while data.time < SECONDS:
        hold(model, data, wanted)
        data.step()
        data.forward()
        felt = [floor_force(data, foot) for foot in ("left_foot", "right_foot")]
        touch = [data.sensor(foot).data[0] for foot in ("left_foot", "right_foot")]
        rows.append((data.time, *felt, *touch))
    time, left, right, *touched = np.array(rows).T
    print(plot("* both feet, o left foot: force / weight over time [s]",
               (time, (left + right) / weight), (time, left / weight)))  # fmt: skip
    both = (left + right) / weight
    print(
        f"\nDropped from {100 * DROP:g} cm, it lands with {both.max():.1f} times its weight "
        f"at {time[both.argmax()]:.3f} s."
    )
    print(f"Standing, its feet carry {both[-100:].mean():.3f} of its weight of {weight:.0f} N.")
    apart = np.abs(np.array(touched) - [left, right]).max()
    print(f"Touch sensors and contacts differ by {apart:.1e} N at most.")
    model.vis.map.force = 0.05  # longer arrows
    camera = cf.Camera(lookat=(0.05, 0, 0.3), distance=1.4, azimuth=140, elevation=-15)
    keep("foot_forces", data, camera, contactpoint=True, contactforce=True, transparent=True)


if __name__ == "__main__":
    main()
