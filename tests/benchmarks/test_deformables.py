"""What benchmarks of deformables measure is resolved: materials are what they are said to be."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from benchmarks.deformables import FRAME, SUBSTEPS, YOUNG


@pytest.mark.parametrize(("young", "substeps"), [(YOUNG, SUBSTEPS), (1e6, 60)])
def test_a_strip_stretches_as_its_material_says(young, substeps):
    """Cells, steps and substeps are those of the cloth of 10,000 vertices."""
    strip = cf.Cloth.grid(
        26, 6, size=(50 / 99, 10 / 99), young=young, poisson=0, density=500, thickness=1e-3,
        pinned="left", damping=5,
    )  # fmt: skip
    text = f'<option timestep="{FRAME}" gravity="0 0 0" softsubsteps="{substeps}" softsleep="0"/>'
    model = cf.Model.from_mjcf(f"<mujoco>{text}</mujoco>").with_deformables([strip])
    data = model.make_data()
    body, end = data.deformable(0), strip.select("right")
    # a hundredth of its length
    body.forces[end, 0] = 0.01 * young * 1e-3 * (10 / 99) / len(end)
    data.step(300)
    stretch = body.positions[end, 0].mean() - strip.vertices[end, 0].mean()
    assert stretch == pytest.approx(0.01 * 50 / 99, rel=0.02)


def test_a_chain_stretches_as_its_material_says():
    """With the substeps of the chain that swings, to 5%."""
    chain = cf.CapsuleChain.line((0, 0, 0), (0.6, 0, 0), 30, young=1e7, pinned="first", damping=5)
    text = f'<option timestep="{FRAME}" gravity="0 0 0" softsubsteps="400" softsleep="0"/>'
    data = cf.Model.from_mjcf(f"<mujoco>{text}</mujoco>").with_deformables([chain]).make_data()
    body = data.deformable(0)
    body.forces[-1, 0] = 0.01 * 1e7 * np.pi * chain.radius**2
    data.step(300)
    assert body.positions[-1, 0] - 0.6 == pytest.approx(0.006, rel=0.05)
