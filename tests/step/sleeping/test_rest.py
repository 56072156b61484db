"""What sleeping trees read."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS, bindable
from tests.step.sleeping.sleepers import SCENE, asleep, everywhere, run, sleepers

DERIVED = tuple(
    f.name
    for f in bindable(DATA_FIELDS)
    if f.group != "status" and f.name not in ("subtree_linvel", "subtree_angmom")
)


def test_controls_do_nothing():
    """A sleeping actuator makes no force, and its sensors read what they did."""
    both = asleep(sleepers())
    reading = both.data.sensordata.copy()

    def drive(data):
        data.ctrl[:] = 3

    everywhere(both, drive)
    for _ in run(both, 20):
        pass
    assert not both.data.actuator_force.any()
    clock = both.model.names["sensor"].index
    del clock
    changed = np.flatnonzero(both.data.sensordata != reading)
    # the clock, and what is read against the tree that moves on
    assert 0 < changed.size < reading.size / 2


def test_asleep_from_the_start():
    """Readings of the first position, and no acceleration, although gravity pulls."""
    text = SCENE.format(integrator="Euler", policy="init").replace("0 0 0", "0 0 -9.81", 1)
    both = asleep_pair(text)
    for _ in run(both, 30):
        pass
    assert not both.data.qacc[:6].any() and both.data.tree_asleep[0] == 0


def asleep_pair(text):
    """Both engines, as they start."""
    from tests.step.stages import pair

    return pair(text)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("policy", ["auto", "init"])
def test_lanes_have_the_bits_of_single_worlds(integrator, policy):
    """Eight worlds that fall asleep and wake at steps of their own."""
    model = cf.Model.from_mjcf(SCENE.format(integrator=integrator, policy=policy))
    batch = cf.BatchSim(model, 8, threads=1)
    batch.bind(*DERIVED)
    worlds = [model.make_data() for _ in range(8)]
    for i, data in enumerate(worlds):
        # quiet from the start, later, or never
        speed = 2e-4 * (1 + i) ** 1.5
        batch.qvel[i, :] = speed
        data.qvel[:] = speed
        batch.ctrl[i, :] = data.ctrl[:] = 0.1 * i
    slept = 0
    for call in range(4):
        if call == 2:
            batch.qfrc_applied[3, 0] = worlds[3].qfrc_applied[0] = 1e-3
            batch.qpos[5, 0] = worlds[5].qpos[0] = 0.25
        assert batch.step_all(12) == [None] * 8
        for i, data in enumerate(worlds):
            data.step(12)
            slept += int((data.tree_asleep >= 0).sum())
            for name in (*DERIVED, "qpos", "qvel", "act", "tree_asleep", "placed_qpos"):
                ours, lane = np.ascontiguousarray(getattr(data, name)), getattr(batch, name)[i]
                assert ours.tobytes() == np.ascontiguousarray(lane).tobytes(), (name, i, call)
    assert 0 < slept < 4 * 8 * model.ntree
