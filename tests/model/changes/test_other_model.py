"""A Data goes on with another model of the same structure."""

from __future__ import annotations

import copy
import pickle
import threading

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.fields import DATA_FIELDS
from cortenforge.models import find

mujoco = pytest.importorskip("mujoco")

#: static geoms in a tree of boxes, sleeping trees and a tendon
SLEEPERS = """<mujoco><option sleep_tolerance="1e-8"><flag sleep="enable"/></option>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/>{walls}
  <body pos="0 0 .1"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
WALLS = "".join(f'<geom type="box" size=".1 .1 .1" pos="{i} 2 .1"/>' for i in range(40))


def humanoid() -> cf.Model:
    return cf.load_model(find("humanoid"))


def test_a_step_is_the_other_models():
    """`mj_step(m2, d)` with a heavier copy is MuJoCo's, step by step, to and fro."""
    path = find("humanoid")
    light, theirs_light = cf.load_model(path), mujoco.MjModel.from_xml_path(str(path))
    heavy, theirs_heavy = light.copy(), copy.copy(theirs_light)
    for model in (heavy, theirs_heavy):
        model.body_mass[:] *= 1.5
        model.opt.gravity[2] = -5
    ours, theirs = light.make_data(), mujoco.MjData(theirs_light)
    for number in range(60):
        pair = (light, theirs_light) if number % 3 else (heavy, theirs_heavy)
        ours.use_model(pair[0])
        assert ours.model is pair[0]
        ours.step()
        mujoco.mj_step(pair[1], theirs)
        np.testing.assert_allclose(ours.qpos, theirs.qpos, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(ours.qfrc_bias, theirs.qfrc_bias, rtol=1e-8, atol=1e-7)
        ours.qpos[:], ours.qvel[:] = theirs.qpos, theirs.qvel
        ours.qacc_warmstart[:] = theirs.qacc_warmstart


@pytest.mark.parametrize("source", ["humanoid", SLEEPERS.format(walls=WALLS)], ids=["one", "two"])
def test_nothing_of_the_first_model_stays(source):
    """After use_model, every field is that of a Data that always had the other model."""
    first = cf.load_model(find(source) if source == "humanoid" else source)
    second = first.copy()
    second.geom_friction[:, 0] *= 0.5
    # static geoms stand elsewhere, and another flag is on
    second.geom_pos[:, 0] += 0.05
    second.opt.timestep = 0.003
    second.opt.disableflags |= int(cf.enums.Disable.WARMSTART)
    moved = first.make_data()
    moved.step(20)
    always = second.make_data()
    always.set_state(moved.get_state())
    moved.use_model(second)
    for data in (moved, always):
        data.step(20)
    for field in DATA_FIELDS:
        if field.role != "scratch":
            here, there = (np.asarray(getattr(data, field.name)) for data in (moved, always))
            if "nconmax" in field.shape:
                here, there = here[: moved.ncon], there[: always.ncon]
            assert here.tobytes() == there.tobytes(), field.name


def test_edits_and_callbacks_of_the_other_model_count():
    """Watched fields and callbacks are those of the model in use; units are found anew."""
    first = humanoid()
    second = first.copy()
    data = first.make_data()
    data.step(60)
    calls: list[str] = []
    first.callbacks.control = lambda m, d: calls.append("first")
    second.callbacks.control = lambda m, d: calls.append("second")
    data.step(1)
    data.use_model(second)
    data.step(2)
    second.opt.disableflags |= int(cf.enums.Disable.CONTACT)
    data.step(1)
    assert data.ncon == 0
    data.use_model(first)
    data.step(1)
    assert calls == ["first", "second", "second", "second", "first"]
    # rays are cast by the model in use
    second.geom_rgba[:, 3] = 0
    hit = data.ray([0, 0, 5], [0, 0, -1]).dist
    data.use_model(second)
    assert data.ray([0, 0, 5], [0, 0, -1]).dist != hit


def test_pickles_and_copies_have_the_model_in_use():
    """Copies and pickles carry the model in use, and go on as the original does."""
    first = humanoid()
    second = first.copy()
    second.body_mass[:] *= 2
    data = first.make_data()
    data.use_model(second)
    twin, saved = data.copy(), pickle.loads(pickle.dumps(data))
    for one in (data, twin, saved):
        one.step(5)
    assert twin.model is second and saved.model.body_mass[1] == second.body_mass[1]
    assert data.qpos.tobytes() == twin.qpos.tobytes() == saved.qpos.tobytes()


def test_another_structure_is_refused():
    """Sizes and fixed integers must be equal; the message names the first that is not."""
    body = '<body><joint type="{}"/><geom size=".1"/></body>'
    text = f"<mujoco><worldbody>{body}</worldbody></mujoco>"
    hinge, slide = (cf.Model.from_mjcf(text.format(kind)) for kind in ("hinge", "slide"))
    data = hinge.make_data()
    with pytest.raises(cf.ArgumentError, match=r"its body_simple\[1\] is 2, not 1"):
        data.use_model(slide)
    with pytest.raises(cf.ArgumentError, match=r"its nq is 7, not 1"):
        data.use_model(cf.Model.from_mjcf(text.format("free")))
    with pytest.raises(cf.ArgumentError, match=r"expected a cortenforge.Model"):
        data.use_model(data)  # type: ignore[arg-type]
    assert data.model is hinge
    batch = cf.BatchSim(hinge, 2)
    with pytest.raises(cf.ArgumentError, match="a world of a batch"):
        batch.env(0).use_model(hinge.copy())


def test_not_from_a_callback_nor_a_second_thread():
    """A step under way keeps its model."""
    first = humanoid()
    second = first.copy()
    data = first.make_data()
    first.callbacks.control = lambda m, d: data.use_model(second)
    with pytest.raises(cf.ArgumentError, match="callback cannot use_model"):
        data.step()
    started, done = threading.Event(), threading.Event()

    def wait(m, d):
        started.set()
        assert done.wait(20)

    first.callbacks.control = wait
    thread = threading.Thread(target=data.step)
    thread.start()
    try:
        assert started.wait(20)
        with pytest.raises(cf.ThreadError):
            data.use_model(second)
    finally:
        done.set()
        thread.join()
    data.use_model(second)
    # a change of the first model no longer waits for this Data, one of the second does
    assert data._guard.gate is second._gate
    data.step()
