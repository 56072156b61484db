"""mujoco.batch: many simulations beside one MjData each, and beside MuJoCo's batch."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import cortenforge.mujoco as ours
from cortenforge.mujoco import batch as our_batch

theirs = pytest.importorskip("mujoco")
their_batch = pytest.importorskip("mujoco.batch")
pytestmark = pytest.mark.oracle

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size=".1 .1 .1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping=".1"/>
        <geom name="rod" type="capsule" fromto="0 0 0 0 0 .5" size=".03"/>
        <site name="tip" pos="0 0 .5"/></body></body>
    <body name="ball" pos="0 1 .3"><freejoint name="free"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="slide"/></actuator>
  <sensor><accelerometer name="shake" site="tip"/></sensor>
  <keyframe><key name="up" qpos=".1 .2 0 1 .5 1 0 0 0"/><key qpos="0 1 0 1 .5 1 0 0 0"/></keyframe>
</mujoco>
"""
N = 9


@pytest.fixture(scope="module")
def models() -> tuple[Any, Any]:
    return ours.MjModel.from_xml_string(XML), theirs.MjModel.from_xml_string(XML)


def pair(models: tuple[Any, Any], nthread: int = 2, persistent: bool = False) -> list[Any]:
    """The same batch in both, with random velocities and controls."""
    made = []
    for module, model in zip((our_batch, their_batch), models, strict=True):
        one = module.Batch(model, N, nthread, persistent)
        rng = np.random.default_rng(3)
        one.qvel[:] = 0.3 * rng.standard_normal((N, model.nv))
        one.ctrl = rng.standard_normal((N, model.nu))
        made.append(one)
    return made


def assert_same(mine: Any, other: Any, *names: str) -> None:
    for name in names:
        np.testing.assert_allclose(
            getattr(mine, name), getattr(other, name), rtol=1e-10, atol=1e-10, err_msg=name
        )


def assert_same_values(mine: Any, other: Any, *names: str) -> None:
    """Expanded fields are the same."""
    for name in names:
        np.testing.assert_allclose(
            mine.expanded(name), other.expanded(name), rtol=1e-10, atol=1e-10, err_msg=name
        )


FIELDS = ("state", "qpos", "qvel", "time", "xpos", "sensordata", "site_xmat", "qacc", "ncon")


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("nthread", [1, 3])
def test_steps_are_mujocos(models: tuple[Any, Any], nthread: int, persistent: bool) -> None:
    """States, and fields one step behind them; of all simulations, and of some."""
    mine, other = pair(models, nthread, persistent)
    for one in (mine, other):
        for name in FIELDS[4:]:
            one.bind(name)
        one.step(nstep=20)
        one.step([1, 4, 8], nstep=10)
        one.step(np.arange(N) % 2 == 0)
    assert_same(mine, other, *FIELDS)


@pytest.mark.parametrize("stage", ["VEL", "ACC"])
def test_stages_are_computed_at_the_new_state(models: tuple[Any, Any], stage: str) -> None:
    mine, other = pair(models)
    for module, one in ((ours, mine), (theirs, other)):
        one.bind("xpos")
        one.step(nstep=5, stage=getattr(module.mjtStage, f"mjSTAGE_{stage}").value)
    assert_same(mine, other, "state", "xpos")


def test_resets_are_mujocos(models: tuple[Any, Any]) -> None:
    """To the defaults, to one keyframe, to one for each."""
    mine, other = pair(models)
    for one in (mine, other):
        one.bind("xpos")
        one.step(nstep=10)
        one.reset([0, 1])
        one.reset([2, 3], keyframe=1)
        one.reset([5, 6, 8], keyframe=[0, -1, 1])
    assert_same(mine, other, "state", "xpos")
    with pytest.raises(ValueError, match="keyframe must be in"):
        mine.reset(keyframe=2)


def test_simulations_differ_in_expanded_fields(models: tuple[Any, Any]) -> None:
    """Masses, gravity and what follows from them."""
    mine, other = pair(models)
    pole = models[0].body("pole").id
    for one in (mine, other):
        one.body("pole").mass = np.linspace(0.1, 2.0, N)[:, None]
        one.expand("opt.gravity")[:, 2] = np.linspace(-9.81, -1.0, N)
        one.set_const()
        one.step(nstep=10)
    assert_same(mine, other, "state")
    expanded = mine.expanded("body_subtreemass")
    assert expanded is not None
    np.testing.assert_allclose(expanded[:, pole], np.linspace(0.1, 2.0, N))
    assert mine.get_model(3).body_mass[pole] == np.linspace(0.1, 2.0, N)[3]
    assert mine.expanded("geom_friction") is None


