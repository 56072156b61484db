"""What goes wrong while stepping is said, with the object, the value and the time."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.step.statuses import STATUSES

XML = """
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body name="torso"><freejoint name="root"/><geom size=".1"/>
      <body name="arm" pos=".2 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".05"/></body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def data():
    return cf.Model.from_mjcf(XML).make_data()


@pytest.mark.parametrize("value", [0.0, -0.01, math.nan, math.inf])
def test_invalid_timestep(data, value):
    """000-S6: a timestep that is not positive and finite is an error of its own."""
    data.model.opt.timestep = value
    with pytest.raises(cf.InvalidTimestep, match=r"opt\.timestep"):
        data.step()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.1e10])
def test_invalid_position(data, value):
    """000-S6: a bad position is named, with its joint; nothing is reset."""
    data.step(5)
    data.qpos[7] = value
    with pytest.raises(cf.InvalidPosition, match=r"qpos\[7\] of joint 'elbow'") as caught:
        data.step()
    error = caught.value
    assert error.object_name == "elbow" and error.time == data.time and error.steps_done == 0
    assert error.value == value or (math.isnan(error.value) and math.isnan(value))


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.1e10])
def test_invalid_velocity(data, value):
    """000-S6: a bad velocity is named, with its joint."""
    data.qvel[2] = value
    with pytest.raises(cf.InvalidVelocity, match=r"qvel\[2\] of joint 'root'") as caught:
        data.step()
    assert caught.value.dof == 2


@pytest.mark.parametrize("field", ["qfrc_applied", "xfrc_applied"])
def test_forces_that_are_not_finite(data, field):
    getattr(data, field)[-1] = math.nan
    before = data.get_state()
    with pytest.raises(cf.InvalidAcceleration, match=r"qacc\[\d\] of joint"):
        data.step()
    np.testing.assert_array_equal(data.get_state().vector, before.vector)


def test_limit_is_mujocos(data):
    """1e10 is still allowed, the next number is not."""
    data.qpos[0] = 1e10
    data.step()
    data.reset()
    data.qpos[0] = np.nextafter(1e10, math.inf)
    with pytest.raises(cf.InvalidPosition, match=r"qpos\[0\]"):
        data.step()


def test_divergence_stops_where_it_happens(data):
    """The state is the one before the failing step, and finite."""
    data.model.jnt_stiffness[1] = 1e4
    data.model.opt.timestep = 0.1
    data.qpos[7] = 1.0
    with pytest.raises(cf.StepError) as caught:
        data.step(100000)
    assert 0 < caught.value.steps_done < 100000
    assert np.isfinite(data.qpos).all()
    assert data.time == pytest.approx(0.1 * caught.value.steps_done)


def test_massless_dof_names_the_body(data):
    """A model edited into nonsense: an inertia matrix is the cause of bad accelerations."""
    data.model.body_mass[2] = -50.0
    with pytest.raises(cf.CholeskyFailed, match="not positive definite") as caught:
        data.model.body_inertia[2] = -5.0
        data.qvel[:] = 1e9
        data.qfrc_applied[:] = 1e300
        data.step(10)
    assert caught.value.object_name


SINGULAR = """<mujoco><worldbody><body name="box">
  <joint name="x" type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
  <joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 1 0"/>
  <geom type="box" size=".05 .05 .05" mass="1"/></body></worldbody></mujoco>"""


