"""Implicit in velocity: forces are those of the velocity after the step, to first order."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.cases import driven_cases, pulled_cases
from cortenforge.compare import compare_data, mujoco_module, step_fields
from cortenforge.enums import Enable, Integrator
from cortenforge.errors import CholeskyFailed, LuSingular
from tests.laws.mechanics import dense_inertia
from tests.step.derivative.differences import dense_derivative
from tests.step.integrate.scenes import MODELS, drawn
from tests.step.stages import STATES, Pair, field, pair, states

KINDS = pytest.mark.parametrize("kind", [Integrator.IMPLICIT, Integrator.IMPLICITFAST])


def choose(both: Pair, kind: Integrator) -> None:
    """Both engines step by this integrator."""
    both.model.opt.integrator = both.reference.opt.integrator = int(kind)


def kept(kind: Integrator) -> tuple[str, ...]:
    """What a step leaves of its matrix."""
    return ("qDeriv", "qLU") if kind == Integrator.IMPLICIT else ("qDeriv", "qH", "qHDiagInv")


@KINDS
@MODELS
def test_fields_are_mujocos(source, kind):
    """13-AC6, 13-AC7, 13-S1: the next state, the derivative of forces and the factor."""
    for both in states(source):
        choose(both, kind)
        both.step()
        both.assert_equal(*step_fields(), *map(field, kept(kind)))


@KINDS
@pytest.mark.parametrize("draw", [driven_cases, pulled_cases])
def test_actuators_of_all_kinds(draw, kind):
    """Random models with actuators on joints, sites and tendons, and limits of their forces."""
    for name, both in drawn(draw, kind.name.lower()):
        both.step()
        fields = [*step_fields(), field("qDeriv")]
        wrong = [diff for diff in compare_data(both.data, both.theirs, fields) if not diff.ok]
        assert not wrong, f"{name}: " + "\n".join(map(str, wrong))


@MODELS
def test_full_matrix_is_solved(source):
    """(M - hD) a = f, densely."""
    for both in states(source):
        choose(both, Integrator.IMPLICIT)
        model, data = both.model, both.data
        h, before = model.opt.timestep, data.qvel.copy()
        data.step()
        matrix = dense_inertia(model, data) - h * dense_derivative(model, data)
        force = data.qfrc_smooth + data.qfrc_constraint
        expected = before + h * np.linalg.solve(matrix, force)
        size = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(data.qvel, expected, atol=1e-10 * size)


@KINDS
@MODELS
def test_force_of_a_step_is_mujocos(source, kind):
    """Inverse dynamics in discrete time takes the same matrix."""
    both, rng = pair(source), np.random.default_rng(6)
    choose(both, kind)
    both.model.opt.enableflags |= int(Enable.INVDISCRETE)
    both.reference.opt.enableflags |= int(Enable.INVDISCRETE)
    for _ in range(STATES):
        both.write(rng)
        both.forward()
        wanted = rng.normal(size=both.model.nv)
        both.data.qacc[:] = both.theirs.qacc[:] = wanted
        both.data.inverse()
        mujoco_module().mj_inverse(both.reference, both.theirs)
        both.assert_equal(field("qfrc_inverse"))
        np.testing.assert_array_equal(both.data.qacc, wanted)


@KINDS
@pytest.mark.parametrize("expanded", [False, True])
def test_lanes_have_the_bits_of_single_worlds(kind, expanded):
    """Worlds in lockstep, whether or not they share their parameters."""
    case = next(iter(pulled_cases(7100, 1, kind.name.lower())))
    model = cf.Model.from_mjcf(case.source)
    batch, rng = cf.BatchSim(model, 11), np.random.default_rng(0)
    damping = np.tile(model.dof_damping, (11, 1))
    if expanded:
        damping *= rng.uniform(0.5, 2, damping.shape)
        batch.expand("dof_damping")
        batch.parameters["dof_damping"][:] = damping
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    speeds, controls = batch.qvel.copy(), batch.ctrl.copy()
    assert batch.step_all(20) == [None] * 11
    for w in range(11):
        single = cf.Model.from_mjcf(case.source)
        single.dof_damping[:] = damping[w]
        data = single.make_data()
        data.qvel[:], data.ctrl[:] = speeds[w], controls[w]
        data.step(20)
        np.testing.assert_array_equal(batch.qpos[w], data.qpos)
        np.testing.assert_array_equal(batch.qvel[w], data.qvel)


LINKED = """<mujoco><option timestep="0.01" integrator="{}"><flag contact="disable"
energy="enable"/></option><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".05"
pos="0 0 -.5" mass="1"/><body pos="0 0 -.5"><joint name="b" axis="0 1 0"/><geom size=".05"
pos="0 0 -.5" mass="1"/></body></body></worldbody><tendon><fixed name="t" {}><joint joint="a"
coef="1"/><joint joint="b" coef="1"/></fixed></tendon>{}</mujoco>"""
PULLING = (
    '<actuator><general tendon="t" gaintype="affine" gainprm="0 0 -10" ctrlrange="0 100"/>'
    "</actuator>"
)


def energies(integrator: str, tendon: str, actuator: str, control: float) -> np.ndarray:
    """Energy along a thousand steps; inf from the step on that failed."""
    model = cf.Model.from_mjcf(LINKED.format(integrator, tendon, actuator))
    data = model.make_data()
    data.qvel[:] = 1.0, -0.5
    data.ctrl[:] = control
    found = np.full(1000, np.inf)
    for k in range(len(found)):
        try:
            data.step()
        except cf.StepError:
            break
        found[k] = data.energy.sum()
    return found


@pytest.mark.parametrize(
    ("tendon", "actuator", "control"),
    [
        pytest.param('damping="100"', "", 0.0, id="13-AC1"),
        pytest.param("", PULLING, 20.0, id="13-AC2"),
    ],
)
def test_strong_damping_along_tendons_is_stable(tendon, actuator, control):
    """13-AC1, 13-AC2: Euler diverges, implicitfast does not."""
    euler = energies("Euler", tendon, actuator, control)
    fast = energies("implicitfast", tendon, actuator, control)
    assert not np.abs(euler[-1]) < 1e3
    assert np.abs(fast).max() < 30 and fast[-1] <= fast[0]


def test_without_forces_of_velocity_it_is_euler():
    """13-AC4: there is nothing to take implicitly."""
    text = LINKED.format("{}", "", "")
    found = []
    for kind in ("Euler", "implicitfast"):
        data = cf.Model.from_mjcf(text.format(kind)).make_data()
        data.qvel[:] = 1.0, -0.5
        data.step(10)
        found.append(np.concatenate((data.qpos, data.qvel, data.qacc)))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12, atol=1e-12)


def test_fast_pendulum():
    """13-AC5: both are stable and differ; with Coriolis terms, energy drifts less."""
    drift = {}
    for kind in ("implicit", "implicitfast"):
        model = cf.Model.from_mjcf(LINKED.format(kind, "", "").replace("0.01", "0.002"))
        data = model.make_data()
        data.qpos[:], data.qvel[:] = (2.5, 1.0), (8.0, -9.0)
        data.forward()
        start = data.energy.sum()
        data.step(1000)
        drift[kind] = abs(data.energy.sum() - start)
    assert drift["implicit"] != drift["implicitfast"]
    assert drift["implicit"] < drift["implicitfast"] < 100


def test_springs_do_not_depend_on_it():
    """13-AC8: a tendon's stiffness makes the force that it makes under Euler."""
    forces = []
    for kind in ("Euler", "implicitfast", "implicit"):
        data = cf.Model.from_mjcf(LINKED.format(kind, 'stiffness="50"', "")).make_data()
        data.qpos[:] = 0.3, 0.4
        data.forward()
        forces.append(data.qfrc_passive.copy())
    np.testing.assert_array_equal(forces[0], forces[1])
    np.testing.assert_array_equal(forces[0], forces[2])
    assert np.abs(forces[0]).min() > 1