def test_constants_follow_though_the_first_simulation_is_unchanged(
    models: tuple[Any, Any],
) -> None:
    """The first simulation has the model's mass, the others have not."""
    mine = pair(models)[0]
    pole = models[0].body("pole").id
    mass = mine.expand("body_mass")
    mass[1:, pole] *= 2.0
    mine.set_const()
    found = mine.expanded("body_subtreemass")
    assert found is not None
    np.testing.assert_allclose(found[:, pole], mass[:, pole])


def test_constants_of_some_simulations(models: tuple[Any, Any]) -> None:
    """Others keep theirs, though their masses have changed as well."""
    mine, other = pair(models)
    for one in (mine, other):
        one.body("pole").mass = np.linspace(0.1, 2.0, N)[:, None]
        one.set_const([1, 5])
    assert_same_values(mine, other, "body_subtreemass", "dof_invweight0")


def test_constants_that_cannot_be_computed() -> None:
    """A body that slides without mass: its simulation is named, and the others have theirs."""
    body = "<body><joint type='slide'/><geom size='.1'/></body>"
    xml = f"<mujoco><worldbody>{body}</worldbody></mujoco>"
    for module, batches in ((ours, our_batch), (theirs, their_batch)):
        one = batches.Batch(module.MjModel.from_xml_string(xml), 3)
        one.expand("body_mass")[:, 1] = [0.0, 2.0, 0.0]
        with pytest.raises(batches.SimulationError) as caught:
            one.set_const([0, 1])
        assert caught.value.ids.tolist() == [0]
        assert one.expanded("dof_invweight0")[1, 0] == 0.5
        assert one.status[2] == 0


def test_simulations_differ_in_integers(models: tuple[Any, Any]) -> None:
    """Options and contact masks, as types of numbers that MuJoCo's have, and the steps by them."""
    mine, other = pair(models)
    for one in (mine, other):
        one.bind("sensordata")
        one.expand("opt.integrator")[::2] = int(ours.mjtIntegrator.mjINT_IMPLICITFAST)
        one.geom("floor").contype = (np.arange(N) % 3 > 0)[:, None]
        one.geom("floor").conaffinity = (np.arange(N) % 3 > 0)[:, None]
        one.qpos[:, 4] = 0.09
        one.step(nstep=20)
    assert_same(mine, other, "state", "sensordata")
    assert_same_values(mine, other, "opt.integrator", "geom_contype")
    assert np.ptp(mine.qpos[:, 4]) > 0.01
    assert mine.get_model(0).opt.integrator == ours.mjtIntegrator.mjINT_IMPLICITFAST
    assert mine.get_model(1).opt.integrator == ours.mjtIntegrator.mjINT_EULER


def test_all_fields_are_expanded_as_mujocos(models: tuple[Any, Any]) -> None:
    """Each field that can be expanded has the shape, the type and the values of MuJoCo's."""
    mine, other = pair(models)
    assert our_batch.MODEL_FIELDS <= their_batch.MODEL_FIELDS
    for name in sorted(our_batch.MODEL_FIELDS):
        own, their = mine.expand(name), other.expand(name)
        assert (own.shape, own.dtype) == (their.shape, their.dtype), name
        np.testing.assert_allclose(own, their, rtol=1e-10, atol=1e-10, err_msg=name)


def test_types_that_are_wrong_fail_their_simulations_alone(models: tuple[Any, Any]) -> None:
    """Two of nine fail, keep their state, and go on when their types are right again."""
    mine = pair(models)[0]
    kinds = mine.expand("geom_type")
    kept, before = kinds[0].copy(), mine.state.copy()
    kinds[[3, 6]] = 99
    with pytest.raises(our_batch.SimulationError, match=r"2 of 9 simulations \(3, 6\)") as caught:
        mine.step()
    assert caught.value.ids.tolist() == np.flatnonzero(mine.status).tolist() == [3, 6]
    assert "geom_type" in mine.error(3) and not mine.error(0)
    np.testing.assert_array_equal(mine.state[[3, 6]], before[[3, 6]])
    assert (np.delete(mine.time, [3, 6]) > 0.0).all()
    kinds[[3, 6]] = kept
    mine.step()
    assert not mine.status.any()


