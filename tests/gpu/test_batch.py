"""GpuBatchSim: arrays that go up and come down, resets, failures, limits."""

from __future__ import annotations

import gc
import weakref
from collections import deque

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import HANDMADE
from cortenforge.errors import (
    BufferReadback,
    DeviceLost,
    GpuSimError,
    InvalidAcceleration,
    InvalidPosition,
    InvalidTimestep,
    NotAvailable,
    ShapeError,
)
from cortenforge.gpu import GpuBatchSim, GpuSimContext, UnsupportedFeature
from cortenforge.kernel.wgsl.layout import BINDINGS
from tests.gpu.scenes import scene, stir

INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "userdata")


@pytest.fixture
def no_adapter(monkeypatch):
    """A machine without any GPU."""
    wgpu = pytest.importorskip("wgpu")
    monkeypatch.setattr(wgpu.gpu, "enumerate_adapters_sync", list)
    monkeypatch.setattr(GpuSimContext, "_made", None)
    monkeypatch.setattr(GpuSimContext, "_reason", None)


# what needs no adapter


def test_gpu_context_availability(monkeypatch):
    """10-E1: available exactly if the system lists an adapter; one context serves all who ask."""
    wgpu = pytest.importorskip("wgpu")
    monkeypatch.delenv("CORTENFORGE_GPU", raising=False)
    monkeypatch.setattr(GpuSimContext, "_made", None)
    monkeypatch.setattr(GpuSimContext, "_reason", None)
    listed = {adapter.info["device"] for adapter in wgpu.gpu.enumerate_adapters_sync()}
    assert GpuSimContext.is_available() == bool(listed)
    context = GpuSimContext.get()
    if not listed:
        assert context is None and "no adapter" in GpuSimContext._reason
        return
    assert context is GpuSimContext.get() is GpuSimContext.required()
    assert context.adapter_info["device"] in listed


def test_try_new_fallback_consistency():
    """10-AC3: None exactly where there is no adapter."""
    made = GpuBatchSim.try_new(scene("triple_pendulum"), 4)
    assert (made is not None) == GpuSimContext.is_available()


def test_not_available(no_adapter):
    """10-AC3: without an adapter, None from try_new; an error that says what to do otherwise."""
    assert not GpuSimContext.is_available()
    assert GpuBatchSim.try_new(scene("triple_pendulum"), 4) is None
    with pytest.raises(NotAvailable, match="mesa-vulkan-drivers"):
        GpuBatchSim(scene("triple_pendulum"), 4)


def test_named_adapter_that_is_not_there(gpu, monkeypatch):
    """A choice that matches nothing is said, not overridden."""
    monkeypatch.setattr(GpuSimContext, "_made", None)
    monkeypatch.setattr(GpuSimContext, "_reason", None)
    monkeypatch.setenv("CORTENFORGE_GPU", "no such device")
    with pytest.raises(NotAvailable, match="no such device"):
        GpuSimContext.required()


def test_gpu_unsupported_options(no_adapter):
    """10-E7: what the model needs is checked before the adapter, and listed; by try_new, too."""
    model = scene("triple_pendulum")
    model.opt.enableflags |= int(cf.enums.Enable.IPC)
    for make in (GpuBatchSim, GpuBatchSim.try_new):
        with pytest.raises(UnsupportedFeature) as caught:
            make(model, 4)
        assert "ipc" in caught.value.features[0]
    assert isinstance(caught.value, GpuSimError) and isinstance(caught.value, cf.UnsupportedFeature)


GAPS = {
    "histories": '<sensor><clock nsample="3"/></sensor>',
    "signed distance": "",
}


@pytest.mark.parametrize("name", GAPS)
def test_what_a_gpu_does_not_have_is_refused_by_name(name, no_adapter):
    """With the reason; the text says that it is the GPU's gap, and who steps the model."""
    geom = 'type="sdf" mesh="nut"' if name == "signed distance" else 'size="0.1"'
    asset = '<asset><mesh name="nut" sdf="torus" sdfparams="0.1 0.02"/></asset>'
    body = f"<body><freejoint/><geom {geom}/></body>"
    model = cf.Model.from_mjcf(
        f"<mujoco>{GAPS[name]}{asset}<worldbody>{body}{body}</worldbody></mujoco>"
    )
    with pytest.raises(UnsupportedFeature, match=name) as caught:
        GpuBatchSim(model, 1)
    assert "cannot be stepped on a GPU" in str(caught.value) and "BatchSim" in str(caught.value)


