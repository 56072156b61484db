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
    text = f'<option timestep="{FRAME}" gravity="0 0 0" softsubsteps="150" softsleep="0"/>'
    data = cf.Model.from_mjcf(f"<mujoco>{text}</mujoco>").with_deformables([chain]).make_data()
    body = data.deformable(0)
    body.forces[-1, 0] = 0.01 * 1e7 * np.pi * chain.radius**2
    data.step(300)
    assert body.positions[-1, 0] - 0.6 == pytest.approx(0.006, rel=0.05)


def test_the_large_cloth_sags_alike_with_finer_cells_and_substeps():
    """The cloth of the speed figure over a ball: half the cell, half the substep, within 5%."""

    def sag(vertices: int, substeps: int) -> float:
        cloth = cf.Cloth.grid(
            vertices, vertices, (2, 2), pos=(0, 0, 0.41), young=1e5, thickness=1e-3, damping=3
        )
        text = f'<option timestep="{FRAME}" softsubsteps="{substeps}" softsleep="0"/>'
        ball = '<worldbody><geom type="sphere" size="0.4"/></worldbody>'
        model = cf.Model.from_mjcf(f"<mujoco>{text}{ball}</mujoco>")
        data = model.with_deformables([cloth]).make_data()
        data.step(120)
        return 0.4 - float(data.softvert_pos[:, 2].mean())

    coarse, fine, short = sag(50, 20), sag(100, 20), sag(100, 40)
    assert fine == pytest.approx(coarse, rel=0.05)
    assert short == pytest.approx(fine, rel=0.05)
