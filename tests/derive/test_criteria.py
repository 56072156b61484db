"""What was asked of derivatives, number by number."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.derive import finite_differences
from cortenforge.derive.tangent_space import TangentSpace
from cortenforge.derive.transition import workspace_of
from tests.derive.chains import chain, inertia, swinging
from tests.derive.scenes import SMOOTH, TOUCHING, at_random, settled

FD = cf.DerivativeConfig(method="fd")
HYBRID = cf.DerivativeConfig(method="hybrid")
ANALYTIC = cf.DerivativeConfig(method="analytic")
METHODS = (FD, HYBRID, ANALYTIC)
INTEGRATORS = ("Euler", "implicit", "implicitfast", "implicitspringdamper")

BALL = """<mujoco><option timestep="{h}"/><worldbody><body><joint type="ball"/>
<geom type="box" size=".1 .2 .3" pos=".1 0 0"/></body></worldbody></mujoco>"""
FREE = """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/></body>
</worldbody></mujoco>"""
FILTERS = """<actuator><general joint="j0" dyntype="{kind}" dynprm=".05" gainprm="3"/>
<general joint="j1" dyntype="{kind}" dynprm=".05" gainprm="2" gear="1.5"/></actuator>"""
RESTING = """<mujoco><worldbody><geom type="plane" size="1 1 .1" solref="{solref} 1"/>
<body pos="0 0 .0999"><freejoint/><geom size=".1" mass="1" solref="{solref} 1"/></body></worldbody>
</mujoco>"""


def relative(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference, relative to the largest entry."""
    return float(np.abs(one - other).max() / np.abs(other).max())


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_sizes_without_controls_and_activations(config: cf.DerivativeConfig) -> None:
    """12-AC1, 12-AC9, 12-AC10: three links have A (6, 6) and B (6, 0)."""
    found = swinging(chain(3)).transition_derivatives(config)
    assert found.A.shape == (6, 6) and found.B.shape == (6, 0)
    assert found.C.shape == (0, 6) and found.D.shape == (0, 0)
    assert np.isfinite(found.A).all() and found.A.any()


def test_one_side_and_both() -> None:
    """12-AC2: to one side and to both, with eps 1e-6, A agrees to 1e-4."""
    data = swinging(chain(3))
    one = data.transition_derivatives(cf.DerivativeConfig(method="fd", centered=False))
    both = data.transition_derivatives(FD)
    assert 0 < relative(one.A, both.A) < 1e-4


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_controls_of_motors(config: cf.DerivativeConfig) -> None:
    """12-AC3: B is h M^-1 moment in rows of velocities, and h times that in rows of positions."""
    data = swinging(chain(3, motors=3, option='timestep="0.01"'))
    moment = np.diag([1.0, 2.0, 3.0])
    wanted = 0.01 * np.linalg.solve(inertia(data), moment)
    B = data.transition_derivatives(config).B
    np.testing.assert_allclose(B[3:], wanted, atol=1e-8, rtol=1e-8)
    np.testing.assert_allclose(B[:3], 0.01 * wanted, atol=1e-8, rtol=1e-8)


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_orientations_are_moved_in_their_tangent_space(config: cf.DerivativeConfig) -> None:
    """12-AC4: a ball and a free joint count by velocities; quaternions stay of length one."""
    both = FREE.replace("</worldbody>", BALL.format(h=0.002).split("<worldbody>")[1])
    data = swinging(both.replace("</mujoco></mujoco>", "</mujoco>"))
    model = data.model
    assert (model.nq, model.nv) == (11, 9)
    assert data.transition_derivatives(config).A.shape == (18, 18)
    moved = np.tile(data.qpos, (9, 1))
    TangentSpace(model).shift_positions(moved, np.full(9, 1e-6))
    lengths = [np.linalg.norm(moved[:, at : at + 4], axis=1) for at in (3, 7)]
    np.testing.assert_allclose(lengths, 1.0, atol=1e-14, rtol=0)


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_filters(config: cf.DerivativeConfig) -> None:
    """12-AC5: two filters have 1 - h / tau on the diagonal of their block, nothing beside it."""
    more = FILTERS.format(kind="filter")
    data = swinging(chain(2, option='timestep="0.001"', more=more))
    block = data.transition_derivatives(config).A[4:, 4:]
    np.testing.assert_allclose(block, np.eye(2) * (1 - 0.001 / 0.05), atol=1e-8)


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_contact_is_felt(config: cf.DerivativeConfig) -> None:
    """12-AC6: pressed into a plane, a ball is pushed out, and the faster the less solref is."""
    push = []
    for solref in (0.02, 0.05):
        model = cf.Model.from_mjcf(RESTING.format(solref=solref))
        model.opt.tolerance = 0.0
        data = model.make_data()
        data.step(200)
        assert data.ncon == 1
        push.append(-data.transition_derivatives(config).A[6 + 2, 2])
    assert push[0] > 2 * push[1] > 0.1