# sizes at the edge


def test_gpu_euler_ok(batch):
    """A batch knows its size and its device."""
    assert len(batch) == batch.n == 4
    assert "GpuBatchSim n=4" in repr(batch)
    assert batch.context.adapter_info["device"] in repr(batch)


def test_gpu_params_layout(batch):
    """10-E2: the uniform is what the shaders declare: the number of worlds, and a zero."""
    assert "struct Batch { nworld: i32, zero: u32 }" in BINDINGS
    (chunk,) = batch._buffers.chunks
    found = np.frombuffer(batch.context.read(chunk.uniform, 0, 16), np.int32)
    assert found.tolist() == [4, 0, 0, 0]


def test_gpu_params_from_model(batch):
    """10-E3: the model's numbers reach the device as f32."""
    place = batch._buffers.layout.places["m"]["opt_timestep"]
    buffer = batch._buffers.model[True]
    found = np.frombuffer(batch.context.read(buffer, 4 * place.offset, 4), np.float32)
    assert found[0] == np.float32(batch.model.opt.timestep)


def test_gpu_step_empty_batch(gpu):
    """10-E4: no worlds: nothing to do, nothing to report."""
    batch = GpuBatchSim(scene("triple_pendulum"), 0)
    assert batch.step_all(3) == []
    batch.forward_all()
    batch.reset_all()
    assert batch.qpos.shape == (0, 3) and batch.xpos.shape == (0, 4, 3)
    assert batch.cpu_reference().n == 0


def test_gpu_step_single_env(gpu):
    """One world."""
    batch = GpuBatchSim(scene("triple_pendulum"), 1)
    stir(batch)
    batch.qpos[:] = 0.3
    reference = batch.cpu_reference()
    assert batch.step_all() == [None]
    reference.step_all()
    np.testing.assert_allclose(batch.qvel, reference.qvel, rtol=5e-6)


@pytest.mark.parametrize("integrator", [0, 1], ids=["euler", "rk4"])
def test_gpu_step_nv_zero(gpu, integrator):
    """10-E5: a model in which nothing moves."""
    model = scene("nothing_moves")
    model.opt.integrator = integrator
    assert model.nv == 0
    batch = GpuBatchSim(model, 4)
    assert batch.step_all(5) == [None] * 4
    assert batch.time == pytest.approx(5 * model.opt.timestep)
    assert batch.xpos[3, 1].tolist() == [0, 0, 1]
    assert batch.qpos.shape == (4, 0)


# arrays


def test_arrays_have_the_shapes_of_data(gpu):
    """State and inputs float64, derived fields too, integers as integers."""
    batch = GpuBatchSim(scene("joints"), 3)
    data = batch.model.make_data()
    for name in ("qpos", "qvel", "act", "qacc_warmstart", *INPUTS, "xpos", "cvel", "M", "energy"):
        array = getattr(batch, name)
        assert array.shape == (3, *getattr(data, name).shape), name
        assert array.dtype == np.float64
    assert batch.time.shape == (3,)
    assert batch.status.dtype == np.int32


def test_arrays_start_as_data_does(gpu):
    """Exactly, although the device rounds."""
    batch = GpuBatchSim(scene("joints"), 2)
    data = batch.model.make_data()
    for name in ("qpos", "mocap_pos", "mocap_quat", "xquat"):
        np.testing.assert_array_equal(getattr(batch, name)[1], getattr(data, name))


def test_derived_fields_cannot_be_written(batch):
    """It would go nowhere."""
    batch.step_all()
    with pytest.raises(ValueError, match="read-only"):
        batch.xpos[:] = 0
    with pytest.raises(AttributeError, match="xpos"):
        batch.xpos = 0


def test_unknown_names(batch):
    """Neither read nor written."""
    with pytest.raises(AttributeError, match="qposs"):
        _ = batch.qposs
    with pytest.raises(AttributeError, match="qposs"):
        batch.qposs = 1.0
    with pytest.raises(ShapeError, match="qpos"):
        batch.qpos = np.zeros((4, 5))
    with pytest.raises(ShapeError):
        batch.bind("nonsense")
    batch.bind("xpos")