def test_models_of_the_caller(models: tuple[Any, Any]) -> None:
    """One for each simulation, which are read when they are used; then one for all; then none."""
    mine, other = pair(models)
    pole = models[0].body("pole").id
    for module, model, one in zip((ours, theirs), models, (mine, other), strict=True):
        variants = [copy.copy(model) for _ in range(N)]
        one.set_models(variants)
        for i, variant in enumerate(variants):
            variant.body_mass[pole] = 0.1 * (i + 1)
            module.mj_setConst(variant, module.MjData(variant))
        one.step(nstep=10)
        assert one.models == tuple(variants)
        np.testing.assert_array_equal(
            one.body("pole").mass[:, 0], [v.body_mass[pole] for v in variants]
        )
        with pytest.raises(ValueError, match="set_models"):
            one.body("pole").mass = 1.0
        for refused in (lambda one=one: one.expand("body_mass"), one.set_const):
            with pytest.raises(module.FatalError):
                refused()
        one.set_models(variants[2])
        one.step(nstep=3)
        assert one.get_model(8).body_mass[pole] == variants[2].body_mass[pole]
        into = one.get_model(5, copy.copy(model))
        assert into.body_mass[pole] == variants[2].body_mass[pole]
        one.set_models(None)
        one.step(nstep=3)
        assert one.models is None
        one.expand("body_mass")
        with pytest.raises(module.FatalError):
            one.set_models(variants)
    assert_same(mine, other, "state")


def test_models_of_another_structure(models: tuple[Any, Any]) -> None:
    other = ours.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    mine = pair(models)[0]
    with pytest.raises(ValueError, match="same structure"):
        mine.set_models(other)
    assert mine.models is None


def test_results_of_the_solver(models: tuple[Any, Any]) -> None:
    """Iterations of simulations in contact, which are stepped one by one for them."""
    mine = pair(models)[0]
    mine.qpos[:, 4] = np.linspace(0.05, 0.3, N)
    state = mine.state.copy()
    found = mine.rollout(3, record=("solver_niter",))["solver_niter"]
    for i in range(N):
        data = ours.MjData(models[0])
        ours.mj_setState(models[0], data, state[i], ours.mjtState.mjSTATE_INTEGRATION)
        for k in range(3):
            ours.mj_step(models[0], data)
            np.testing.assert_array_equal(found[i, k], data.solver_niter)
    assert found.dtype == np.int32 and found.any()


def test_named_views_are_written_where_they_were_expanded(models: tuple[Any, Any]) -> None:
    """What was derived stays derived: it is computed again, and cannot be written in place."""
    mine = pair(models)[0]
    pole = mine.body("pole")
    assert not pole.mass.flags.writeable
    pole.mass = np.arange(1.0, N + 1)[:, None]
    mine.set_const()
    assert pole.mass.flags.writeable and not pole.invweight0.flags.writeable
    before = pole.invweight0.copy()
    pole.mass = 2.0 * np.arange(1.0, N + 1)[:, None]
    mine.set_const()
    assert (pole.invweight0[:, 0] < before[:, 0]).all()


def test_rollouts_are_mujocos(models: tuple[Any, Any]) -> None:
    """Fields and states after each step, with controls."""
    mine, other = pair(models)
    control = np.random.default_rng(1).standard_normal((N, 12, 1))
    found = []
    for module, one in ((ours, mine), (theirs, other)):
        spec = module.mjtState.mjSTATE_FULLPHYSICS.value
        made = one.rollout(12, control, record=("qpos", "sensordata", spec))
        found.append([made["qpos"], made["sensordata"], made[spec]])
    for own, their in zip(*found, strict=True):
        np.testing.assert_allclose(own, their, rtol=1e-10, atol=1e-10)
    with pytest.raises(ValueError, match="must be a writable"):
        mine.rollout(2, record=("qpos",), out={"qpos": np.zeros((N, 3, 9))})


def test_jacobians_and_rays_are_mujocos(models: tuple[Any, Any]) -> None:
    mine, other = pair(models)
    found = []
    for one, model in zip((mine, other), models, strict=True):
        one.step(nstep=7)
        jac = one.jac(model.body("pole").id, [0.1, 0.2, 0.9], ids=[0, 3, 5])
        ray = one.ray([[0, 0, 3], [0, 1, 3.0]], [0, 0, -1.0], normal=True)
        found.append([*jac, *ray])
    for own, their in zip(*found, strict=True):
        np.testing.assert_allclose(own, their, rtol=1e-10, atol=1e-10)