def test_every_integrator_has_differences() -> None:
    """12-AC7: differences work for all integrators; A of RK4 is another than Euler's."""
    found = {}
    for integrator in (*INTEGRATORS, "RK4", "discrete"):
        text = chain(3, damping=0.1, option=f'integrator="{integrator}" timestep="0.01"')
        found[integrator] = swinging(text).transition_derivatives(FD).A
        assert np.isfinite(found[integrator]).all()
    assert np.abs(found["RK4"] - found["Euler"]).max() > 1e-4


def test_rk4_moves_as_its_linearisation() -> None:
    """12-AC7: RK4 with contacts, too: a small change ends where A and B say."""
    data = settled(TOUCHING.format(option='integrator="RK4"'))
    assert data.ncon > 3
    found = data.transition_derivatives()
    rng = np.random.default_rng(4)
    change = 1e-6 * rng.normal(size=2 * data.model.nv)
    ends = []
    for sign in (1, -1):
        other = data.copy()
        nv = data.model.nv
        other.qpos[:] = data.model.integrate_pos(data.qpos, sign * change[:nv], 1.0)
        other.qvel += sign * change[nv:]
        other.step()
        ends.append(other)
    moved = data.model.differentiate_pos(ends[1].qpos, ends[0].qpos, 1.0) / 2
    moved = np.concatenate([moved, (ends[0].qvel - ends[1].qvel) / 2])
    np.testing.assert_allclose(moved, found.A @ change, atol=1e-10)


def test_differences_do_not_depend_on_eps() -> None:
    """12-AC8: eps 1e-6 and 1e-7 agree to 1e-3."""
    data = swinging(chain(3))
    near = data.transition_derivatives(cf.DerivativeConfig(eps=1e-7, method="fd"))
    assert relative(near.A, data.transition_derivatives(FD).A) < 1e-6


def test_positions_are_compared_in_their_tangent_space() -> None:
    """12-AC11: of a free joint, positions have six numbers, those of differentiate_pos."""
    data = swinging(FREE)
    model, tangent = data.model, TangentSpace(data.model)
    other = model.integrate_pos(data.qpos, np.arange(1.0, 7.0) / 7, 1.0)
    found = tangent.position_difference(data.qpos, other)
    assert found.shape == (6,)
    wanted = model.differentiate_pos(data.qpos, other, 1.0)
    np.testing.assert_allclose(found, wanted, atol=1e-14)


def force_differences(data: cf.Data, name: str, by: str, eps: float = 1e-6) -> np.ndarray:
    """Central differences of a force."""
    model, found = data.model, []
    for k in range(model.nv):
        sides = []
        for sign in (1, -1):
            work = data.copy()
            if by == "qvel":
                work.qvel[k] += sign * eps
            else:
                step = sign * eps * np.eye(model.nv)[k]
                work.qpos[:] = model.integrate_pos(data.qpos, step, 1.0)
            work.forward()
            sides.append(getattr(work, name).copy())
        found.append((sides[0] - sides[1]) / (2 * eps))
    return np.array(found).T


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "RK4"])
def test_smooth_forces_by_velocities(integrator: str) -> None:
    """12-AC16: of passive, actuator and bias forces together; asked twice, it is the same."""
    data = at_random(SMOOTH.format(option=f'integrator="{integrator}"'))
    found = data.smooth_velocity_derivative()
    wanted = force_differences(data, "qfrc_smooth", "qvel")
    np.testing.assert_allclose(found, wanted, atol=1e-7)
    np.testing.assert_array_equal(data.smooth_velocity_derivative(), found)


