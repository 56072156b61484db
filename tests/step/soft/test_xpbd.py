"""Deformables in a step: nothing without them, substeps, passes, and what forward may change."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.batch.lockstep import step_groups
from cortenforge.batch.program import lane_linker
from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS
from cortenforge.fields.model_soft import SOFT_SIZES
from cortenforge.kernel.language.reach import Shared
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import ENGINE
from tests.soft.scenes import GRAVITY, force_of, masses, world

BALL = '<body pos="0 0 .3"><freejoint/><geom name="ball" size=".1" mass="1"/></body>'
FLOOR = '<geom type="plane" size="1 1 .1"/>'
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")


def units_of(model: cf.Model) -> set[str]:
    """Names of all units that a model can reach, in lockstep or alone."""
    found = lane_linker(ENGINE, True).reach([step_groups], Shared(plain_model(model)))
    return {unit.name for alone in (True, False) for unit in found.found(alone=alone)}


def test_no_deformables_no_cost():
    """11-AC5, 11-AC11: no kernel of theirs is reached, nothing is stored, no bit is another."""
    model = cf.Model.from_mjcf(f"<mujoco><worldbody>{FLOOR}{BALL}</worldbody></mujoco>")
    assert not any(name.startswith("step.soft") for name in units_of(model))
    data = model.make_data()
    for name in SOFT_SIZES:
        assert getattr(model, name) == 0, name
    arrays = [(model, field) for field in MODEL_FIELDS] + [(data, field) for field in DATA_FIELDS]
    for owner, field in arrays:
        if "soft" in field.group.split() and field.shape:
            assert np.size(getattr(owner, field.name)) == 0, field.name
    again = model.with_deformables([])
    assert again.hash == model.hash
    twin = again.make_data()
    data.step(300)
    twin.step(300)
    assert data.ncon == 1
    assert twin.digest() == data.digest()


def test_deformables_reach_their_kernels():
    """The same question has another answer with them."""
    data = world(cf.Cloth.grid(2, 2), inside=BALL)
    assert any(name.startswith("step.soft") for name in units_of(data.model))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_is_far_away_changes_nothing(integrator):
    """Rigid bodies that no deformable touches move as without, bit by bit."""
    option = f'<option integrator="{integrator}"/>'
    text = f"<mujoco>{option}<worldbody>{FLOOR}{BALL}</worldbody></mujoco>"
    alone = cf.Model.from_mjcf(text).make_data()
    data = world(cf.Cloth.grid(3, 3, pos=(0, 0, 9)), inside=FLOOR + BALL, beside=option)
    alone.step(300)
    data.step(300)
    assert np.array_equal(alone.qpos, data.qpos)
    assert np.array_equal(alone.qvel, data.qvel)


def net(inside: str = BALL, **options) -> cf.Data:
    """A ball above a pinned sheet."""
    sheet = cf.Cloth.grid(9, 9, size=(0.5, 0.5), material="rubber", pinned="border", damping=30,
                          pos=(0, 0, 0.15))  # fmt: skip
    return world(sheet, inside=inside, **options)


def test_forward_changes_no_state():
    """It may be called at any time, as often as one likes, and always says the same."""
    data = net()
    data.step(100)
    state, digest = data.get_state(), data.digest()
    data.forward()
    force = data.qfrc_soft.copy()
    data.forward()
    assert data.digest() == digest
    assert np.array_equal(data.qfrc_soft, force)
    assert np.abs(force).sum() > 1
    data.step(50)
    after = data.digest()
    data.set_state(state)
    data.step(50)
    assert data.digest() == after


def test_halves_of_a_step():
    """step1 and step2 make one step; once, not twice."""
    data = net()
    data.step(100)
    twin = data.copy()
    data.step(20)
    for _ in range(20):
        twin.step1()
        twin.step2()
    assert twin.digest() == data.digest()


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("passes", [1, 2, 3, 4])
def test_passes_by_option(passes, integrator):
    """000.9-AC7, 11-AC11: 1 to 4 passes, an option of MJCF; all carry the same weight at rest.

    RK4 steps deformables once a step, whatever its stages.
    """
    option = f'<option softpasses="{passes}" integrator="{integrator}" softsleep="0"/>'
    joint = '<joint type="slide" axis="0 0 1" damping="20"/>'
    boxes = f"""<body pos="0 0 .2">{joint}<geom type="box" size=".1 .1 .04" mass="1"/></body>
      <body pos="0 0 .28">{joint}<geom type="box" size=".05 .05 .04" mass="1"/></body>"""
    data = net(boxes, beside=option)
    assert data.model.opt.softpasses == passes
    data.step(1000)
    data.forward()
    assert force_of(data, 0)[2] == pytest.approx(-2 * GRAVITY, rel=1e-4)
    assert data.qfrc_constraint == pytest.approx([GRAVITY, GRAVITY], rel=1e-4)
    assert np.abs(data.qvel).max() < 1e-4


def test_passes_are_one_unless_given():
    """000.9-AC7: the default is 1, and numbers beyond 1 to 4 are refused."""
    assert cf.Model.from_mjcf("<mujoco/>").opt.softpasses == 1
    for wrong in ("0", "5", "-1"):
        with pytest.raises(cf.MjcfError, match="softpasses"):
            cf.Model.from_mjcf(f'<mujoco><option softpasses="{wrong}"/></mujoco>')


def test_substeps_follow_the_stiffest_material():
    """11-S1: as many as given; else as many as the material needs, up to the most allowed."""

    def fallen(**options) -> float:
        soft = cf.Cloth.grid(3, 3, size=(0.2, 0.2), young=1e6, drag=0)
        data = world(soft, timestep=0.01, **options)
        data.step()
        # h g at the end of each of n substeps: g h^2 (n + 1) / 2n
        return -float(data.softvert_pos[0, 2])

    whole = GRAVITY * 0.01**2
    for count in (1, 2, 7):
        assert fallen(softsubsteps=count) == pytest.approx(whole * (count + 1) / 2 / count)
    soft = cf.Cloth.grid(3, 3, size=(0.2, 0.2), young=1e6, drag=0)
    wanted = int(np.ceil(0.01 / world(soft).model.soft_period[0] - 1e-6))
    assert 2 < wanted < 50
    assert fallen() == pytest.approx(whole * (wanted + 1) / 2 / wanted)
    assert fallen(softsubstepmax=2) == pytest.approx(whole * 3 / 4)


def test_sleep_and_wake():
    """11-S1: what is quiet for long is left alone until somebody pushes it."""
    block = cf.SoftBody.box((2, 2, 2), (0.1, 0.1, 0.1), material="foam", pos=(0, 0, 0.055),
                            damping=20)  # fmt: skip
    data = world(block, inside=FLOOR)
    data.step(1500)
    assert data.soft_quiet[0] >= 50
    asleep = data.softvert_pos.copy()
    data.step(500)
    assert np.array_equal(data.softvert_pos, asleep)
    data.softvert_applied[:] = (0, 0, 3 * GRAVITY * masses(data).mean())
    data.step(100)
    assert (data.softvert_pos[:, 2] > asleep[:, 2] + 0.1).all()
    # a ball that rolls by wakes, too
    data = world(block, inside=FLOOR + '<body pos=".5 0 .11"><freejoint/><geom size=".1"/></body>')
    data.step(1500)
    assert data.soft_quiet[0] >= 50
    data.qvel[:3] = (-2, 0, 0)
    data.step(200)
    assert data.soft_quiet[0] == 0
    assert np.abs(data.softvert_pos - asleep).max() > 0.02


def test_damping_leaves_rigid_motion_alone():
    """11-S1: what fades is what no rigid body does: a thrown sheet turns and flies on."""
    sheet = cf.Cloth.grid(4, 4, size=(0.3, 0.3), material="leather", damping=5, drag=0)
    data = world(sheet, beside='<option gravity="0 0 0"/>', softsleep=0)
    at = data.softvert_pos
    data.softvert_vel[:] = np.cross((0, 0, 1.0), at) + np.array([0.5, 0, 0])
    mass = masses(data)
    energy = (mass @ data.softvert_vel**2).sum()
    data.step(1000)
    assert mass @ data.softvert_vel / mass.sum() == pytest.approx([0.5, 0, 0], abs=1e-12)
    assert (mass @ data.softvert_vel**2).sum() == pytest.approx(energy, rel=1e-3)
    # a wave in it does not
    data.reset()
    data.softvert_vel[:, 0] = np.sin(20 * at[:, 1]) * 0.01
    data.softvert_vel[:] -= mass @ data.softvert_vel / mass.sum()
    data.step(2000)
    rigid = np.linalg.norm(data.softvert_vel, axis=1) / np.linalg.norm(data.softvert_pos, axis=1)
    assert np.ptp(rigid) < 1e-4
