"""256 ants, each with its own masses and friction: observations, rewards and resets of a batch."""

from __future__ import annotations

import time

import numpy as np
from picture import keep_pixels
from terminal import plot

import cortenforge as cf

WORLDS, DECISIONS, SKIP = 256, 150, 5


def observations(batch: cf.BatchSim) -> np.ndarray:
    """Height and orientation of the torso, joint angles, velocities, and sensor readings."""
    return np.concatenate([batch.qpos[:, 2:], batch.qvel, batch.sensordata], axis=1)


def is_fallen(batch: cf.BatchSim) -> np.ndarray:
    """Whether the torso is on its side or back, by the cosine of its tilt."""
    _, x, y, _ = batch.qpos[:, 3:7].T
    return 1.0 - 2.0 * (x * x + y * y) < 0.3


def rewards(batch: cf.BatchSim, before: np.ndarray) -> np.ndarray:
    """Forward velocity, minus a control cost, plus one for each world that has not fallen."""
    forward = (batch.qpos[:, 0] - before) / (SKIP * batch.model.opt.timestep)
    return forward - 0.1 * np.square(batch.ctrl).sum(1) + ~is_fallen(batch)


def draw(batch: cf.BatchSim) -> None:
    """The first sixteen ants."""
    renderer = cf.Renderer(batch.model, width=160, height=120)
    camera = cf.Camera(track="torso", distance=2.4, azimuth=130, elevation=-25)
    seen = np.stack([renderer.render(batch.env(i), camera) for i in range(16)])
    rows = seen.reshape(4, 4, 120, 160, 3).transpose(0, 2, 1, 3, 4)
    keep_pixels("randomised_ants", rows.reshape(480, 640, 3))


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("ant"))
    start = model.make_data()
    start.reset_to_keyframe("stand")
    batch = cf.BatchSim(model, WORLDS)
    batch.bind("sensordata")
    rng = np.random.default_rng(0)
    # one factor for all bodies of an ant; randomize would draw one for each entry
    density = rng.uniform(0.5, 2.0, (WORLDS, 1))
    batch.expand("body_mass", "body_inertia")
    batch.parameters["body_mass"] *= density
    batch.parameters["body_inertia"] *= density[:, :, None]
    batch.randomize("geom_friction", scale=(0.5, 1.5), seed=1)
    batch.set_states([start.get_state()] * WORLDS)
    ctrl, falls = np.zeros((WORLDS, model.nu)), np.zeros(WORLDS)
    mean, fallen = [], []
    clock = time.perf_counter()
    for _ in range(DECISIONS):
        # noise that changes slowly, so that legs swing
        ctrl = 0.8 * ctrl + 0.6 * rng.normal(size=ctrl.shape)
        before = batch.qpos[:, 0].copy()
        errors = batch.step_all(SKIP, ctrl=np.clip(ctrl, -1, 1))
        mean.append(rewards(batch, before).mean())
        done = is_fallen(batch) | np.array([error is not None for error in errors])
        falls += done
        fallen.append(falls.sum())
        batch.reset_where(done, start.get_state())
    rate = WORLDS * DECISIONS * SKIP / (time.perf_counter() - clock)
    masses = batch.parameters["body_mass"].sum(1)
    print(plot("Falls of all ants over decisions", (np.arange(DECISIONS), np.array(fallen))))
    print(f"\nObservations {observations(batch).shape}, mean reward {np.mean(mean):.3f}.")
    light, heavy = np.array_split(falls[np.argsort(masses)], 2)
    least, most = masses.min(), masses.max()
    print(f"{WORLDS} ants of {least:.1f} to {most:.1f} kg fell {falls.sum():.0f} times:")
    print(f"the lighter half {light.sum():.0f} times, the heavier half {heavy.sum():.0f} times.")
    print(f"{rate:,.0f} steps a second.")
    draw(batch)


if __name__ == "__main__":
    main()