def test_smooth_forces_by_positions() -> None:
    """Of inertia, gravity, springs, tendons along joints and actuators, by formulas."""
    data = at_random(SMOOTH.format(option=""))
    data.xfrc_applied[1:] = np.random.default_rng(5).normal(size=(data.model.nbody - 1, 6))
    found = data.smooth_position_derivative()
    wanted = force_differences(data, "qfrc_smooth", "qpos")
    np.testing.assert_allclose(found, wanted, atol=1e-7)


def test_derivatives_leave_everything_as_it_was() -> None:
    """12-AC17, 12-AC22: not a bit of the world changes, and a second call gives the same bits."""
    for text in (SMOOTH.format(option='integrator="implicit"'), TOUCHING.format(option="")):
        data = settled(text)
        data.forward()
        before = {name: array.copy() for name, array in data._store.arrays.items()}
        for config in METHODS:
            first = data.transition_derivatives(config)
            data.inverse_derivatives(config)
            data.smooth_velocity_derivative()
            data.smooth_position_derivative()
            second = data.transition_derivatives(config)
            for name in "ABCD":
                np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
        for name, array in data._store.arrays.items():
            np.testing.assert_array_equal(array, before[name], err_msg=name)


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_a_free_body(config: cf.DerivativeConfig) -> None:
    """12-AC18: A (12, 12); positions follow velocities by h."""
    data = cf.Model.from_mjcf(FREE).make_data()
    A = data.transition_derivatives(config).A
    assert A.shape == (12, 12)
    np.testing.assert_allclose(A[:6, 6:], 0.002 * np.eye(6), atol=1e-9)


def test_bias_of_a_ball() -> None:
    """12-AC19: bias forces of a ball joint have a derivative by velocities: gyroscopic terms."""
    data = swinging(BALL.format(h=0.002))
    found = -data.smooth_velocity_derivative()
    assert np.abs(found).max() > 1e-3
    np.testing.assert_allclose(found, force_differences(data, "qfrc_bias", "qvel"), atol=1e-8)


@pytest.mark.parametrize(
    "eps", [0.0, -1.0, math.nan, 0.1, math.inf, True, "1e-6", None, 1e-300, 1e-11]
)
def test_eps_that_cannot_be(eps: object) -> None:
    """12-AC20: eps is above 0 and at most 1e-2; and above what is lost in rounding."""
    with pytest.raises(cf.ArgumentError, match="eps"):
        cf.DerivativeConfig(eps=eps)  # type: ignore[arg-type]
    assert cf.DerivativeConfig(eps=1e-2).eps == 1e-2


def test_methods_that_cannot_be() -> None:
    """A method is one of four, and given once."""
    with pytest.raises(cf.ArgumentError, match="method"):
        cf.DerivativeConfig(method="exact")
    with pytest.raises(cf.ArgumentError, match="use_analytical"):
        cf.DerivativeConfig(method="fd", use_analytical=True)


def test_columns_start_from_the_nominal_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """12-AC21: columns begin at the nominal solution, and take no more iterations than it did."""
    data = settled(TOUCHING.format(option="").replace('tolerance="0"', ""))
    # far from the solution, as a step after a jump would be
    data.qacc_warmstart[:] = 0.0
    alone = data.copy()
    alone.forward()
    nominal = int(alone.solver_niter.sum())
    assert nominal >= 3
    start = alone.qacc.copy()
    for k in range(data.model.nv):
        column = data.copy()
        column.qvel[k] += 1e-6
        column.qacc_warmstart[:] = start
        column.forward()
        assert int(column.solver_niter.sum()) <= nominal
    taken = []
    step = finite_differences.step_every_world

    def noted(batch: cf.BatchSim) -> None:
        taken.append(batch._rows.views["qacc_warmstart"].copy())
        step(batch)

    monkeypatch.setattr(finite_differences, "step_every_world", noted)
    data.transition_derivatives(FD)
    assert not taken[0].any()
    for columns in taken[1:]:
        np.testing.assert_allclose(columns, np.tile(start, (len(columns), 1)), rtol=1e-12)