def test_assignment_broadcasts(batch):
    """As with BatchSim."""
    batch.qvel = 1.0
    batch.qpos = np.arange(3)
    assert batch.qvel.tolist() == [[1.0] * 3] * 4
    assert batch.qpos.tolist() == [[0.0, 1.0, 2.0]] * 4


def test_only_what_was_changed_goes_up(batch, monkeypatch):
    """10f: and only what is asked for comes down."""
    up, down = [], []
    upload, download = batch._buffers.upload, batch._buffers.download
    monkeypatch.setattr(
        batch._buffers, "upload", lambda name, values: (up.append(name), upload(name, values))
    )
    monkeypatch.setattr(
        batch._buffers, "download", lambda name: (down.append(name), download(name))[1]
    )
    batch.qfrc_applied[1, 0] = 0.5
    batch.step_all()
    assert up == ["qfrc_applied"] and down == ["steps_done", "warning_count"]
    assert batch.qpos is batch.qpos
    batch.xpos  # noqa: B018 - reading it is the point
    batch.xpos  # noqa: B018
    assert down == ["steps_done", "warning_count", "qpos", "xpos"]
    up.clear()
    batch.step_all()
    assert up == ["time"]


def test_writing_into_an_array_kept_from_before(batch):
    """What was written counts; what was not written is the device's."""
    stir(batch)
    kept = batch.qvel
    batch.step_all(10)
    kept[2, 1] = 0.25
    moved = batch.qvel
    assert moved is kept and moved[2, 1] == 0.25
    other = batch.cpu_reference()
    batch.step_all()
    other.step_all()
    np.testing.assert_allclose(batch.qvel, other.qvel, rtol=1e-4, atol=1e-6)


def test_writing_into_an_array_kept_from_before_without_reading(batch):
    """The same when it is never asked for again before the next step."""
    twin = GpuBatchSim(batch.model, 4)
    stir(batch)
    stir(twin)
    kept = batch.qvel
    batch.step_all(10)
    twin.step_all(10)
    kept[2] = 0.0
    twin.qvel[2] = 0.0
    batch.step_all()
    twin.step_all()
    np.testing.assert_array_equal(batch.get_states(), twin.get_states())


def test_edits_of_the_model_are_seen(batch):
    """Between steps, as on the CPU; what becomes unsupported is refused."""
    stir(batch)
    batch.step_all()
    batch.model.opt.gravity[:] = [0.0, 0.0, 5.0]
    batch.model.opt.integrator = 1
    batch.model.body_mass[1] *= 2
    reference = batch.cpu_reference()
    batch.step_all()
    reference.step_all()
    np.testing.assert_allclose(batch.qvel, reference.qvel, rtol=2e-5, atol=1e-6)
    batch.model.opt.enableflags |= int(cf.enums.Enable.IPC)
    with pytest.raises(UnsupportedFeature, match="ipc"):
        batch.step_all()


def test_reals_of_the_model_decide_nothing_in_shaders(batch):
    """Damping that was zero when the shaders were made is taken, as any real of the model."""
    stir(batch)
    batch.step_all()
    batch.model.dof_damping[1] = 0.7
    reference = batch.cpu_reference()
    for worlds in (batch, reference):
        worlds.step_all(5)
    np.testing.assert_allclose(batch.qvel, reference.qvel, rtol=2e-5, atol=1e-6)


def test_env_is_a_view_of_state_and_inputs(batch):
    """What is written to a world reaches the device."""
    stir(batch)
    batch.step_all(3)
    world = batch.env(2)
    np.testing.assert_array_equal(world.qpos, batch.qpos[2])
    world.qvel[:] = 0.5
    assert batch.qvel[2].tolist() == [0.5] * 3
    with pytest.raises(IndexError):
        batch.env(4)


def test_states_come_back(batch):
    """get_states and set_states."""
    stir(batch)
    batch.step_all(5)
    states = batch.get_states()
    batch.step_all(5)
    after = batch.get_states()
    batch.set_states(states)
    batch.step_all(5)
    np.testing.assert_array_equal(batch.get_states(), after)
    with pytest.raises(ShapeError):
        batch.set_states(states[:2])


# resets


