"""Islands that are too large for a word of bits a row: order of elimination, blocks, factor."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Cone, Disable
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import ENGINE

from .touching import along, apart

HARD = {"tolerance": 1e-14, "iterations": 200}
#: dofs of the largest island whose rows are one word each
SMALL = 64
BEADS = 60


def shaft(count: int = 24) -> str:
    """Boxes in a narrow shaft, one upon the other, in no order."""
    rng = np.random.default_rng(3)
    walls = "".join(
        f'<geom type="plane" size="2 2 .1" pos="{x} {y} 0" zaxis="{-x} {-y} 0"/>'
        for x, y in ((0.2, 0), (-0.2, 0), (0, 0.2), (0, -0.2))
    )
    boxes = "".join(
        f'<body pos="{x:.3f} {y:.3f} {0.1 + 0.07 * level:.3f}" euler="{a:.0f} {b:.0f} 0">'
        '<freejoint/><geom type="box" size=".07 .06 .05"/></body>'
        for level in rng.permutation(count)
        for x, y, a, b in [(*rng.uniform(-0.1, 0.1, 2), *rng.uniform(-180, 180, 2))]
    )
    floor = '<geom type="plane" size="5 5 .1"/>'
    return f"<mujoco><worldbody>{floor}{walls}{boxes}</worldbody></mujoco>"


@pytest.mark.parametrize("cone", list(Cone), ids=lambda cone: cone.name.lower())
@pytest.mark.oracle
def test_accelerations_and_forces_are_mujocos(cone):
    largest = 0
    for data, theirs in along(shaft(), cone, 200, 20, **HARD):
        assert data.nefc == theirs.nefc
        if data.nisland:
            largest = max(largest, data.island_nv[: data.nisland].max())
        assert apart(data.qacc, theirs.qacc) < 1e-8
        assert apart(data.efc_force[: data.nefc], theirs.efc_force) < 1e-8
    assert largest > SMALL


def beads(order: np.ndarray) -> str:
    """Balls in a row, each held to the next, declared in some order."""
    balls = "".join(
        f'<body name="b{k}" pos="{0.1 * k} 0 1"><freejoint/><geom size=".03"/></body>'
        for k in order
    )
    held = "".join(
        f'<connect body1="b{k}" body2="b{k + 1}" anchor=".05 0 0"/>' for k in range(len(order) - 1)
    )
    return f"<mujoco><worldbody>{balls}</worldbody><equality>{held}</equality></mujoco>"


def blocks(order: np.ndarray) -> int:
    """Blocks of the factor of H."""
    data = cf.Model.from_mjcf(beads(order)).make_data()
    data.qvel[0] = 1.0
    data.step()
    assert data.nisland == 1
    count = data.hess_n // 4
    return int(data.block_num[:count].sum()) + count


def test_a_row_of_beads_fills_in_little_in_whatever_order_they_are_declared():
    """From both ends to the middle, three rows of blocks for two beads.

    Each has blocks with itself, and at most three with the bead that is next.
    """
    rng = np.random.default_rng(0)
    in_a_row = blocks(np.arange(BEADS))
    shuffled = [blocks(rng.permutation(BEADS)) for _ in range(3)]
    assert in_a_row <= 3 / 2 * BEADS * 4
    assert max(shuffled) <= in_a_row + 8


def test_dofs_that_belong_to_no_other_are_a_component_each():
    """With islands switched off, bodies that touch nothing are in the same H."""
    model = cf.Model.from_mjcf(beads(np.arange(20)).replace("<connect", '<connect active="false"'))
    model.opt.disableflags |= int(Disable.ISLAND)
    data = model.make_data()
    data.eq_active[::2] = 1
    data.qvel[::5] = 1.0
    data.forward()
    assert data.nisland == 1 and data.hess_n >= 120
    # pairs are held, and each pair needs at most three rows of blocks, all of them there
    assert data.block_num[: data.hess_n // 4].sum() <= 3 * 10


def test_each_dof_has_a_place_of_its_own():
    model = cf.Model.from_mjcf(shaft())
    model.opt.disableflags |= int(Disable.ISLAND)
    data = model.make_data()
    data.step(150)
    n = model.nv
    assert data.island_n == n > SMALL
    places = data.order_place[:n]
    assert len(set(places)) == n
    assert min(places) >= 0 and max(places) < data.hess_n <= 2 * n


def test_models_of_few_dofs_do_not_reach_it():
    """An island cannot have more dofs than its model, so the rest of the condition is not asked."""

    def units(source: str) -> set[str]:
        model = cf.Model.from_mjcf(source)
        reach = ENGINE.linker.reach([ENGINE.step], plain_model(model))
        return {unit.name for unit in reach.found(alone=False)}

    large = {
        "step.solve.large_hessian:first_direction_large",
        "step.solve.large_hessian:next_direction_large",
    }
    assert large <= units(shaft(24))
    assert not large & units(shaft(4))
    assert "step.solve.small_hessian:first_direction_small" in units(shaft(4))
