"""Length and damping of a pendulum, identified from a noisy recording by least squares."""

from __future__ import annotations

import numpy as np
from picture import chain, keep, shades, stage
from scipy.optimize import least_squares
from terminal import plot

import cortenforge as cf

STEPS, EVERY, TIMESTEP = 1000, 10, 0.005
TRUE = {"length": 0.83, "damping": 0.047}
NOISE, HEIGHT, START = 0.01, 1.2, np.pi / 3


def pendulum(length: float, damping: float) -> cf.Model:
    """A ball on a massless rod."""
    spec = cf.Spec()
    spec.option.timestep = TIMESTEP
    arm = spec.worldbody.add_body(name="arm", pos=[0, 0, HEIGHT])
    arm.add_joint(name="swing", axis=[0, 1, 0], damping=damping)
    arm.add_geom(type="sphere", pos=[0, 0, -length], size=0.06, mass=0.5)
    return spec.compile()


def angles(length: float, damping: float) -> np.ndarray:
    """Encoder readings while it swings down from 60 degrees."""
    data = pendulum(length, damping).make_data()
    data.qpos[0] = START
    read = []
    for _ in range(STEPS // EVERY):
        data.step(EVERY)
        read.append(data.qpos[0])
    return np.array(read)


def draw(found: np.ndarray, length: float) -> None:
    """The pendulum at several times, with the identified parameters."""
    swing = found[:12]
    tips = [(-length * np.sin(q), 0.0, HEIGHT - length * np.cos(q)) for q in swing]
    rods = [
        chain((0, 0, HEIGHT), tip, radius=0.008, rgba=colour)
        for tip, colour in zip(tips, shades(len(tips)), strict=True)
    ]
    balls = "".join(
        f'<geom type="sphere" size=".05" pos="{x} {y} {z}" rgba="{r} {g} {b} 1"/>'
        for (x, y, z), (r, g, b, _) in zip(tips, shades(len(tips)), strict=True)
    )
    camera = cf.Camera(lookat=(0, 0, 0.65), distance=2.6, azimuth=90, elevation=-8)
    keep("identify_pendulum", stage(balls).make_data(), camera, extra=rods)


def main() -> None:
    rng = np.random.default_rng(0)
    recorded = angles(**TRUE) + rng.normal(0, NOISE, STEPS // EVERY)
    fit = least_squares(
        lambda p: angles(*p) - recorded, [0.6, 0.1], bounds=([0.1, 0], [2, 1]), diff_step=1e-5
    )
    spread = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac))) * NOISE
    time, found = np.arange(1, len(recorded) + 1) * EVERY * TIMESTEP, angles(*fit.x)
    print(plot("* recorded, o fitted: angle [rad] over time [s]", (time, recorded), (time, found)))
    print(f"\nFrom 0.6 m and 0.1 N m s/rad, after {fit.nfev} simulations:")
    for (name, true), value, sigma in zip(TRUE.items(), fit.x, spread, strict=True):
        print(f"{name:8} {value:.4f} ± {sigma:.4f}, true {true}")
    rest = np.sqrt(np.mean(np.square(found - recorded)))
    print(f"What is left is noise: {rest:.4f} rad; that of the encoder is {NOISE} rad.")
    draw(found, float(fit.x[0]))


if __name__ == "__main__":
    main()
