"""256 ants, each with its own masses and friction: observations, rewards, resets in a batch."""

from __future__ import annotations

import time

import numpy as np
from picture import keep
from terminal import plot

import cortenforge as cf

WORLDS, STEPS, SKIP = 256, 100, 5


def observations(batch: cf.BatchSim) -> np.ndarray:
    """Height and turn of the torso, angles, velocities, and what the sensors read."""
    return np.concatenate([batch.qpos[:, 2:], batch.qvel, batch.sensordata], axis=1)


def rewards(batch: cf.BatchSim, before: np.ndarray) -> np.ndarray:
    """Metres forward a second, less what the motors cost, and one for being upright."""
    forward = (batch.qpos[:, 0] - before) / (SKIP * float(batch.model.opt.timestep))
    return forward - 0.5 * np.square(batch.ctrl).sum(1) + is_up(batch)


def is_up(batch: cf.BatchSim) -> np.ndarray:
    return (batch.qpos[:, 2] > 0.3) & (batch.qpos[:, 2] < 1.0)


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("ant"))
    start = model.make_data()
    start.reset_to_keyframe("stand")
    batch = cf.BatchSim(model, WORLDS)
    batch.bind("sensordata")
    batch.randomize("body_mass", scale=(0.7, 1.4), seed=1)
    batch.randomize("geom_friction", scale=(0.5, 1.5), seed=2)
    batch.set_states([start.get_state()] * WORLDS)
    rng = np.random.default_rng(0)
    returns, falls = np.zeros(WORLDS), 0
    mean = []
    clock = time.perf_counter()
    for _ in range(STEPS):
        before = batch.qpos[:, 0].copy()
        errors = batch.step_all(SKIP, ctrl=0.6 * rng.uniform(-1, 1, (WORLDS, model.nu)))
        returns += rewards(batch, before)
        done = ~is_up(batch) | np.array([error is not None for error in errors])
        batch.reset_where(done, start.get_state())
        falls += int(done.sum())
        mean.append(returns.mean())
    rate = WORLDS * STEPS * SKIP / (time.perf_counter() - clock)
    seen = observations(batch)
    print(plot("Mean return over decisions", (np.arange(STEPS), np.array(mean))))
    masses = batch.parameters["body_mass"].sum(1)
    print(f"\n{WORLDS} ants of {masses.min():.1f} to {masses.max():.1f} kg, {falls} resets,")
    print(f"observations {seen.shape}, {rate:,.0f} steps a second.")
    keep("randomised_ants", batch.env(0), "track")


if __name__ == "__main__":
    main()