def test_singular_inertia_is_factored_as_in_mujoco():
    """Four slides in three dimensions: forward warns and gives MuJoCo's numbers."""
    mujoco = pytest.importorskip("mujoco")
    reference = mujoco.MjModel.from_xml_string(SINGULAR)
    theirs = mujoco.MjData(reference)
    mujoco.mj_forward(reference, theirs)
    ours = cf.Model.from_mjcf(SINGULAR).make_data()
    for smooth_only in (True, False):
        with pytest.warns(cf.StepWarning, match="not positive definite at dof 0 .joint 'x'"):
            ours.forward(smooth_only=smooth_only)
    for name in ("M", "qLD", "qLDiagInv", "qacc"):
        expected = getattr(theirs, name)
        np.testing.assert_allclose(getattr(ours, name), expected, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_singular_inertia_steps_as_in_mujoco(integrator):
    """With a warning, alone and in a batch."""
    mujoco = pytest.importorskip("mujoco")
    text = SINGULAR.replace("<worldbody>", f'<option integrator="{integrator}"/><worldbody>')
    reference = mujoco.MjModel.from_xml_string(text)
    theirs = mujoco.MjData(reference)
    model = cf.Model.from_mjcf(text)
    data, batch = model.make_data(), cf.BatchSim(model, 3)
    for one in (theirs, data):
        one.qvel[:] = 0.1, 0.2, 0.3, 0.4
    batch.qvel[:] = data.qvel
    mujoco.mj_step(reference, theirs, 20)
    with pytest.warns(cf.StepWarning, match=r"its pivot is 1\.0e-15 or less"):
        data.step(20)
    with pytest.warns(cf.StepWarning, match=r"^world 0 and 2 more: .* not positive definite"):
        assert batch.step_all(20) == [None] * 3
    np.testing.assert_allclose(data.qpos, theirs.qpos, rtol=0, atol=1e-12)
    assert (batch.qpos == data.qpos).all()


def test_singular_inertia_is_to_blame():
    """000.1-S1: a force along what has no inertia: a bad acceleration, and the error says why."""
    data = cf.Model.from_mjcf(SINGULAR).make_data()
    data.qfrc_applied[:] = 1.0, 0.0, 0.0, -1.0
    with pytest.raises(cf.CholeskyFailed, match="not positive definite at dof 0"):
        data.step()
    assert data.time == 0


def test_errors_form_a_tree():
    """Users can catch one class."""
    for kind in (cf.InvalidPosition, cf.InvalidVelocity, cf.CholeskyFailed, cf.LuSingular):
        assert issubclass(kind, cf.StepError) and issubclass(kind, cf.CortenForgeError)


def test_every_error_of_a_step_can_be_raised():
    """An error that no status leads to would be a promise that nothing keeps."""
    raised = {status.error for status in STATUSES.values()}
    assert set(cf.StepError.__subclasses__()) <= raised


def test_unsupported_features_are_listed():
    """The model loads; stepping refuses; smooth dynamics still work; a flag takes it away."""
    body = '<body><joint name="j"/><geom size=".1"/></body>'
    flag = '<option><flag sleep="enable"/></option>'
    tendon = '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
    model = cf.Model.from_mjcf(
        f"<mujoco>{flag}<worldbody>{body}</worldbody>{tendon}"
        '<equality><tendon tendon1="t"/></equality></mujoco>'
    )
    assert any("with sleep" in line for line in model.supported())
    data = model.make_data()
    for call in (data.step, data.forward):
        with pytest.raises(cf.UnsupportedFeature, match="tendon equalities"):
            call()
    data.forward(smooth_only=True)
    assert np.isfinite(data.qacc_smooth).all()
    model.opt.enableflags = 0
    assert model.supported() == []
    data.step()


@pytest.mark.parametrize("name", ["integrator", "cone", "jacobian", "solver"])
def test_options_that_choose_nothing_are_refused(name):
    """With what there is to choose from."""
    model = cf.Model.from_mjcf("<mujoco/>")
    with pytest.raises(cf.ArgumentError, match=f"opt.{name}: expected one of 0 "):
        setattr(model.opt, name, 9)
    model._store.arrays[f"opt_{name}"][...] = 9
    with pytest.raises(cf.ModelError, match=f"opt.{name} is 9: expected 0 "):
        model.make_data().step()


def test_unsupported_options_are_listed():
    model = cf.Model.from_mjcf('<mujoco><option><flag ipc="enable"/></option></mujoco>')
    with pytest.raises(cf.UnsupportedFeature, match="ipc"):
        model.make_data().step()


def test_negative_count_is_refused(data):
    """A mistake, not a request for nothing."""
    with pytest.raises(ValueError, match="nstep"):
        data.step(-1)
    with pytest.raises(TypeError):
        data.step(1.5)
    data.step(0)
    assert data.time == 0.0


@pytest.mark.parametrize("name", ["qpos", "qvel", "qfrc_applied"])
def test_without_autoreset_the_error_names_the_flag(data, name):
    """MuJoCo goes on from bad numbers with this flag; here the step is refused by its name."""
    data.model.opt.disableflags = cf.enums.Disable.AUTORESET
    data.step()
    getattr(data, name)[1] = math.nan
    with pytest.raises(cf.StepError, match='flag autoreset="disable": MuJoCo goes on'):
        data.step()
