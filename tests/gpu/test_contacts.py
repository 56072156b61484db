"""Contacts, limits, friction loss and equalities on a device, against float64 on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import CapacityExceeded, InvalidPosition
from cortenforge.gpu import GpuBatchSim
from tests.gpu.constrained import MIXED, moving_worlds
from tests.gpu.scenes import cpu_worlds

#: depths of contacts are known to 1e-7 m, of the millimetres that they are
RELATIVE_ACCELERATION = 1e-3
OPTIONS = {"pyramidal": "", "elliptic": 'cone="elliptic"'}


@pytest.fixture(scope="module", params=OPTIONS)
def mixed(request, gpu) -> GpuBatchSim:
    """Worlds with every kind of row at once."""
    text = MIXED.format(option="").replace("<option ", f"<option {OPTIONS[request.param]} ")
    return GpuBatchSim(cf.Model.from_mjcf(text), 8)


@pytest.fixture
def started(mixed: GpuBatchSim) -> GpuBatchSim:
    """The same, each world with velocities of its own."""
    mixed.reset_all()
    mixed.qvel[:] = 0.5 * np.random.default_rng(2).normal(size=mixed.qvel.shape)
    return mixed


def single(array: np.ndarray) -> np.ndarray:
    """Numbers as the device has them."""
    return array.astype(np.float32).astype(np.float64)


def test_one_step_with_every_kind_of_row(mixed):
    """10c, 10d, 10e: contacts, rows and the solution of one step are those of the CPU."""
    mixed.set_states([world.get_state() for world in moving_worlds(mixed.model, mixed.n)])
    worlds = cpu_worlds(mixed)
    assert mixed.step_all() == [None] * mixed.n
    for world in worlds:
        world.step()
    for name in ("ncon", "ne", "nf", "nl", "nefc"):
        assert getattr(mixed, name).tolist() == [getattr(w, name) for w in worlds], name
    counts = [(w.ne, w.nf, w.nl, w.ncon) for w in worlds]
    assert all(min(column) >= 0 and max(column) > 0 for column in zip(*counts, strict=True))
    for name, allowed in (("qacc", RELATIVE_ACCELERATION), ("qvel", 1e-5), ("qpos", 1e-6)):
        expected = np.array([getattr(world, name) for world in worlds])
        error = np.abs(getattr(mixed, name) - expected).max(axis=1)
        assert (error <= allowed * np.maximum(1.0, np.abs(expected).max(axis=1))).all(), name
    for i, world in enumerate(worlds):
        depth = mixed.contact_dist[i, : world.ncon]
        np.testing.assert_allclose(depth, [c.dist for c in world.contact], atol=5e-7)


#: a ball on the floor and an arm at its limit
RESTING = """
<mujoco><option timestep="0.002" {option}/><worldbody><geom type="plane" size="5 5 0.1"/>
  <body pos="0 0 0.0999"><freejoint/><geom size="0.1"/></body>
  <body pos="1 0 1"><joint axis="0 1 0" range="-10 10" limited="true"/>
    <geom size="0.05" pos="0.2 0 0"/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("option", ['solver="CG"', 'solver="PGS"', 'integrator="RK4"'])
def test_one_step_with_other_solvers(gpu, option):
    """10e: counts, accelerations and iterations of CG and PGS, and RK4 with contacts."""
    batch = GpuBatchSim(cf.Model.from_mjcf(RESTING.format(option=option)), 4)
    batch.set_states([world.get_state() for world in moving_worlds(batch.model, batch.n, steps=60)])
    worlds = cpu_worlds(batch)
    assert batch.step_all() == [None] * batch.n
    for i, world in enumerate(worlds):
        world.step()
        assert (batch.ncon[i], batch.nefc[i]) == (world.ncon, world.nefc)
        expected, size = world.qacc, max(1.0, np.abs(world.qacc).max())
        assert np.abs(batch.qacc[i] - expected).max() <= RELATIVE_ACCELERATION * size
        assert np.abs(batch.qvel[i] - world.qvel).max() <= 1e-5 * max(1.0, np.abs(world.qvel).max())
    assert {world.nefc for world in worlds} >= {5}


def test_runs_have_the_same_bits(started):
    """10-AC4: also with contacts, five times."""
    start, runs = started.get_states(), set()
    for _ in range(5):
        started.set_states(start)
        assert started.step_all(20) == [None] * started.n
        runs.add(started.get_states().tobytes())
    assert len(runs) == 1


def test_a_failed_world_leaves_others_alone(started):
    """10-AC5: also with contacts."""
    start = started.get_states()
    started.step_all(5)
    expected = started.get_states()
    started.set_states(start)
    started.qpos[3, 0] = np.nan
    errors = started.step_all(5)
    assert isinstance(errors[3], InvalidPosition)
    others = np.arange(started.n) != 3
    assert [error is None for error in errors] == others.tolist()
    np.testing.assert_array_equal(started.get_states()[others], expected[others])


def test_bodies_come_to_rest_as_on_the_cpu(started):
    """After a second, the ball lies as deep in the floor, and joints are where they are there."""
    reference = started.cpu_reference()
    for worlds in (started, reference):
        assert worlds.step_all(200) == [None] * started.n
    ball = started.qpos[:, 2]
    np.testing.assert_allclose(ball, reference.qpos[:, 2], atol=1e-4)
    assert ((ball > 0.09) & (ball < 0.1)).all()
    np.testing.assert_allclose(started.qpos[:, 7:], reference.qpos[:, 7:], atol=1e-3)


BALLS = """
<mujoco><worldbody><geom type="plane" size="5 5 0.1"/>
  <body pos="0 0 0.0999"><freejoint/><geom size="0.1" condim="1"/></body>
  <body pos="1 0 0.0999"><freejoint/><geom size="0.1" condim="1"/></body>
</worldbody></mujoco>"""


def test_a_full_list_is_an_error_of_its_world(gpu):
    """CapacityExceeded with the number needed; `grow` makes room, and the world goes on."""
    batch = GpuBatchSim(cf.Model.from_mjcf(BALLS), 3, capacities={"nconmax": 1})
    batch.qpos[0, 2] = batch.qpos[2, 9] = 1.0
    before = batch.qpos[1].copy()
    errors = batch.step_all(2)
    assert [error is None for error in errors] == [True, False, True]
    assert isinstance(errors[1], CapacityExceeded)
    assert "nconmax is 1 and this step needs 2" in str(errors[1]) and errors[1].steps_done == 0
    np.testing.assert_array_equal(single(before), batch.qpos[1])
    kept = batch.get_states()
    assert batch.grow()["nconmax"] == 4
    np.testing.assert_array_equal(batch.get_states(), kept)
    reference = batch.cpu_reference()
    assert batch.step_all(2) == [None] * 3
    reference.step_all(2)
    np.testing.assert_allclose(batch.qpos, reference.qpos, atol=1e-6)
    assert batch.ncon.tolist() == [1, 2, 1]
    assert batch.grow() == batch.grow()