def test_a_matrix_that_is_not_positive_is_an_error():
    """13-AC16: symmetric factors fail, by name and with the state as it was; LU works."""
    actuator = PULLING.replace("0 100", "0 1e6").replace("-10", "1000")
    fast = cf.Model.from_mjcf(LINKED.format("implicitfast", "", actuator)).make_data()
    fast.ctrl[:] = 1e5
    state = fast.get_state()
    with pytest.raises(CholeskyFailed, match=r"implicit step.*joint 'a'"):
        fast.step()
    np.testing.assert_array_equal(fast.get_state(), state)
    full = cf.Model.from_mjcf(LINKED.format("implicit", "", actuator)).make_data()
    full.ctrl[:] = 1e5
    full.step()
    assert np.isfinite(full.qvel).all()


#: M - hD is 1 - 0.01 kv at the second of two slides
PUSHED = """<mujoco><option integrator="{}" timestep="0.01"/><worldbody>
<body><joint name="a" type="slide"/><geom size=".1" mass="3"/></body>
<body pos="1 0 0"><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
</worldbody><actuator><general joint="b" biastype="affine" biasprm="0 0 {}"/></actuator>
</mujoco>"""


def test_a_pivot_of_nothing_is_an_error():
    """13-AC15: M - hD singular under `implicit` is LuSingular with the dof; the state stays."""
    data = cf.Model.from_mjcf(PUSHED.format("implicit", 100)).make_data()
    data.qvel[:] = 1.0
    state = data.get_state()
    with pytest.raises(
        LuSingular, match=r"M - hD, is singular at dof 1 \(joint 'b'.*0 s"
    ) as caught:
        data.step()
    assert (caught.value.dof, caught.value.value, caught.value.object_name) == (1, 0.0, "b")
    np.testing.assert_array_equal(data.get_state(), state)