def test_orientations_that_turn() -> None:
    """12-AC28: exp(-[wh]x) and h Jr(wh), against differences, and MuJoCo's."""
    import mujoco

    velocity, time = np.array([1.0, 0.5, -0.3]), 0.001
    for w, h in ((velocity, time), (velocity * 3, 0.7), (velocity * 1e-9, 1.0)):
        found = cf.quat_integrate(w, h)
        dquat, dvel, dtime = np.zeros(9), np.zeros(9), np.zeros(3)
        mujoco.mjd_quatIntegrate(w, h, dquat, dvel, dtime)
        np.testing.assert_allclose(found.dquat.ravel(), dquat, atol=1e-12)
        # MuJoCo's is by the turn, which is h times the velocity
        np.testing.assert_allclose(found.dvel.ravel(), h * dvel, atol=1e-12)
    np.testing.assert_allclose(
        cf.quat_integrate(velocity, time).dvel, turn_differences(velocity, time), atol=1e-6 * time
    )


def turn_differences(velocity: np.ndarray, time: float, eps: float = 1e-5) -> np.ndarray:
    """How an orientation after a turn follows the velocity, by differences."""
    import mujoco

    found = []
    for k in range(3):
        ends = []
        for sign in (1, -1):
            quat = np.array([0.5, 0.1, -0.7, 0.5])
            quat /= np.linalg.norm(quat)
            mujoco.mju_quatIntegrate(quat, velocity + sign * eps * np.eye(3)[k], time)
            ends.append(quat)
        between = np.zeros(3)
        mujoco.mju_subQuat(between, ends[0], ends[1])
        found.append(between / (2 * eps))
    return np.array(found).T


def test_differences_of_orientations() -> None:
    """How the rotation vector between two orientations follows both: as mjd_subQuat."""
    import mujoco

    rng = np.random.default_rng(6)
    for _ in range(5):
        a, b = rng.normal(size=(2, 4))
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        da, db = np.zeros(9), np.zeros(9)
        mujoco.mjd_subQuat(a, b, da, db)
        found = cf.quat_difference(a, b)
        np.testing.assert_allclose(found.da.ravel(), da, atol=1e-12)
        np.testing.assert_allclose(found.db.ravel(), db, atol=1e-12)
    with pytest.raises(cf.ShapeError, match="a: expected 4"):
        cf.quat_difference([1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])


def test_positions_of_hinges_follow_velocities_exactly() -> None:
    """12-AC29: dq'/dq = 1 and dq'/dv' = h to rounding, so that rows of positions are 1 + h times
    those of velocities."""
    A = swinging(chain(3)).transition_derivatives(ANALYTIC).A
    h, one = 0.002, np.eye(3)
    np.testing.assert_allclose(A[:3, :3], one + h * A[3:, :3], atol=1e-16, rtol=1e-15)
    np.testing.assert_allclose(A[:3, 3:], h * A[3:, 3:], atol=1e-18, rtol=1e-15)


@pytest.mark.parametrize("velocity", [(0.0, 0.0, 0.0), (2.0, 1.0, -1.5)])
def test_a_ball_that_turns(velocity: tuple[float, float, float]) -> None:
    """12-AC30: positions follow velocities by h at rest, and by the right Jacobian in motion."""
    data = cf.Model.from_mjcf(BALL.format(h=0.05)).make_data()
    data.model.opt.disableflags |= 1 << 7
    data.qvel[:] = velocity
    A = data.transition_derivatives(ANALYTIC).A
    after = data.copy()
    after.step()
    jacobian = cf.quat_integrate(after.qvel, 0.05).dvel
    np.testing.assert_allclose(A[:3, 3:], jacobian @ A[3:, 3:], atol=1e-15)
    assert (np.abs(jacobian - 0.05 * np.eye(3)).max() > 1e-3) == any(velocity)
    steps = data.transition_derivatives(FD).A
    np.testing.assert_allclose(A, steps, atol=1e-8)


