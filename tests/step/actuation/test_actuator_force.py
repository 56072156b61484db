"""Forces of actuators, and what joints feel of them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from conformance.driven import driven_model, pulled_model
from tests.batch.test_lanes import DERIVED, assert_same_bits
from tests.step.actuation.driven import FREE_TO_ACT, driven_cases, hinge, set_both
from tests.step.stages import field, pair, states, written_by

FORCES = written_by("step.actuation.actuator_force")


@driven_cases()
def test_fields_are_mujocos(source):
    """Every kind of gain and bias, with all limits, at random controls and activations."""
    for both in states(source):
        both.assert_equal(*FORCES)


@driven_cases()
def test_without_clamping_and_without_a_group(source):
    """The flag of controls and the groups that are switched off mean what MuJoCo means."""
    both, rng = pair(source), np.random.default_rng(1)
    for model in (both.model, both.reference):
        model.opt.disableactuator = 0b101_0010
        model.opt.disableflags |= int(cf.enums.Disable.CLAMPCTRL)
    for _ in range(3):
        both.write(rng)
        both.forward()
        both.assert_equal(*FORCES, *written_by("step.actuation.activation"))
        both.step()
        both.assert_equal(field("act"))


@pytest.mark.parametrize("speed", [-1.5, 0.0, 2.0])
def test_affine_gain_is_damping(speed):
    """8-AC1: gaintype affine with gainprm 0 0 -5 gives the force -5 v ctrl."""
    both = hinge(
        '<general joint="j" gaintype="affine" gainprm="0 0 -5" biastype="none" '
        'ctrllimited="true" ctrlrange="0 1"/>'
    )
    set_both(both, qvel=speed, ctrl=0.7)
    both.forward()
    assert both.data.actuator_force[0] == pytest.approx(-5 * speed * 0.7, abs=1e-14)
    both.assert_equal(*FORCES)


#: an actuator, and the torque at its hinge for an angle, a speed and a control
TORQUES = {
    '<motor joint="j" gear="3"/>': lambda q, v, u: 3 * u,
    '<motor joint="j" gear="-2" ctrllimited="true" ctrlrange="-.5 .5"/>': (
        lambda q, v, u: -2 * min(max(u, -0.5), 0.5)
    ),
    '<position joint="j" kp="50" kv="2"/>': lambda q, v, u: 50 * (u - q) - 2 * v,
    '<position joint="j" kp="50" gear="2"/>': lambda q, v, u: 2 * 50 * (u - 2 * q),
    '<velocity joint="j" kv="4"/>': lambda q, v, u: 4 * (u - v),
    '<general joint="j" gainprm="3" biastype="affine" biasprm="1 -2 -.5" gear="4"/>': (
        lambda q, v, u: 4 * (3 * u + 1 - 2 * 4 * q - 0.5 * 4 * v)
    ),
    '<motor joint="j" gear="10" forcelimited="true" forcerange="-.2 .2"/>': (
        lambda q, v, u: 10 * min(max(u, -0.2), 0.2)
    ),
}


@pytest.mark.parametrize("actuator", TORQUES)
@pytest.mark.parametrize("control", [-0.9, 0.1, 0.7])
def test_torques_of_controls(actuator, control):
    """002-I3: gear times gain times control and bias, at the joint and in its acceleration."""
    data, free = hinge(actuator).data, hinge('<motor joint="j"/>').data
    for one in (data, free):
        one.qpos[:], one.qvel[:] = 0.3, -0.4
    data.ctrl[:] = control
    torque = TORQUES[actuator](0.3, -0.4, control)
    free.qfrc_applied[:] = torque
    for one in (data, free):
        one.forward()
    assert data.qfrc_actuator[0] == pytest.approx(torque, rel=1e-13)
    assert data.qacc[0] == pytest.approx(free.qacc[0], rel=1e-12)


def forces(actuator: str, controls: np.ndarray) -> np.ndarray:
    """Forces along a rollout; each step agrees with MuJoCo."""
    both, found = hinge(actuator), []
    set_both(both, qpos=0.3, qvel=-0.4)
    for control in controls:
        set_both(both, ctrl=control)
        both.forward()
        both.assert_equal(*FORCES, field("act_dot"))
        both.step()
        both.assert_equal(field("act"), field("qpos"))
        found.append(both.data.actuator_force[0])
    return np.array(found)


CONTROLS = np.sin(np.arange(40) * 0.4)


def test_servo_by_its_parts():
    """8-AC4: a general actuator with a servo's parameters has the servo's forces, bit by bit."""
    general = (
        '<general joint="j" gaintype="fixed" gainprm="100" biastype="affine" '
        'biasprm="0 -100 -10" dyntype="filterexact" dynprm="0.01"/>'
    )
    servo = '<position joint="j" kp="100" kv="10" timeconst="0.01"/>'
    assert np.array_equal(forces(general, CONTROLS), forces(servo, CONTROLS))


MUSCLE = "0.75 1.05 -1 200 0.5 1.6 1.5 0.6 1.4"


def test_muscle_by_its_parts():
    """8-AC5: a general actuator with a muscle's parameters has the muscle's forces."""
    general = (
        '<general joint="j" gaintype="muscle" biastype="muscle" dyntype="muscle" '
        f'gainprm="{MUSCLE}" biasprm="{MUSCLE}" dynprm="0.01 0.04 0" lengthrange="0 1"/>'
    )
    muscle = (
        '<muscle joint="j" timeconst="0.01 0.04" range="0.75 1.05" force="-1" scale="200" '
        'lmin="0.5" lmax="1.6" vmax="1.5" fpmax="0.6" fvmax="1.4" lengthrange="0 1"/>'
    )
    assert np.array_equal(forces(general, CONTROLS), forces(muscle, CONTROLS))


@pytest.mark.parametrize("length", np.linspace(-2, 4, 25))
def test_curves_of_a_muscle(length):
    """All pieces of the curves over length and velocity, and their ends."""
    both = hinge(
        '<muscle joint="j" lengthrange="0.5 1.5" range="0.6 1.3" force="10" lmin="0.5" '
        'lmax="1.7" vmax="1.2" fpmax="1.4" fvmax="1.3" timeconst="0.02 0.06" tausmooth="0.3"/>'
    )
    for speed in np.linspace(-2, 2, 21):
        set_both(both, qpos=length, qvel=speed, act=0.6, ctrl=0.5 + 0.4 * speed)
        both.forward()
        both.assert_equal(*FORCES, field("act_dot"))


def test_orientation_servo_turns_the_short_way():
    """Equal to MuJoCo for both charts, with an integrator, and with a limit of torque."""
    servos = (
        '<orientation joint="ball" kp="3" kv="0.2"/>'
        '<orientation joint="ball" kp="3" input="quat" forcerange="0 1"/>'
        '<orientation site="tip" refsite="hull" kp="2"/>'
        '<general site="elbow" refsite="rail" gaintype="so3" biastype="so3" gainprm="2" '
        'biasprm="0.3 -2 -0.1" dyntype="integrator" actearly="true"/>'
    )
    for both in states(FREE_TO_ACT.format(actuators=servos)):
        both.assert_equal(*FORCES)
        both.step()
        both.assert_equal(field("act"), field("qvel"))


def test_limit_of_a_joint():
    """The sum of two actuators is limited where the joint says so."""
    both = hinge('<motor joint="j" gear="2"/><motor joint="j"/>', joint='actuatorfrcrange="-1 4"')
    for controls, force in (((3, 1), 4.0), ((-3, 1), -1.0), ((1, 0.5), 2.5)):
        set_both(both, ctrl=controls)
        both.forward()
        assert both.data.qfrc_actuator[0] == force
        both.assert_equal(*FORCES)


PULLED = """
<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" axis="0 1 0"/>
<geom size=".1" pos=".3 0 0"/></body></worldbody>
<tendon><fixed name="t" actuatorfrcrange="-1 2"><joint joint="j" coef="0.5"/></fixed></tendon>
<actuator><motor tendon="t" gear="2"/><motor tendon="t" gear="3" {range}/><motor joint="j"/>
<dcmotor tendon="t" motorconst="1" resistance="2" lugre="1 2 3 4 5"/></actuator></mujoco>"""


@pytest.mark.parametrize(
    ("controls", "forces"),
    [
        ((1, 0.5, 3), (1, 0.5)),
        ((3, 1, 0), (1.5, 0.5)),
        ((-3, 1, 0), (-1.5, 0.5)),
        ((3, -3, 0), (3, -3)),
        ((0, 0, 1), (0, 0)),
    ],
)
def test_limit_of_a_tendon(controls, forces):
    """All actuators of a tendon are scaled so that their sum, without gears, is in range."""
    both = pair(PULLED.format(range=""))
    set_both(both, ctrl=(*controls, 0), qvel=0.3)
    data = both.data
    both.forward()
    both.assert_equal(*FORCES)
    set_both(both, qvel=0)
    both.forward()
    assert data.actuator_force[:2] == pytest.approx(forces, abs=1e-15)
    both.assert_equal(*FORCES)


def test_limits_of_tendons_come_first():
    """An actuator's own limit holds for what its tendon's limit leaves."""
    both = pair(PULLED.format(range='forcerange="-0.4 0.4"'))
    set_both(both, ctrl=(3, 1, 0, 0))
    both.forward()
    assert both.data.actuator_force[:2] == pytest.approx([1.5, 0.4], abs=1e-15)
    both.assert_equal(*FORCES)


def test_a_range_without_zero_makes_no_force_of_nothing():
    """Only an edited model has one; MuJoCo divides by zero there."""
    both = pair(PULLED.format(range=""))
    both.model.tendon_actfrcrange[0] = 1, 2
    both.data.forward()
    assert both.data.actuator_force.tolist() == [0.0] * 4


def test_gravity_compensation_by_actuators():
    """It counts as actuation where the joint asks for it, and joint limits hold for it, too."""
    text = (
        '<mujoco><worldbody><body gravcomp="1"><joint name="j" axis="0 1 0" {joint}/>'
        '<geom size=".1" pos=".3 0 0"/></body></worldbody>'
        '<actuator><motor joint="j"/></actuator></mujoco>'
    )
    for joint in ('actuatorgravcomp="true"', 'actuatorgravcomp="true" actuatorfrcrange="-1 1"', ""):
        for both in states(text.format(joint=joint)):
            both.assert_equal(*FORCES, field("qfrc_passive"), field("qacc"))


@pytest.mark.parametrize("integrator", [0, 1])
@pytest.mark.parametrize("drawn", [driven_model, pulled_model])
@pytest.mark.parametrize("seed", range(2200, 2206))
def test_lanes_have_the_bits_of_single_worlds(seed, drawn, integrator):
    """9-AC1: all derived fields and activations of models with actuators, eight worlds at once."""
    model = cf.Model.from_mjcf(drawn(seed))
    model.opt.integrator = integrator
    rng = np.random.default_rng(seed)
    batch = cf.BatchSim(model, 8, threads=1)
    for i in range(8):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.3)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    batch.act[:] = rng.uniform(-0.2, 1.2, size=batch.act.shape)
    batch.ctrl[5, :1] = np.nan
    batch.bind(*DERIVED)
    start = batch.get_states()
    errors = batch.step_all(20)
    for i in range(8):
        data = model.make_data()
        data.set_state(start[i])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                data.step(20)
            except cf.StepError as error:
                assert type(errors[i]) is type(error)
                continue
        assert errors[i] is None
        data.interaction_forces()
        data.subtree_momentum()
        for name in DERIVED:
            assert_same_bits(getattr(data, name), getattr(batch, name)[i], name)
        assert_same_bits(data.get_state().vector, batch.get_states()[i], "state")
