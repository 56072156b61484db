"""Worlds in contact: each has the bits that it has alone, whoever its neighbours are."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

#: a robot that stands, two boxes beside it and a ball: trees that touch in some worlds only
SCENE = """
<mujoco>
  <option timestep=".004" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="torso" pos="0 0 .55">
      <freejoint/>
      <geom type="capsule" size=".08" fromto="-.1 0 0 .1 0 0"/>
      <site name="chest"/>
      <body name="thigh" pos="-.1 0 -.05">
        <joint name="hip" axis="0 1 0" range="-40 40" damping=".5"/>
        <geom type="capsule" size=".04" fromto="0 0 0 0 0 -.2"/>
        <body name="shin" pos="0 0 -.2">
          <joint name="knee" axis="0 1 0" range="-60 5" frictionloss=".1"/>
          <geom type="capsule" size=".035" fromto="0 0 0 0 0 -.2"/>
        </body>
      </body>
      <body name="arm" pos=".1 0 -.05">
        <joint name="shoulder" axis="1 0 0" damping=".2"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .1 0 -.3"/>
      </body>
    </body>
    <body pos=".35 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/></body>
    <body pos=".35 .05 .32"><freejoint/><geom type="box" size=".08 .1 .1"/></body>
    <body pos="-.5 0 .1"><freejoint/><geom type="sphere" size=".1" condim="6"/></body>
  </worldbody>
  <actuator>
    <motor name="hip" joint="hip" gear="8"/><position joint="knee" kp="20"/>
    <motor joint="shoulder" gear="3"/>
  </actuator>
  <sensor>
    <accelerometer site="chest"/><touch site="chest"/><jointpos joint="hip"/>
    <actuatorfrc actuator="hip"/>
  </sensor>
</mujoco>
"""
BOUND = ("qacc", "qfrc_constraint", "sensordata", "xpos")
#: worlds of the largest batch, and calls of some steps
WORLDS, CALLS, STEPS = 21, 6, 25


@pytest.fixture(scope="module", params=("pyramidal", "elliptic"))
def model(request):
    return cf.Model.from_mjcf(SCENE.format(cone=request.param))


def begin(batch: cf.BatchSim, worlds: np.ndarray) -> None:
    """Start some of WORLDS worlds, by their numbers."""
    rng = np.random.default_rng(7)
    speeds = 0.6 * rng.normal(size=(WORLDS, batch.model.nv))
    batch.qvel[:] = speeds[worlds]
    batch.ctrl[:] = rng.normal(size=(WORLDS, batch.model.nu))[worlds]


@pytest.fixture(scope="module")
def alone(model):
    """What each world comes to by itself: states and bound fields after each call."""
    found = []
    batch = cf.BatchSim(model, WORLDS)
    begin(batch, np.arange(WORLDS))
    for i in range(WORLDS):
        data = model.make_data()
        data.set_state(batch.get_states()[i])
        rows = []
        for _ in range(CALLS):
            data.step(STEPS)
            kept = [np.ravel(getattr(data, name)) for name in BOUND]
            rows.append(np.concatenate([data.get_state().vector, *kept]))
        found.append(rows)
    return np.array(found)


def run(batch: cf.BatchSim) -> np.ndarray:
    """The same of a batch."""
    batch.bind(*BOUND)
    rows = []
    for _ in range(CALLS):
        assert batch.step_all(STEPS) == [None] * batch.n
        kept = [getattr(batch, name).reshape(batch.n, -1) for name in BOUND]
        rows.append(np.concatenate([batch.get_states(), *kept], axis=1))
    return np.stack(rows, axis=1)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, WORLDS])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_world_is_as_it_is_alone(model, alone, n, threads):
    """9-AC1, 9-AC6: contacts, limits, friction, actuators and sensors; every bit of state and
    derived fields, for any number of worlds and threads."""
    batch = cf.BatchSim(model, n, threads=threads)
    begin(batch, np.arange(n))
    assert run(batch).tobytes() == alone[:n].tobytes()


def test_worlds_differ_in_their_islands(model):
    """What the others rest on: trees touch each other in some worlds, and not in others."""
    batch = cf.BatchSim(model, WORLDS)
    begin(batch, np.arange(WORLDS))
    counts = set()
    for _ in range(CALLS):
        batch.step_all(STEPS)
        for i in range(WORLDS):
            data = batch.env(i)
            data.forward()
            counts.add(int(data.nisland))
    assert len(counts) >= 3


@pytest.mark.parametrize("seed", [0, 1])
def test_any_order_and_any_neighbours(model, alone, seed):
    """9-AC1: worlds in another order, some of them several times."""
    worlds = np.random.default_rng(seed).integers(WORLDS, size=29)
    batch = cf.BatchSim(model, len(worlds))
    begin(batch, worlds)
    assert run(batch).tobytes() == alone[worlds].tobytes()


def test_neighbours_that_fail(model, alone):
    """9-AC2, 9-AC3: worlds that are no numbers fail, again and again, and change no other."""
    batch = cf.BatchSim(model, WORLDS)
    begin(batch, np.arange(WORLDS))
    broken = [2, 3, 11]
    batch.qpos[broken, 0] = np.nan
    for _ in range(CALLS):
        errors = batch.step_all(STEPS)
        assert [i for i, error in enumerate(errors) if error] == broken
    others = [i for i in range(WORLDS) if i not in broken]
    size = batch.get_states().shape[1]
    assert batch.get_states()[others].tobytes() == alone[others, -1, :size].tobytes()


def test_worlds_with_as_many_rows_go_together(model, alone):
    """Groups are made by cost; the order in which users see worlds does not change."""
    batch = cf.BatchSim(model, WORLDS, threads=1)
    begin(batch, np.arange(WORLDS))
    run(batch)
    batch.step_all()
    rows = batch.nefc
    assert sorted(batch._order.tolist()) == list(range(WORLDS))
    assert len(set(rows.tolist())) > 1


def test_worlds_that_differ_in_contact(model):
    """9-AC1: with masses, friction and gains of their own, each world is as it is alone."""
    batch = cf.BatchSim(model, 13)
    begin(batch, np.arange(13))
    batch.randomize("body_mass", scale=(0.7, 1.4), seed=1)
    batch.randomize("geom_friction", scale=(0.5, 1.5), seed=2)
    batch.randomize("actuator_gainprm", scale=(0.9, 1.1), seed=3)
    twins = [batch.env(i).copy() for i in range(13)]
    assert batch.step_all(100) == [None] * 13
    for i, twin in enumerate(twins):
        twin.step(100)
        assert twin.get_state().vector.tobytes() == batch.get_states()[i].tobytes()
    assert len({row.tobytes() for row in batch.qpos}) == 13


def test_memory_of_many_worlds(model):
    """4,096 worlds in contact take far less than 4 GB, and say how much."""
    batch = cf.BatchSim(model, 4096, threads=2)
    batch.step_all()
    assert batch.bytes_per_world * 4096 < batch.nbytes < 4e9 / 40