@pytest.mark.parametrize("config", METHODS, ids=lambda c: c.method)
def test_exact_filters(config: cf.DerivativeConfig) -> None:
    """12-AC31: exp(-h / tau)."""
    more = FILTERS.format(kind="filterexact")
    data = swinging(chain(2, option='timestep="0.001"', more=more))
    block = data.transition_derivatives(config).A[4:, 4:]
    np.testing.assert_allclose(block, np.eye(2) * math.exp(-0.001 / 0.05), atol=1e-8)


@pytest.mark.parametrize("method", ["hybrid", "analytic", "auto"])
def test_validation(method: str) -> None:
    """12-AC32: methods agree with differences of steps to 1e-3, entry by entry."""
    data = swinging(chain(3, motors=3))
    found = cf.validate_derivatives(data, cf.DerivativeConfig(method=method))
    assert 0 <= found.largest < 1e-3
    assert found.A < 1e-3 and found.B < 1e-3
    error, place = cf.max_relative_error([[1.0, 0.0]], [[1.0, 1e-9]], floor=1e-10)
    assert error == 1.0 and place == (0, 1)
    assert cf.max_relative_error(np.zeros((0, 3)), np.zeros((0, 3))) == (0.0, ())
    nowhere = cf.max_relative_error([[1.0], [2.0]], [[1.0], [np.nan]])
    assert np.isnan(nowhere.error) and nowhere.place == (1, 0)
    with pytest.raises(cf.ShapeError):
        cf.max_relative_error(np.zeros(2), np.zeros(3))


@pytest.mark.parametrize("config", [HYBRID, ANALYTIC], ids=lambda c: c.method)
def test_columns_of_velocities(config: cf.DerivativeConfig) -> None:
    """12-AC33: with damping 1, they equal differences to 1e-4."""
    data = swinging(chain(3, damping=1.0))
    found, steps = (data.transition_derivatives(c).A[:, 3:] for c in (config, FD))
    assert cf.max_relative_error(found, steps).error < 1e-6


@pytest.mark.parametrize("config", [HYBRID, ANALYTIC], ids=lambda c: c.method)
def test_ten_links(config: cf.DerivativeConfig) -> None:
    """12-AC34: ten links with ten motors: A and B equal differences to 1e-3."""
    data = swinging(chain(10, motors=10))
    found, steps = data.transition_derivatives(config), data.transition_derivatives(FD)
    assert found.B.shape == (20, 10)
    assert relative(found.A, steps.A) < 1e-6 and relative(found.B, steps.B) < 1e-6


TENDON = """<tendon><fixed name="t" damping="3"><joint joint="j0" coef="1"/><joint joint="j1"
coef="-2"/></fixed></tendon>"""


def test_stiff_springs_of_joints_are_in_the_matrix_of_the_step() -> None:
    """12-AC35: with springs and dampers of joints taken implicitly, velocities follow velocities by
    (M + hD + h^2 K)^-1 (M + h (qDeriv + D)); as differences."""
    h, stiff, damped = 0.002, 1000.0, 10.0
    option = f'integrator="implicitspringdamper" timestep="{h}"'
    data = swinging(chain(3, motors=3, stiffness=stiff, damping=damped, option=option))
    one = np.eye(3)
    matrix = inertia(data) + (h * damped + h * h * stiff) * one
    wanted = inertia(data) + h * (data.smooth_velocity_derivative() + damped * one)
    wanted = np.linalg.solve(matrix, wanted)
    for config in METHODS:
        found = data.transition_derivatives(config).A
        np.testing.assert_allclose(found[3:, 3:], wanted, atol=1e-8)
        assert relative(found, data.transition_derivatives(FD).A) < 1e-7


