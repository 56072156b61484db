"""An arm with two Hill muscles: motion under different activations, and torque by joint angle."""

from __future__ import annotations

import numpy as np
from picture import keep
from rich.console import Console
from rich.table import Table
from terminal import plot

import cortenforge as cf

SECONDS = 0.8
#: when each phase starts [s], and the controls of biceps and triceps in it
PHASES = ((0.0, (0.05, 0.0)), (0.8, (0.3, 0.0)), (1.6, (0.05, 0.5)), (2.4, (0.5, 0.8)))


def torques(model: cf.Model, angle: float) -> list[float]:
    """Torque at the elbow by fully active biceps, by triceps, and by muscles at rest [N m]."""
    data = model.make_data()
    data.qpos[0] = np.radians(angle)
    found = []
    for active in ([1, 0], [0, 1], [0, 0]):
        data.act[:] = active
        data.forward()
        found.append(float(data.qfrc_actuator[0]))
    return found


def lift(data: cf.Data) -> None:
    """Flex the arm by its biceps."""
    data.reset()
    data.ctrl[:] = 0.5, 0.1
    data.step(round(SECONDS / data.model.opt.timestep))
    data.forward()


def main() -> None:
    model = cf.models.muscle_arm()
    data = model.make_data()
    time, angle, activation = [], [], []
    for _start, controls in PHASES:
        data.ctrl[:] = controls
        for _ in range(int(SECONDS / model.opt.timestep) // 10):
            data.step(10)
            time.append(data.time)
            angle.append(np.degrees(data.qpos[0]))
            activation.append(data.act.copy())
    print(plot("Elbow [degrees] over time [s]: rest, biceps, triceps, both", (time, angle)))
    active = np.array(activation).T
    print(
        plot("\nActivation: * biceps, o triceps", (time, active[0]), (time, active[1]), height=10)
    )
    table = Table("angle", "biceps [N m]", "triceps [N m]", "passive [N m]")
    for degrees in range(0, 121, 20):
        row = (f"{torque:.1f}" for torque in torques(model, degrees))
        table.add_row(f"{degrees}°", *row)
    Console().print(table)
    lift(data)
    camera = cf.Camera(lookat=(0.08, 0, 1.15), distance=0.95, azimuth=75, elevation=-10)
    keep("muscle_arm", data, camera, activation=True, actuator=True, transparent=True)


if __name__ == "__main__":
    main()