@pytest.mark.parametrize("ulps", [8, -8, 10, -10])
def test_pivots_are_refused_where_mujoco_refuses_them(ulps):
    """13-AC15: below 1e-15, of either sign, where MuJoCo warns; above it, the step is MuJoCo's."""
    both = pair(PUSHED.format("implicit", 0))
    pivot = ulps * 2.0**-53
    for model in (both.model, both.reference):
        # numbers of which none is rounded: the mass is 1
        model.opt.timestep, model.actuator_biasprm[0, 2] = 2.0**-7, 2.0**7 * (1 - pivot)
    both.data.qvel[:] = both.theirs.qvel[:] = 1e-9
    warned = both.theirs.warning[mujoco_module().mjtWarning.mjWARN_INERTIA]
    if abs(pivot) > 1e-15:
        both.step()
        assert warned.number == 0
        np.testing.assert_allclose(both.data.qvel, both.theirs.qvel, rtol=1e-12)
        assert abs(both.data.qvel[1]) > 1e5
        return
    mujoco_module().mj_step(both.reference, both.theirs)
    assert warned.number == 1
    with pytest.raises(LuSingular) as caught:
        both.data.step()
    assert caught.value.value == pivot


def test_singular_worlds_stop_alone():
    """13-AC15: in lockstep, each world has its own matrix and its own error."""
    batch = cf.BatchSim(cf.Model.from_mjcf(PUSHED.format("implicit", 0)), 9, threads=1)
    batch.expand("actuator_biasprm")
    batch.qvel[:] = 1.0
    kv = np.linspace(0, 80, 9)
    kv[4] = 100.0
    batch.parameters["actuator_biasprm"][:, 0, 2] = kv
    errors = batch.step_all()
    assert [type(error) for error in errors] == [*[type(None)] * 4, LuSingular, *[type(None)] * 4]
    assert errors[4].dof == 1
    for i in (0, 3, 8):
        data = cf.Model.from_mjcf(PUSHED.format("implicit", kv[i])).make_data()
        data.qvel[:] = 1.0
        data.step()
        np.testing.assert_array_equal(batch.qvel[i], data.qvel)


def test_halves_of_a_step():
    """step1 and step2 take the same step."""
    model = cf.Model.from_mjcf(LINKED.format("implicit", 'damping="3"', ""))
    whole, halves = model.make_data(), model.make_data()
    whole.qvel[:] = halves.qvel[:] = 3.0, -1.0
    whole.step()
    halves.step1()
    halves.step2()
    np.testing.assert_array_equal(whole.get_state(), halves.get_state())
