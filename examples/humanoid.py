"""A humanoid without control falls onto a floor, which in the end carries its weight."""

from __future__ import annotations

import numpy as np
from picture import keep
from terminal import plot

import cortenforge as cf

SECONDS = 4.0


def floor_force(data: cf.Data) -> float:
    """Sum of all normal forces."""
    return float(sum(data.contact_force(k)[0] for k in range(int(data.ncon))))


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("humanoid"))
    data = model.make_data()
    weight = float(np.sum(model.body_mass)) * 9.81
    time, height, pushed = [], [], []
    while data.time < SECONDS:
        data.step(2)
        time.append(data.time)
        height.append(float(data.body("head").xpos[2]))
        pushed.append(floor_force(data) / weight)
    print(plot("Height of the head [m] over time [s]", (np.array(time), np.array(height))))
    peak = int(np.argmax(pushed))
    late = float(np.mean(pushed[-len(pushed) // 4 :]))
    print(f"\nThe peak force, at {time[peak]:.2f} s, is {pushed[peak]:.0f} times its weight;")
    print(f"in the last second the floor carries {late:.3f} of it.")
    data.forward()
    camera = cf.Camera(track="torso", distance=2.6, azimuth=130, elevation=-25)
    keep("humanoid", data, camera, contactpoint=True, contactforce=True)


if __name__ == "__main__":
    main()
