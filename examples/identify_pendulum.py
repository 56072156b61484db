"""Length and damping of a pendulum found from a noisy recording, by Gauss-Newton on rollouts."""

from __future__ import annotations

import numpy as np
from picture import keep
from scipy.optimize import least_squares
from terminal import plot

import cortenforge as cf

STEPS, EVERY = 1000, 10
TRUE = {"length": 0.83, "damping": 0.047}
NOISE = 0.01


def pendulum(length: float, damping: float) -> cf.Model:
    """A ball on a rod without mass."""
    spec = cf.Spec()
    spec.option.timestep = 0.005
    arm = spec.worldbody.add_body(name="arm", pos=[0, 0, 1.2])
    arm.add_joint(name="swing", axis=[0, 1, 0], damping=damping)
    arm.add_geom(type="capsule", fromto=[0, 0, 0, 0, 0, -length], size=0.01, mass=0)
    arm.add_geom(type="sphere", pos=[0, 0, -length], size=0.06, mass=0.5)
    return spec.compile()


def angles(length: float, damping: float) -> np.ndarray:
    """What an encoder would read while it swings down from 60 degrees."""
    data = pendulum(length, damping).make_data()
    data.qpos[0] = np.pi / 3
    read = []
    for _ in range(STEPS // EVERY):
        data.step(EVERY)
        read.append(data.qpos[0])
    return np.array(read)


def main() -> None:
    rng = np.random.default_rng(0)
    recorded = angles(**TRUE) + rng.normal(0, NOISE, STEPS // EVERY)
    guess = np.array([0.6, 0.1])
    found = least_squares(
        lambda p: angles(*p) - recorded, guess, bounds=([0.1, 0], [2, 1]), diff_step=1e-5
    )
    spread = np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac))) * NOISE
    time = np.arange(len(recorded)) * EVERY * 0.005
    print(plot("* recorded, o found: angle [rad] over time [s]",
               (time, recorded), (time, angles(*found.x))))  # fmt: skip
    for (name, true), value, sigma in zip(TRUE.items(), found.x, spread, strict=True):
        print(f"{name:8} found {value:.4f} ± {sigma:.4f}, true {true}")
    data = pendulum(*found.x).make_data()
    data.qpos[0] = np.pi / 3
    data.forward()
    keep("identify_pendulum", data, cf.Camera(lookat=(0, 0, 0.8), distance=2.2, elevation=-10))


if __name__ == "__main__":
    main()
