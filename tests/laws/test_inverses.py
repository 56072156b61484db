"""One algorithm checks another: sparse against dense, forces against energy, out against back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import random_state, smooth_model

from .mechanics import dense_inertia

MODELS = Path(__file__).parents[2] / "conformance" / "models"
JOINTS = ("joint_hinge", "joint_slide", "joint_ball", "joint_free", "joint_several")
TREES = ("tree_branching", "simple_bodies", "replicate", "gravity_compensation")
SEEDS = range(8)


def sources() -> list:
    made = [pytest.param(MODELS / f"{name}.xml", id=name) for name in (*JOINTS, *TREES)]
    return made + [pytest.param(smooth_model(seed), id=f"seed {seed}") for seed in SEEDS]


@pytest.fixture(params=sources(), scope="module")
def data(request) -> cf.Data:
    """A model in a random state, forward evaluated."""
    data = cf.Model.from_mjcf(request.param).make_data()
    random_state(data.model, np.random.default_rng(11)).write(data)
    data.forward()
    return data


def relative(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max(initial=0) / max(1.0, np.abs(b).max(initial=0)))


def test_sparse_solve_equals_dense_cholesky(data):
    """000.2-AC1, 000.2-AC5: M^-1 f of the sparse factor, and of numpy's Cholesky on all of M."""
    L = np.linalg.cholesky(dense_inertia(data.model, data))
    expected = np.linalg.solve(L.T, np.linalg.solve(L, data.qfrc_smooth))
    assert relative(data.qacc_smooth, expected) < 1e-12


def test_factor_multiplies_back(data):
    """L' D L is M, with L of unit diagonal in M's own sparsity."""
    model, n = data.model, data.model.nv
    L, D = np.eye(n), 1 / data.qLDiagInv
    for i in range(n):
        for k in range(model.M_rowadr[i], model.M_rowadr[i] + model.M_rownnz[i] - 1):
            L[i, model.M_colind[k]] = data.qLD[k]
    assert relative(L.T @ np.diag(D) @ L, dense_inertia(model, data)) < 1e-12


def test_forces_balance(data):
    """M a is what the smooth forces sum up to, with nothing else acting."""
    inertial = dense_inertia(data.model, data) @ data.qacc
    assert relative(inertial, data.qfrc_smooth) < 1e-11


def test_kinetic_energy_is_a_quadratic_form(data):
    """1/2 v' M v equals the sum over bodies of what their velocities carry."""
    model = data.model
    bodies = 0.0
    for b in range(1, model.nbody):
        omega, velocity = data.cvel[b, :3], data.cvel[b, 3:]
        # the velocity of the tree's centre, moved to the body's own
        velocity = velocity + np.cross(
            omega, data.xipos[b] - data.subtree_com[model.body_rootid[b]]
        )
        turn = data.ximat[b].reshape(3, 3).T @ omega
        bodies += 0.5 * model.body_mass[b] * velocity @ velocity
        bodies += 0.5 * turn @ (model.body_inertia[b] * turn)
    M = dense_inertia(model, data) - np.diag(model.dof_armature)
    quadratic = 0.5 * data.qvel @ M @ data.qvel
    assert abs(bodies - quadratic) < 1e-11 * max(1.0, quadratic)


def test_positions_out_and_back(data):
    """differentiate_pos undoes integrate_pos."""
    model = data.model
    start, rate = data.qpos.copy(), np.random.default_rng(2).normal(size=model.nv)
    moved = model.integrate_pos(start, rate, 0.1)
    back = model.differentiate_pos(start, moved, 0.1)
    assert relative(back, rate) < 1e-12


def test_forces_are_slopes_of_the_potential():
    """002-S5: gravity and springs, against central differences of the potential energy."""
    checked = 0
    for name in ("joint_hinge", "joint_ball", "joint_free"):
        data = cf.Model.from_mjcf(MODELS / f"{name}.xml").make_data()
        model = data.model
        state = random_state(model, np.random.default_rng(1), raw_quaternions=False)
        data.qpos[:] = state.qpos
        data.forward()
        force, start, h = data.qfrc_spring - data.qfrc_bias, data.qpos.copy(), 1e-5
        for dof in range(model.nv):
            slopes = []
            for sign in (1, -1):
                data.qpos[:] = model.integrate_pos(start, sign * np.eye(model.nv)[dof], h)
                data.forward()
                slopes.append(data.energy[0])
            assert abs((slopes[0] - slopes[1]) / (2 * h) + force[dof]) < 1e-7 * max(
                1.0, np.abs(force).max()
            )
            checked += 1
    assert checked > 20