def test_damping_of_tendons_is_not_in_the_matrix_of_the_step() -> None:
    """12-AC23: with implicitspringdamper, damping of joints is in the matrix and that of tendons is
    not: it is among the forces of the start, and in their derivative."""
    option = 'integrator="implicitspringdamper" timestep="0.002"'
    data = swinging(chain(2, damping=0.5, option=option, more=TENDON))
    arms = np.array([[1.0, -2.0]])
    slope = -0.5 * np.eye(2) - 3.0 * arms.T @ arms
    bias = force_differences(data, "qfrc_bias", "qvel")
    np.testing.assert_allclose(data.smooth_velocity_derivative(), slope - bias, atol=1e-7)
    matrix = inertia(data) + 0.002 * 0.5 * np.eye(2)
    wanted = np.eye(2) + 0.002 * np.linalg.solve(matrix, slope - bias)
    found = data.transition_derivatives(ANALYTIC).A[2:, 2:]
    np.testing.assert_allclose(found, wanted, atol=1e-8)


def test_columns_of_activations() -> None:
    """12-AC36: dv'/dact = h M^-1 moment gain."""
    data = swinging(chain(2, option='timestep="0.001"', more=FILTERS.format(kind="filter")))
    wanted = 0.001 * np.linalg.solve(inertia(data), np.diag([3.0, 2.0 * 1.5]))
    for config in METHODS:
        found = data.transition_derivatives(config).A[2:4, 4:]
        np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_the_older_flag() -> None:
    """12-AC37, 12-AC38: it chooses between differences and what is faster; RK4 has differences."""
    for integrator, other in (("Euler", ANALYTIC), ("RK4", FD)):
        data = swinging(chain(3, motors=1, option=f'integrator="{integrator}"'))
        for flag, same in ((True, other), (False, FD)):
            found = data.transition_derivatives(cf.DerivativeConfig(use_analytical=flag))
            np.testing.assert_array_equal(found.A, data.transition_derivatives(same).A)
    for method in ("hybrid", "analytic"):
        with pytest.raises(cf.ArgumentError, match="the integrator"):
            data.transition_derivatives(cf.DerivativeConfig(method=method))


@pytest.mark.parametrize("eps", [1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
def test_convergence(eps: float) -> None:
    """12-AC39: differences of a pendulum have converged for eps from 1e-4 to 1e-8."""
    data = swinging(chain(3))
    assert cf.fd_convergence_check(data, eps, 1e-3)
    assert not cf.fd_convergence_check(data, eps, 1e-14)
    with pytest.raises(cf.ArgumentError, match="tolerance"):
        cf.fd_convergence_check(data, eps, 0.0)


def test_hybrid_takes_fewer_steps() -> None:
    """12-S1: columns of positions only are steps; those of velocities and controls have formulas,
    and those of muscles are differences of forces."""
    data = swinging(chain(3, motors=3))
    data.transition_derivatives(HYBRID)
    data.transition_derivatives(FD)
    workspace = workspace_of(data)
    worlds = [
        sum(b.n for b in steps.one_side)
        for steps in (workspace.position_differences, workspace.step_differences)
    ]
    assert worlds == [3, 3 + 3 + 3]
    muscle = '<actuator><muscle joint="j0" lengthrange="-3 3" ctrllimited="false"/></actuator>'
    data = swinging(chain(3, more=muscle))
    data.act[:], data.ctrl[:] = 0.3, 0.7
    found, steps = data.transition_derivatives(HYBRID), data.transition_derivatives(FD)
    assert relative(found.A, steps.A) < 1e-7 and relative(found.B, steps.B) < 1e-7


def test_several_threads_may_ask() -> None:
    """12-S2: derivatives of the same world, asked for at the same time; C and D are there."""
    data = settled(TOUCHING.format(option=""))
    wanted = data.transition_derivatives()
    found: list[cf.TransitionMatrices] = []
    threads = [
        threading.Thread(target=lambda: found.append(data.transition_derivatives()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for matrices in found:
        for name in "ABCD":
            np.testing.assert_array_equal(getattr(matrices, name), getattr(wanted, name))


def test_a_model_without_dofs() -> None:
    """nv = 0: matrices without entries; controls and activations are still there."""
    data = cf.Model.from_mjcf(
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    ).make_data()
    for config in METHODS:
        found = data.transition_derivatives(config)
        assert found.A.shape == (0, 0) and found.B.shape == (0, 0)
    inverse = data.inverse_derivatives()
    assert inverse.dq.shape == (0, 0)