def test_named_views_are_slices(models: tuple[Any, Any]) -> None:
    """Of states, results and parameters, by the names of objects."""
    mine, other = pair(models)
    for one in (mine, other):
        one.joint("hinge").qpos = 0.25
        one.actuator("push").ctrl = np.arange(N)[:, None]
        one.step(nstep=2)
    for kind, name, field in (("joint", "hinge", "qpos"), ("joint", "free", "qvel"),
                              ("body", "pole", "xpos"), ("sensor", "shake", "data"),
                              ("geom", "rod", "xmat"), ("body", "pole", "mass"),
                              ("joint", "hinge", "qposadr")):  # fmt: skip
        own, their = (getattr(getattr(one, kind)(name), field) for one in (mine, other))
        np.testing.assert_allclose(own, their, atol=1e-10, err_msg=f"{kind} {field}")
    with pytest.raises(ValueError, match="computed by every call"):
        mine.body("pole").xpos = 0.0
    with pytest.raises(ValueError, match="structural"):
        mine.joint("hinge").qposadr = 1
    with pytest.raises(KeyError, match="nobody"):
        mine.body("nobody")


def test_numbers_that_go_wrong_are_counted(models: tuple[Any, Any]) -> None:
    """A simulation that is reset, as by mj_step; its rollout stops there."""
    mine, other = pair(models)
    found = []
    for module, one in ((ours, mine), (theirs, other)):
        one.qvel[3, 0] = np.inf
        spec = module.mjtState.mjSTATE_TIME.value
        found.append(one.rollout(4, record=(spec,))[spec])
    np.testing.assert_allclose(*found)
    np.testing.assert_array_equal(mine.warning[..., 1], other.warning[..., 1])
    assert mine.warning[3].any()


def test_persistent_simulations_keep_their_data(models: tuple[Any, Any]) -> None:
    """What calls have computed stays, with fields that differ between simulations as well."""
    mine, other = pair(models, 2, True)
    for one in (mine, other):
        one.body("pole").mass = np.linspace(0.1, 2.0, N)[:, None]
        one.set_const()
        one.step(nstep=5)
    assert_same(mine, other, "state", "xpos")
    data, their = mine.get_data(4), other.get_data(4)
    for name in ("qpos", "xpos", "qfrc_bias", "sensordata", "time"):
        np.testing.assert_allclose(getattr(data, name), getattr(their, name), atol=1e-10)


def test_data_of_one_simulation(models: tuple[Any, Any]) -> None:
    mine = pair(models)[0]
    mine.step(nstep=3)
    data = mine.get_data(2)
    np.testing.assert_array_equal(data.qpos, mine.qpos[2])
    assert data.time == mine.time[2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: b.bind("efc_J"), ValueError, "size changes"),
        (lambda b: b.bind("qpso"), ValueError, "did you mean 'qpos'"),
        (lambda b: b.bind("body_mass"), ValueError, "use expand"),
        (lambda b: b.expand("qpos"), ValueError, "use bind"),
        (lambda b: b.step([3, 1]), ValueError, "sorted"),
        (lambda b: b.step([0.5]), ValueError, "integers"),
        (lambda b: b.step([N]), ValueError, "must be in"),
        (lambda b: b.step(np.ones(3, bool)), ValueError, "mask"),
        (lambda b: b.qpso, AttributeError, "did you mean 'qpos'"),
        (lambda b: b.set_models([]), ValueError, "one model per simulation"),
        (lambda b: b.set_models("model"), ValueError, "one model per simulation"),
        (lambda b: b.set_models([None] * N), TypeError, "expected models"),
        (lambda b: b.set_const([N]), ValueError, "must be in"),
        (lambda b: b.expand("geom_type_"), ValueError, "did you mean 'geom_type'"),
        (lambda b: our_batch.Batch(b.model, 0), ValueError, "nsim"),
    ],
)
def test_bad_requests(models: tuple[Any, Any], call: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        call(pair(models)[0])


def test_results_cannot_be_written(models: tuple[Any, Any]) -> None:
    mine = pair(models)[0]
    with pytest.raises(ValueError, match="read-only"):
        mine.bind("xpos")[:] = 0.0
    with pytest.raises(ValueError, match="cannot be written"):
        mine.xpos = 0.0


def test_callbacks_are_refused(models: tuple[Any, Any]) -> None:
    """A batch calls no functions of Python, as MuJoCo's does not."""
    mine = pair(models)[0]
    ours.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match="is a Python function"):
            mine.step()
        with pytest.raises(ValueError, match="is a Python function"):
            our_batch.Batch(models[0], 2)
    finally:
        ours.set_mjcb_control(None)
    mine.step()


def test_sleeping_models_need_a_persistent_batch(models: tuple[Any, Any]) -> None:
    model = ours.MjModel.from_xml_string(
        XML.replace("<worldbody>", '<option><flag sleep="enable"/></option><worldbody>', 1)
    )
    with pytest.raises(ValueError, match="persistent=True"):
        our_batch.Batch(model, 2)
    batch = our_batch.Batch(model, 2, 1, True)
    batch.step(nstep=3)
    assert batch.time.tolist() == pytest.approx([0.006, 0.006])
