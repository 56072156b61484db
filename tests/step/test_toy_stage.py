"""A stage that finds a number of things only a step knows, on every target.

The way a new stage goes in, in one file: fields with a capacity, a kernel of one world that fills a
list, a lane-safe kernel that uses what it found, and a step with both. Here a "landing" is a geom
whose centre is below the ground, and it pushes its body up.
"""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.batch.program import lane_linker
from cortenforge.fields import CAPACITIES, DATA_FIELDS, MODEL_LAYOUT, table
from cortenforge.kernel import (
    any_lane,
    in_lane,
    kernel,
    lane_bits,
    lowest_bit,
    select,
    vec3,
    without_lowest,
    world,
    zero_like,
)
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Linker
from cortenforge.math.vector import norm
from cortenforge.step.acceleration import (
    set_unconstrained_acceleration,
    smooth_acceleration,
    sum_smooth_forces,
)
from cortenforge.step.apply_force import apply_force
from cortenforge.step.checks import check_acceleration, check_state
from cortenforge.step.engine import Engine
from cortenforge.step.forward import forward_inertia, forward_kinematics, forward_velocity
from cortenforge.step.integrate.euler import euler
from cortenforge.step.pipeline import restore_if_failed, store_state
from cortenforge.step.position.mass_matrix import factor_inertia
from cortenforge.step.status import is_ok, need

#: room for so many landings at first
FIRST = 2
#: its place among the capacities
NLANDMAX = len(CAPACITIES)
STIFFNESS = 200.0

TOY = table(
    "toy",
    "derived",
    """
    nland      | int        |         | | | How many landings there are.
    depth_sum  | real       |         | | | How deep they are, together.
    touched    | int        |         | | | Contacts that were found in lanes.
    land_geom   | int world  | nlandmax | | | The geom of each landing.
    land_depth  | real world | nlandmax | | | How far it is below the ground.
    land_pos    | vec3 world | nlandmax | | | Where it is.
    land_arm    | real world flat | nlandmax nbody | | | How far it is from each body's origin.
    """,
)


@kernel(unit=True)
def find_landings(m, d):
    """List the geoms below the ground; a list that is too short asks for a longer one."""
    found = 0
    for g in range(m.ngeom):
        if d.geom_xpos[g, 2] < 0.0:
            if found < d.nlandmax:
                d.land_geom[found] = g
                d.land_depth[found] = -d.geom_xpos[g, 2]
                d.land_pos[found] = d.geom_xpos[g]
                # a matrix whose rows are as long as the model has bodies
                for b in range(m.nbody):
                    d.land_arm[found * m.nbody + b] = norm(d.geom_xpos[g] - d.xpos[b])
            found += 1
    d.nland = found
    if found > d.nlandmax:
        need(d, NLANDMAX, found)


@kernel
def push_up(m, d):
    """Each landing pushes its body up, as far as it is deep."""
    total = 0.0
    for c in range(d.nland):
        depth = d.land_depth[c]
        force = vec3(0.0, 0.0, STIFFNESS * depth)
        body = m.geom_bodyid[d.land_geom[c]]
        apply_force(m, d, d.qfrc_smooth, body, d.land_pos[c], force, vec3(0.0, 0.0, 0.0), True)
        total += depth
    d.depth_sum = total


@kernel
def append(d, depth):
    """One more landing of this world, whatever it is."""
    d.touched += 1
    d.depth_sum += depth


@kernel(lanes=True)
def find_in_lanes(m, d):
    """The same by computing on lanes and appending to each world that it concerns."""
    d.touched = 0
    d.depth_sum = zero_like(d.time)
    for g in range(m.ngeom):
        depth = -d.geom_xpos[g, 2]
        waiting = lane_bits(depth > 0.0 and is_ok(d))
        while waiting != 0:
            lane = lowest_bit(waiting)
            waiting = without_lowest(waiting)
            append(world(d, lane), in_lane(depth, lane))


