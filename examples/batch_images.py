"""Image observations: RGB, depth and segmentation of every world of a batch, in three calls."""

from __future__ import annotations

import time

import numpy as np
from picture import keep_pixels

import cortenforge as cf

WORLDS, SIDE = 32, 160


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("arm"))
    batch = cf.BatchSim(model, WORLDS)
    start = model.make_data()
    start.reset_to_keyframe("home")
    batch.set_states([start.get_state()] * WORLDS)
    rng = np.random.default_rng(5)
    ctrl = start.ctrl + rng.uniform(-0.5, 0.5, (WORLDS, model.nu))
    batch.step_all(300, ctrl=ctrl)
    batch.render("track", width=SIDE, height=SIDE)  # one-time setup
    clock = time.perf_counter()
    pixels = batch.render("track", width=SIDE, height=SIDE)
    taken = time.perf_counter() - clock
    depths = batch.render("track", width=SIDE, height=SIDE, mode="depth")
    owners = batch.render("track", width=SIDE, height=SIDE, mode="segmentation")[..., 0]
    print(f"colours {pixels.shape} {pixels.dtype}, {1e3 * taken / WORLDS:.1f} ms a picture;")
    print(f"depths {depths.shape} {depths.dtype}, owners {owners.shape} {owners.dtype}.")
    cube = owners == model.geom("cube").id
    print(f"The camera sees the cube in {cube.any((1, 2)).sum()} of {WORLDS} worlds,")
    print(f"{depths[cube].min():.2f} to {depths[cube].max():.2f} m away.")
    grey = np.clip(255 * (1.2 / depths), 0, 255).astype(np.uint8)
    colours = rng.integers(60, 255, (model.ngeom + 1, 3), np.uint8)
    rows = [pixels[:4], np.repeat(grey[:4, ..., None], 3, 3), colours[owners[:4]]]
    keep_pixels("batch_images", np.vstack([np.hstack(list(row)) for row in rows]))


if __name__ == "__main__":
    main()
