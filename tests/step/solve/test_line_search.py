"""The line search: on contacts that are drawn at random, as plain Python; and as MuJoCo's."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.enums import Cone, Disable, Solver
from cortenforge.step.solve.elliptic_cones import cone_cost_at, prepare_cone_for_search
from cortenforge.step.solve.line_search import line_search
from cortenforge.step.solve.row_cost import cost_derivatives

from .touching import HEAP, apart, pair

FLAT = 1e-9
FRICTION = 0.7


def contacts(seed: int, count: int) -> tuple[SimpleNamespace, float, float]:
    """Elliptic contacts along a search direction; slope and curvature of the smooth cost."""
    rng, rows = np.random.default_rng(seed), 3 * count
    size = np.tile([1.0, 3.0, 3.0], count)
    d = SimpleNamespace(
        iefc_x=rng.normal(size=rows) * size,
        iefc_v=rng.normal(size=rows) * size,
        iefc_D=np.repeat(10 ** rng.uniform(0, 3, count), 3),
        cone_row=3 * np.arange(count),
        cone_contact=np.arange(count),
        contact_dim=np.full(count, 3),
        contact_mu=np.full(count, FRICTION),
        contact_friction=np.full((count, 5), FRICTION),
        cone_line=np.zeros((count, 8)),
        cone_cost=np.zeros(count),
        island_rows=rows,
        iefc_y=np.zeros(rows),
    )
    for c in range(count):
        prepare_cone_for_search(d, c)
        d.cone_cost[c] = cone_cost_at(d, c, d.iefc_x)
    slope, _ = cost_derivatives(d, 0, count, 0.0, 0.0, 0.0)
    return d, -abs(slope) * rng.uniform(0, 2), rng.uniform(0, 10)


@pytest.mark.parametrize(
    ("seed", "count"), [(1092, 2), (1400, 3), (504, 4), *((seed, 3) for seed in range(100))]
)
def test_the_slope_vanishes(seed, count):
    """Also between corners of the slope, where Newton's method by itself goes to and fro."""
    d, slope, curve = contacts(seed, count)
    if cost_derivatives(d, 0, count, slope, curve, 0.0)[0] >= 0:
        slope -= 1.1 * cost_derivatives(d, 0, count, slope, curve, 0.0)[0] + 1.0
    first, second = cost_derivatives(d, 0, count, slope, curve, 0.0)
    m = SimpleNamespace(opt_ls_iterations=50)
    alpha, _flat = line_search(m, d, 0, count, slope, curve, -first / second, FLAT)
    left, _ = cost_derivatives(d, 0, count, slope, curve, alpha)
    assert alpha > 0 and abs(left) < max(FLAT, 1e-13 * abs(slope))


def dry_friction() -> SimpleNamespace:
    """A row whose force turns round near 0.01, with three that fill up."""
    one = np.array([1.0, 0.0, 0.0, 0.0])
    stiffness = 1000.0 * one
    return SimpleNamespace(
        iefc_x=-0.01 * one,
        iefc_v=one,
        iefc_D=stiffness,
        iefc_R=0.001 * one,
        iefc_lo=-one,
        iefc_hi=one,
        iefc_force=one,
        iefc_y=0.01 * stiffness,
        iefc_dy=-stiffness,
        iefc_quad=stiffness,
        island_rows=4,
    )


@pytest.mark.parametrize(("looks", "alpha", "flat"), [(2, 1, 0), (3, -10, 0), (4, 0, 0)])
def test_looks_that_run_out(looks, alpha, flat):
    """Where Newton's method goes; and nowhere, if what it has found costs more."""
    m = SimpleNamespace(opt_ls_iterations=looks)
    found = line_search(m, dry_friction(), 4, 0, 0.0, 0.1, 1.0, FLAT)
    assert found == pytest.approx((alpha, flat))


def test_looks_that_do_not_run_out():
    m = SimpleNamespace(opt_ls_iterations=50)
    alpha, flat = line_search(m, dry_friction(), 4, 0, 0.0, 0.1, 1.0, FLAT)
    assert flat and alpha == pytest.approx(10 / 1000.1)


@pytest.fixture(scope="module", params=list(Cone), ids=lambda cone: cone.name.lower())
def falling(request):
    """Both engines, and states of a heap that falls.

    As one island: whether to start from the last acceleration is decided for each island here, and
    once for all in MuJoCo.
    """
    _, data, reference, theirs = pair(HEAP, request.param, disableflags=int(Disable.ISLAND))
    theirs.qvel[:] = 0.3 * np.random.default_rng(0).normal(size=reference.nv)
    states = []
    for k in range(150):
        mujoco_module().mj_step(reference, theirs)
        if k % 15 == 14:
            names = ("qpos", "qvel", "qacc_warmstart")
            states.append({name: getattr(theirs, name).copy() for name in names})
    return data, reference, theirs, states


@pytest.mark.parametrize("iterations", [1, 2, 4, 100])
@pytest.mark.parametrize("looks", [1, 2, 3, 4, 5, 50])
@pytest.mark.parametrize("solver", [Solver.NEWTON, Solver.CG], ids=lambda one: one.name.lower())
@pytest.mark.oracle
def test_few_looks(falling, solver, looks, iterations):
    """With `ls_iterations` of one to five, what is found and how often are MuJoCo's."""
    data, reference, theirs, states = falling
    for opt in (data.model.opt, reference.opt):
        opt.solver, opt.ls_iterations, opt.iterations = int(solver), looks, iterations
    compared = 0
    for state in states:
        for one in (data, theirs):
            for name, value in state.items():
                getattr(one, name)[:] = value
        data.forward()
        mujoco_module().mj_forward(reference, theirs)
        # MuJoCo's CG does not begin where the cost, and not the gradient, is near the least
        if theirs.solver_niter[0]:
            compared += 1
            assert data.solver_niter[0] == theirs.solver_niter[0]
            assert apart(data.qacc, theirs.qacc) < 1e-9
    assert compared > len(states) // 2


@pytest.mark.parametrize("looks", [1, 3])
def test_few_looks_in_lockstep(looks):
    """Worlds of a batch have the bits of a world alone, those that go uphill, too."""
    model = cf.Model.from_mjcf(HEAP)
    model.opt.ls_iterations = looks
    batch, data = cf.BatchSim(model, 9), model.make_data()
    speeds = np.random.default_rng(0).normal(size=(9, model.nv))
    batch.qvel[:] = speeds
    batch.step_all(30)
    for i in range(9):
        data.reset()
        data.qvel[:] = speeds[i]
        data.step(30)
        assert np.array_equal(data.qpos, batch.qpos[i]) and np.array_equal(data.qvel, batch.qvel[i])