def test_gpu_reset_single(batch):
    """Velocity, time and applied forces are zero, as after mj_resetData; other worlds go on."""
    batch.qfrc_applied[:] = 0.1
    batch.step_all(10)
    others = batch.qvel[[0, 1, 3]].copy()
    batch.reset(2)
    assert batch.time[2] == 0 and not batch.qvel[2].any() and not batch.qpos[2].any()
    np.testing.assert_array_equal(batch.qvel[[0, 1, 3]], others)
    assert not batch.qfrc_applied[2].any() and batch.qfrc_applied[3].tolist() == [0.1] * 3
    batch.qfrc_applied[2] = 0.1
    batch.step_all()
    assert batch.qvel[2].any() and batch.time[2] == batch.model.opt.timestep
    with pytest.raises(IndexError):
        batch.reset(4)


def test_gpu_reset_where(batch):
    """Only where the mask says so."""
    stir(batch)
    batch.step_all(10)
    before, time = batch.qpos.copy(), batch.time[0]
    batch.reset_where([False, True, False, True])
    assert batch.time.tolist() == [time, 0, time, 0]
    np.testing.assert_array_equal(batch.qpos[[0, 2]], before[[0, 2]])
    assert not batch.qpos[[1, 3]].any()
    with pytest.raises(ShapeError):
        batch.reset_where([True])


def test_gpu_reset_all(batch):
    """As a new batch."""
    stir(batch)
    batch.step_all(10)
    batch.reset_all()
    assert not batch.time.any() and not batch.qvel.any() and not batch.qpos.any()
    assert not batch.qfrc_applied.any()


# failures


def test_gpu_error_isolation(batch):
    """10-AC5: nan in one world is reported for it, and leaves the others as they would be."""
    twin = GpuBatchSim(batch.model, 4)
    for each in (batch, twin):
        stir(each)
    batch.qpos[1, 0] = np.nan
    errors = batch.step_all(3)
    twin.step_all(3)
    assert [error is None for error in errors] == [True, False, True, True]
    assert isinstance(errors[1], InvalidPosition)
    assert errors[1].object_name == "a" and errors[1].steps_done == 0
    np.testing.assert_array_equal(batch.qvel[[0, 2, 3]], twin.qvel[[0, 2, 3]])
    assert batch.status.tolist()[0] == 0 and batch.status.tolist()[1] != 0
    assert batch.time[1] == 0.0 and batch.time[0] > 0.0


def test_failed_world_keeps_its_state_and_its_error(batch):
    """No automatic reset: the same error again, until the cause is gone."""
    batch.qvel[2, 1] = np.inf
    before = batch.qpos[2].copy()
    assert isinstance(batch.step_all()[2], cf.InvalidVelocity)
    assert isinstance(batch.step_all()[2], cf.InvalidVelocity)
    np.testing.assert_array_equal(batch.qpos[2], before)
    batch.reset(2)
    assert batch.step_all() == [None] * 4


@pytest.mark.parametrize("name", ["qfrc_applied", "xfrc_applied"])
def test_bad_forces_are_reported(batch, name):
    """A force that is not a number is not skipped, wherever it stands."""
    for component in range(getattr(batch, name)[0].size):
        batch.reset_all()
        force = getattr(batch, name)
        force[:] = 0.0
        force.reshape(4, -1)[3, component] = np.nan
        errors = batch.step_all()
        on_the_world = name == "xfrc_applied" and component < 6
        assert (errors[3] is None) == on_the_world
        assert errors[:3] == [None] * 3
        if not on_the_world:
            assert isinstance(errors[3], InvalidAcceleration)


def test_massless_body(gpu):
    """An inertia matrix that is not positive is warned of, and the cause of bad accelerations."""
    model = scene("triple_pendulum")
    model.body_mass[3], model.body_inertia[3] = 0.0, 0.0
    batch = GpuBatchSim(model, 2)
    batch.qfrc_applied[1, 2] = 1e3
    with pytest.warns(cf.StepWarning, match="^world 0: the inertia matrix"):
        errors = batch.step_all()
    assert errors[0] is None and isinstance(errors[1], cf.CholeskyFailed)


def test_bad_timestep(batch):
    """Every world says so."""
    batch.model.opt.timestep = 0.0
    assert all(isinstance(error, InvalidTimestep) for error in batch.step_all())


def test_lost_device(batch, gpu, monkeypatch):
    """An error of its own, and the next batch looks for a device again."""
    monkeypatch.setattr(GpuSimContext, "_made", gpu)

    def lost(*_):
        raise gpu.wgpu.GPUError("Parent device is lost")

    monkeypatch.setattr(type(gpu.queue), "submit", lost)
    with pytest.raises(DeviceLost):
        batch.step_all()
    assert GpuSimContext._made is None


