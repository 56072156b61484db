"""PGS on islands of few rows, by a Delassus matrix that is formed."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Cone, Solver
from cortenforge.step.solve.dense_dual import FEW_ROWS
from cortenforge.step.solve.visiting_order import KEPT_SWEEPS, KEPT_VISITS

from .touching import along, apart, pair

#: a limb with limits and friction loss, balls on a floor, and a box that has more than a few rows
LOOSE = """<mujoco><option timestep="0.004"/><default><joint damping=".1"/></default><worldbody>
<geom type="plane" size="5 5 .1"/>
<body pos="0 0 1"><joint name="a" axis="0 1 0" range="-20 20" limited="true" frictionloss=".1"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
<body pos=".3 0 0"><joint name="b" axis="0 1 0" range="-30 10" limited="true"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body></body>
<body pos="2 0 .095"><freejoint/><geom size=".1" condim="3"/></body>
<body pos="3 0 .099"><freejoint/><geom size=".1" condim="1"/></body>
<body pos="-2 0 .099"><freejoint/><geom type="box" size=".2 .1 .1" condim="6"/></body>
<body pos="-2 0 .298"><freejoint/><geom type="box" size=".2 .1 .1" condim="6"/></body>
</worldbody></mujoco>"""


def solved(steps: int, **options: object) -> cf.Data:
    _, data, *_ = pair(LOOSE, Cone.PYRAMIDAL, Solver.PGS, **options)
    data.qpos[1] = 0.3
    data.step(steps)
    data.forward()
    return data


def test_islands_of_few_and_of_many_rows():
    """The scene has both, and all come to Newton's minimum."""
    data = solved(6, tolerance=1e-14, iterations=3000)
    rows = np.bincount(data.efc_island[: data.nefc])
    assert rows.min() <= KEPT_VISITS < FEW_ROWS < rows.max() and data.nisland >= 4
    _, exact, *_ = pair(LOOSE, Cone.PYRAMIDAL, tolerance=1e-14, iterations=200)
    exact.set_state(data.get_state())
    exact.forward()
    # gains below 1e-14 of the cost are no more seen: its square root is what is left
    assert apart(data.qacc, exact.qacc) < 1e-5
    np.testing.assert_allclose(
        data.qfrc_constraint, exact.qfrc_constraint, atol=1e-5 * np.abs(exact.qacc).max()
    )


@pytest.mark.oracle
def test_sweeps_are_mujocos():
    """The same number of sweeps, in the same order, and the same acceleration after them.

    MuJoCo starts all islands from the last acceleration or none; here each decides for itself, so
    in a few of them sweeps begin, and end, elsewhere.
    """
    differences, islands = [], 0
    for data, theirs in along(LOOSE, Cone.PYRAMIDAL, 120, 5, solver=int(Solver.PGS)):
        count = data.nisland
        rows = np.bincount(data.efc_island[: data.nefc], minlength=max(count, 1))
        same = data.solver_niter[:count] == theirs.solver_niter[:count]
        islands += int((rows[:count] <= FEW_ROWS).sum())
        for island in np.flatnonzero(same & (rows[:count] <= FEW_ROWS)):
            dofs = data.dof_island == island
            difference = np.abs(data.qacc[dofs] - theirs.qacc[dofs]).max()
            differences.append(difference / max(1.0, np.abs(theirs.qacc[dofs]).max()))
    exact = np.array(differences) < 1e-12
    assert islands > 50 and exact.sum() > 0.9 * islands
    assert max(differences) < 1e-7


def test_kept_orders_are_those_of_the_generator():
    """With more iterations than are kept, orders are drawn anew: no bit changes."""
    kept, drawn = (
        solved(5, tolerance=1e-5, iterations=limit) for limit in (KEPT_SWEEPS, KEPT_SWEEPS + 1)
    )
    few = kept.solver_niter[: kept.nisland]
    assert few.max() > 10 and few.max() < KEPT_SWEEPS
    np.testing.assert_array_equal(kept.qacc, drawn.qacc)
    np.testing.assert_array_equal(kept.efc_force, drawn.efc_force)


@pytest.mark.parametrize("solver", [Solver.PGS, Solver.CG])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_lanes_have_the_bits_of_worlds_alone(solver, integrator):
    """Worlds with different islands, some with none, beside each other."""
    model = cf.Model.from_mjcf(LOOSE)
    model.opt.solver, model.opt.integrator = solver, integrator
    batch = cf.BatchSim(model, 19, threads=1)
    rng = np.random.default_rng(2)
    batch.qvel[:] = 0.5 * rng.normal(size=batch.qvel.shape)
    # free joints behind the hinges, some of them in the air
    for ball in range(4):
        batch.qpos[:, 2 + 7 * ball + 2] += rng.choice([0.0, 1.0], 19)
    batch.bind("qacc", "qfrc_constraint")
    worlds = [batch.env(i).copy() for i in range(19)]
    for _ in range(4):
        assert batch.step_all(10) == [None] * 19
        for i, data in enumerate(worlds):
            data.step(10)
            np.testing.assert_array_equal(batch.get_states()[i], data.get_state().vector)
            np.testing.assert_array_equal(batch.qacc[i], data.qacc)
            np.testing.assert_array_equal(batch.qfrc_constraint[i], data.qfrc_constraint)
    assert len(set(batch.nefc.tolist())) > 4