@kernel(lanes=True, unit=True)
def toy_step(m, d):
    """A step in which geoms rest on the ground."""
    store_state(m, d)
    check_state(m, d)
    if any_lane(is_ok(d)):
        forward_kinematics(m, d)
        forward_inertia(m, d)
        factor_inertia(m, d)
        find_landings(m, d)
        forward_velocity(m, d)
        sum_smooth_forces(m, d)
        if any_lane(d.nland > 0):
            push_up(m, d)
        smooth_acceleration(m, d)
        set_unconstrained_acceleration(m, d)
        find_in_lanes(m, d)
        check_acceleration(m, d)
    if any_lane(is_ok(d)):
        euler(m, d)
    restore_if_failed(m, d)
    d.nland = select(is_ok(d), d.nland, 0)


TOY_ENGINE = Engine(
    "ToyData",
    (*DATA_FIELDS, *TOY),
    {**CAPACITIES, "nlandmax": (FIRST, "landings there is room for")},
    step=toy_step,
    home=f"{__name__}:TOY_ENGINE.linker",
)


def toy_lanes() -> Linker:
    """Its units for worlds in lockstep, which workers find here."""
    return lane_linker(TOY_ENGINE, False)


toy_lanes().home = f"{__name__}:toy_lanes"

XML = """
<mujoco><option><flag contact="disable"/></option>
<worldbody>
  <replicate count="3" offset="0 1 0">
    <body pos="0 0 .6"><freejoint/>
      <geom size=".1" pos="0 0 -.3"/><geom size=".1" pos=".3 0 0"/><geom size=".1" pos="0 .3 .2"/>
    </body>
  </replicate>
</worldbody></mujoco>
"""
WORLDS = 1000
STEPS = 300


@pytest.fixture(scope="module")
def model():
    return cf.Model.from_mjcf(XML)


def scattered(model, batch, seed=0):
    """Put the worlds of a batch at different heights, turning."""
    rng = np.random.default_rng(seed)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.qpos[:, 2::7] += rng.uniform(0, 1, size=batch.qpos[:, 2::7].shape)
    return batch.get_states()


def alone(model, state, steps):
    """One world, stepped by itself; the data."""
    data = cf.Data(model, engine=TOY_ENGINE)
    data.set_state(state)
    data.step(steps)
    return data


def bits(array):
    return np.ascontiguousarray(array).view(np.uint64)


@pytest.mark.parametrize("one", [find_landings, push_up, append, find_in_lanes, toy_step], ids=str)
def test_the_toy_is_in_the_subset(one):
    """A kernel of one world may branch on data, and a lane-safe one may call it."""
    check(one, {"m": MODEL_LAYOUT, "d": TOY_ENGINE.layout})


def test_one_world_grows(model):
    """Nothing is lost when a list is too short: it grows, and attributes follow."""
    data = cf.Data(model, engine=TOY_ENGINE)
    before = data.land_depth
    assert before.shape == (FIRST,)
    most = 0
    for _ in range(STEPS):
        data.step()
        most = max(most, data.nland)
        below = np.flatnonzero(data.geom_xpos[:, 2] < 0)
        assert data.nland == len(below) == data.touched
        assert data.land_geom[: data.nland].tolist() == below.tolist()
        assert np.array_equal(data.land_depth[: data.nland], -data.geom_xpos[below, 2])
        assert np.array_equal(data.land_pos[: data.nland], data.geom_xpos[below])
        arms = np.linalg.norm(data.geom_xpos[below][:, None] - data.xpos[None], axis=2)
        np.testing.assert_allclose(data.land_arm[: data.nland], arms, rtol=1e-12)
    assert most > FIRST
    assert data.land_depth.shape[0] >= most and data.land_pos.shape == (len(data.land_depth), 3)
    # a view from before is out of date, as documented; the attribute is not
    assert before.shape == (FIRST,) and data.land_depth is not before