@pytest.mark.parametrize("call", ["submit", "read_buffer"])
@pytest.mark.parametrize("again", ["reset", "new"])
def test_a_batch_goes_on_after_an_error(call, again, gpu, monkeypatch):
    """10-S1: after a reset, or made anew, it steps as one that never failed."""
    model = scene("triple_pendulum")
    batch, calm = GpuBatchSim(model, 4), GpuBatchSim(model, 4)
    for one in (batch, calm):
        one.qvel[:] = 0.3
    batch.step_all(2)

    def fails(*_):
        raise gpu.wgpu.GPUError("mapping failed")

    with monkeypatch.context() as broken:
        broken.setattr(GpuSimContext, "_made", gpu)
        broken.setattr(type(gpu.queue), call, fails)
        batch.qfrc_applied[:] = 7.0
        with pytest.raises(GpuSimError):
            batch.step_all(2)
    if again == "reset":
        batch.reset_all()
    else:
        batch = GpuBatchSim(model, 4)
    batch.qvel[:] = 0.3
    for one in (batch, calm):
        assert one.step_all(3) == [None] * 4
    assert not batch.qfrc_applied.any()
    for name in ("qpos", "qvel", "time", "xpos"):
        np.testing.assert_array_equal(getattr(batch, name), getattr(calm, name))


def test_shaders_are_kept_for_a_while(gpu, monkeypatch):
    """Those of batches that are gone are freed, but for the latest: programs that go through many
    models would grow by 100 MB a model.
    """
    monkeypatch.setattr(gpu, "_latest", deque(maxlen=3))
    texts = [f"@compute @workgroup_size({k}) fn main() {{}}" for k in range(1, 9)]
    (held,) = gpu.pipelines([("held", texts[0])])
    others = [weakref.ref(one) for one in gpu.pipelines([("other", text) for text in texts[1:]])]
    assert gpu.pipelines([("held", texts[0])]) == [held]
    gc.collect()
    assert [one() is not None for one in others] == [False] * 4 + [True] * 3
    assert gpu.pipelines([("other", texts[-1])]) == [others[-1]()]


def test_readback_failure(batch, gpu, monkeypatch):
    """Results that cannot be read are an error, not zeros."""

    def fails(*_):
        raise gpu.wgpu.GPUError("mapping failed")

    monkeypatch.setattr(type(gpu.queue), "read_buffer", fails)
    with pytest.raises(BufferReadback, match="mapping failed"):
        _ = batch.xpos


def test_noise_of_sensors(gpu):
    """A device draws what the CPU draws, but for rounding."""
    model = cf.Model.from_mjcf('<mujoco><sensor><clock noise="1"/></sensor></mujoco>')
    batch, cpu = GpuBatchSim(model, 20), cf.BatchSim(model, 20)
    cpu.bind("sensordata")
    for one in (batch, cpu):
        one.seed_noise(2**24 - 20)
        assert one.step_all(4) == [None] * 20
    np.testing.assert_allclose(batch.sensordata, cpu.sensordata, atol=1e-5)
    assert batch.noise[:, 1].tolist() == [4] * 20 and np.std(cpu.sensordata) > 0.5


def test_readings_of_sensors(gpu):
    """Every sensor of smooth dynamics reads on a device what it reads in f64, but for rounding."""
    model = cf.Model.from_mjcf(HANDMADE / "sensors_smooth.xml")
    # close to the plane of a camera, pixels have no digits in f32
    steady = np.ones(model.nsensordata, bool)
    for i in np.flatnonzero(model.sensor_type == int(cf.enums.SensorType.CAMPROJECTION)):
        steady[model.sensor_adr[i] : model.sensor_adr[i] + 2] = False
    batch = GpuBatchSim(model, 4)
    rng = np.random.default_rng(0)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    start = batch.get_states()
    assert batch.step_all(1) == [None] * 4
    for i in range(4):
        data = model.make_data()
        data.set_state(start[i])
        data.step()
        size = np.maximum(1.0, np.abs(data.sensordata))
        error = np.abs(batch.sensordata[i] - data.sensordata) / size
        assert error[steady].max() < 1e-4
