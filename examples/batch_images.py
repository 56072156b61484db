"""Pixels as observations: a picture of every world of a batch, in one call."""

from __future__ import annotations

import numpy as np
from picture import keep_pixels

import cortenforge as cf

WORLDS, SIDE = 12, 120


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("arm"))
    batch = cf.BatchSim(model, WORLDS)
    start = model.make_data()
    start.reset_to_keyframe("home")
    batch.set_states([start.get_state()] * WORLDS)
    rng = np.random.default_rng(3)
    batch.ctrl[:, :7] += rng.uniform(-0.6, 0.6, (WORLDS, 7))
    batch.step_all(300)
    pixels = batch.render("track", width=SIDE, height=SIDE)
    depths = batch.render("track", width=SIDE, height=SIDE, mode="depth")
    print(f"pixels {pixels.shape} {pixels.dtype}, depths {depths.shape} {depths.dtype}")
    near, far = depths[depths < 10].min(), depths[depths < 10].max()
    print(f"The worlds are between {near:.2f} and {far:.2f} m away.")
    rows = pixels.reshape(3, 4, SIDE, SIDE, 3).transpose(0, 2, 1, 3, 4)
    keep_pixels("batch_images", rows.reshape(3 * SIDE, 4 * SIDE, 3))


if __name__ == "__main__":
    main()