def test_states_do_not_depend_on_capacity(model):
    """A copy, and a state put into a Data with less room, go on with the same bits."""
    grown = alone(model, cf.Data(model, engine=TOY_ENGINE).get_state(), STEPS)
    small = cf.Data(model, engine=TOY_ENGINE)
    assert len(grown.land_depth) > len(small.land_depth)
    small.set_state(grown.get_state())
    twin = grown.copy()
    assert twin.nland == grown.nland
    assert np.array_equal(twin.land_depth[: twin.nland], grown.land_depth[: grown.nland])
    for data in (grown, small, twin):
        data.step(50)
    assert grown.digest() == small.digest() == twin.digest()


def test_lanes_have_the_bits_of_single_worlds(model):
    """1,000 worlds in lockstep, growing in the middle of a rollout, some of them."""
    batch = cf.BatchSim(model, WORLDS, threads=2, engine=TOY_ENGINE)
    batch.bind("depth_sum", "qacc")
    start = scattered(model, batch)
    assert batch.step_all(STEPS) == [None] * WORLDS
    rooms = [w.capacities["nlandmax"] for memory in batch._memory for w in memory.worlds]
    assert max(rooms) > FIRST
    ends, touching = batch.get_states(), 0
    for i in range(0, WORLDS, 7):
        data = alone(model, start[i], STEPS)
        assert np.array_equal(bits(data.get_state().vector), bits(ends[i])), i
        assert bits(np.array(data.depth_sum)) == bits(batch.depth_sum[i])
        assert np.array_equal(bits(data.qacc), bits(batch.qacc[i]))
        touching += data.nland > 0
    assert touching


def test_a_failed_world_grows_nothing(model):
    """A world that fails is frozen before the stage that would have needed room for it."""
    batch = cf.BatchSim(model, 8, threads=1, engine=TOY_ENGINE)
    batch.qpos[:, 2::7] = 5.0
    batch.qpos[3, 2::7] = -1.0
    batch.qvel[3, 0] = np.nan
    errors = batch.step_all(5)
    assert isinstance(errors[3], cf.InvalidVelocity)
    assert [error is None for error in errors].count(False) == 1
    rooms = [world.capacities["nlandmax"] for world in batch._memory[0].worlds]
    assert rooms == [FIRST] * 8


@pytest.fixture
def gpu(model):
    pytest.importorskip("wgpu")
    from cortenforge.gpu import GpuBatchSim
    from cortenforge.gpu.context import GpuSimContext

    if not GpuSimContext.is_available():
        pytest.skip("no GPU, and no software driver for one")
    return GpuBatchSim


def test_a_device_finds_the_same(model, gpu):
    """With room enough, a GPU finds the landings that single worlds find."""
    batch = gpu(model, 16, capacities={"nlandmax": 9}, engine=TOY_ENGINE)
    start = scattered(model, batch)
    assert batch.step_all(100) == [None] * 16
    for i in range(16):
        data = alone(model, start[i], 100)
        assert int(batch.nland[i]) == data.nland == int(batch.touched[i])
        found = batch.land_geom[i][: data.nland]
        assert found.tolist() == data.land_geom[: data.nland].tolist()
        # f32, after a hundred steps
        assert np.allclose(
            batch.land_depth[i][: data.nland], data.land_depth[: data.nland], atol=1e-4
        )


def test_a_full_device_is_the_error_of_that_world(model, gpu):
    """A device cannot grow: the world says so and keeps its state, others go on."""
    batch = gpu(model, 4, capacities={"nlandmax": 1}, engine=TOY_ENGINE)
    batch.qpos[:, 2::7] = 5.0
    batch.qpos[2, 2::7] = -1.0
    # a device keeps singles
    before = batch.get_states()[2].astype(np.float32)
    errors = batch.step_all(3)
    assert [type(error) for error in errors] == [type(None)] * 2 + [cf.CapacityExceeded, type(None)]
    assert "nlandmax is 1" in str(errors[2]) and "needs 9" in str(errors[2])
    assert errors[2].steps_done == 0
    assert np.array_equal(batch.get_states()[2], before)
    assert np.allclose(batch.time, [3 * model.opt.timestep] * 2 + [0.0, 3 * model.opt.timestep])
