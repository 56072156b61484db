"""mujoco.rollout beside MuJoCo's: states and sensor readings of many trajectories."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import cortenforge.mujoco as ours
from cortenforge.mujoco import rollout as our_rollout

theirs = pytest.importorskip("mujoco")
their_rollout = pytest.importorskip("mujoco.rollout")
pytestmark = pytest.mark.oracle

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="target" mocap="true" pos="1 0 1"/>
    <body name="arm" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0"
      size=".03"/>
      <body pos=".3 0 0"><joint axis="0 1 0" range="-2 2"/><geom type="capsule"
        fromto="0 0 0 .3 0 0" size=".03"/><site name="end" pos=".3 0 0"/></body></body>
    <body pos="0 .5 .2"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <equality><weld body1="arm" body2="target" active="false"/></equality>
  <actuator><motor joint="joint0"/><general joint="joint1" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><framepos objtype="site" objname="end"/><accelerometer site="end"/></sensor>
</mujoco>
""".replace('<joint axis="0 1 0"/>', '<joint name="joint0" axis="0 1 0"/>').replace(
    '<joint axis="0 1 0" range', '<joint name="joint1" axis="0 1 0" range'
)
NBATCH, NSTEP = 11, 20


def inputs(model: Any, size: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Initial states, controls and warmstarts."""
    rng = np.random.default_rng(seed)
    state = np.zeros((NBATCH, size))
    state[:, 1 : 1 + model.nq] = model.qpos0
    state[:, 1:3] += 0.3 * rng.standard_normal((NBATCH, 2))
    state[:, 1 + model.nq :] += 0.1 * rng.standard_normal((NBATCH, size - 1 - model.nq))
    control = rng.standard_normal((NBATCH, NSTEP, model.nu))
    return state, control, 0.1 * rng.standard_normal((NBATCH, model.nv))


def size_of(module: Any, model: Any, name: str) -> int:
    return module.mj_stateSize(model, getattr(module.mjtState, f"mjSTATE_{name}").value)


@pytest.fixture(scope="module")
def models() -> tuple[Any, Any]:
    return ours.MjModel.from_xml_string(XML), theirs.MjModel.from_xml_string(XML)


@pytest.mark.parametrize("threads", [1, 3])
def test_trajectories_are_mujocos(models: tuple[Any, Any], threads: int) -> None:
    """States and readings after each step, from warmstarts, on any number of threads."""
    found = []
    for module, roll, model in zip((ours, theirs), (our_rollout, their_rollout), models,
                                   strict=True):  # fmt: skip
        state, control, warmstart = inputs(model, size_of(module, model, "FULLPHYSICS"))
        data = [module.MjData(model) for _ in range(threads)]
        found.append(roll.rollout(model, data, state, control, initial_warmstart=warmstart))
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-10)


def test_any_input_is_a_control(models: tuple[Any, Any]) -> None:
    """Controls of another signature: forces, flags of equalities, mocap bodies."""
    found = []
    for module, roll, model in zip((ours, theirs), (our_rollout, their_rollout), models,
                                   strict=True):  # fmt: skip
        spec = module.mjtState.mjSTATE_USER.value
        state, _, _ = inputs(model, size_of(module, model, "FULLPHYSICS"))
        data = module.MjData(model)
        drive = np.zeros((NBATCH, NSTEP, size_of(module, model, "USER")))
        data.eq_active[0] = True
        one = np.zeros(drive.shape[-1])
        module.mj_getState(model, data, one, spec)
        drive[:] = one
        drive[..., :8] = 0.1 * np.random.default_rng(1).standard_normal((NBATCH, NSTEP, 8))
        found.append(roll.rollout(model, data, state, drive, control_spec=spec))
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-10)


def test_trajectories_of_many_models(models: tuple[Any, Any]) -> None:
    """A model for each trajectory: some of them several times."""
    found = []
    for module, roll, model in zip((ours, theirs), (our_rollout, their_rollout), models,
                                   strict=True):  # fmt: skip
        heavy = copy.copy(model)
        heavy.body_mass[:] *= 2.0
        light = copy.copy(model)
        light.opt.gravity[2] = -1.0
        chosen = [model] * 5 + [heavy] * 5 + [light]
        state, control, _ = inputs(model, size_of(module, model, "FULLPHYSICS"))
        found.append(roll.rollout(chosen, module.MjData(model), state, control))
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("count", [2, NBATCH])
@pytest.mark.parametrize("bad", ["velocity", "control"])
@pytest.mark.filterwarnings("ignore")
def test_trajectories_end_at_warnings_as_mujocos(
    models: tuple[Any, Any], bad: str, count: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """A world whose numbers go wrong is reset, and its results repeat from then on."""
    found = []
    for module, roll, model in zip((ours, theirs), (our_rollout, their_rollout), models,
                                   strict=True):  # fmt: skip
        state, control, _ = inputs(model, size_of(module, model, "FULLPHYSICS"))
        if bad == "control":
            control[1, 7, 0] = np.nan
        else:
            state[1, 1 + model.nq] = 1e12
        found.append(roll.rollout(model, module.MjData(model), state[:count], control[:count]))
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-10)
    last = found[0][0][1]
    np.testing.assert_array_equal(last[-1], last[8 if bad == "control" else 1])


def test_callbacks_are_called(models: tuple[Any, Any]) -> None:
    """Functions of Python, with the data of each trajectory."""
    found = []
    for module, roll, model in zip((ours, theirs), (our_rollout, their_rollout), models,
                                   strict=True):  # fmt: skip
        state, _, _ = inputs(model, size_of(module, model, "FULLPHYSICS"))

        def control(m: Any, d: Any) -> None:
            d.ctrl[:] = np.sin(10.0 * d.qpos[:2])

        module.set_mjcb_control(control)
        try:
            found.append(roll.rollout(model, module.MjData(model), state, nstep=NSTEP))
        finally:
            module.set_mjcb_control(None)
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-10)


def test_results_go_where_they_are_wanted(models: tuple[Any, Any]) -> None:
    """Arrays for results, extents of one that are repeated, no controls, no steps."""
    model = models[0]
    size = size_of(ours, model, "FULLPHYSICS")
    state, _, _ = inputs(model, size)
    out = np.zeros((NBATCH, 4, size))
    found, readings = our_rollout.rollout(model, ours.MjData(model), state[0], state=out)
    assert found is out
    assert readings.shape == (NBATCH, 4, model.nsensordata)
    assert (found == found[0]).all()
    found, _ = our_rollout.rollout(model, ours.MjData(model), state, nstep=0)
    assert found.shape == (NBATCH, 0, size)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"control": "text"}, "control must be a numpy array or float"),
        ({"control": np.zeros((1, 1, 1, 1))}, "at most 3 dimensions"),
        ({"control": np.zeros((11, 3, 9))}, "trailing dimension of control must be 2, got 9"),
        ({"control": np.zeros((4, 3, 2))}, "dimension 0 inferred as 11 but control has 4"),
        ({"nstep": -1}, "non-negative"),
        ({"nstep": True}, "nstep must be an integer"),
        ({"chunk_size": 0}, "chunk_size must be a positive integer"),
        ({"control_spec": 1}, "control_spec"),
    ],
)
def test_bad_requests(models: tuple[Any, Any], given: dict[str, Any], message: str) -> None:
    """ValueErrors, as in MuJoCo."""
    model = models[0]
    state, _, _ = inputs(model, size_of(ours, model, "FULLPHYSICS"))
    with pytest.raises(ValueError, match=message):
        our_rollout.rollout(model, ours.MjData(model), state, **given)


def test_closed_pools_are_refused(models: tuple[Any, Any]) -> None:
    model = models[0]
    state, control, _ = inputs(model, size_of(ours, model, "FULLPHYSICS"))
    with our_rollout.Rollout(nthread=2) as pool:
        first, _ = pool.rollout(model, ours.MjData(model), state, control)
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.rollout(model, ours.MjData(model), state, control)
    again, _ = our_rollout.rollout(model, ours.MjData(model), state, control, persistent_pool=True)
    our_rollout.shutdown_persistent_pool()
    np.testing.assert_array_equal(first, again)
