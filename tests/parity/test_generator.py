"""The generator of random models: what it draws is legal, varied and always the same."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.generate import random_model, random_state, smooth_model
from cortenforge.compare import load_reference, mujoco_module

pytestmark = pytest.mark.oracle
SEEDS = range(3000, 3150)


@pytest.fixture(scope="module")
def models() -> list:
    return [load_reference(smooth_model(seed)) for seed in SEEDS]


@pytest.fixture(scope="module")
def mixed() -> list:
    return [load_reference(random_model(seed)) for seed in SEEDS[:80]]


def test_same_seed_same_text():
    assert smooth_model(12) == smooth_model(12)
    assert smooth_model(12) != smooth_model(13)


def test_caller_chooses_the_integrator():
    assert load_reference(smooth_model(5, "RK4")).opt.integrator == 1
    assert load_reference(smooth_model(5)).opt.integrator == 0


def test_variety(models):
    """All joint types, geom types, camera modes, fluids and keyframes turn up."""
    joints = {int(kind) for model in models for kind in model.jnt_type}
    geoms = {int(kind) for model in models for kind in model.geom_type}
    cameras = {int(mode) for model in models for mode in model.cam_mode}
    assert joints == {0, 1, 2, 3}
    assert geoms == {0, 1, 2, 3, 4, 5, 6, 7}
    assert any(model.ntex for model in models) and any(model.nmat for model in models)
    assert cameras == {0, 1, 2, 3, 4}
    assert any(model.opt.density for model in models)
    assert any(model.opt.viscosity for model in models)
    assert any(model.nkey for model in models)
    assert any(model.nmocap for model in models)
    assert any(model.ngravcomp for model in models)
    assert any(model.ntree > 1 for model in models)
    assert len({int(kind) for model in models for kind in model.sensor_type}) > 30


def test_mixture(mixed):
    """All kinds of actuators, sensors, equalities and tendons turn up, and most in one model."""
    kinds = {
        name: {int(kind) for model in mixed for kind in getattr(model, name)}
        for name in ("actuator_trntype", "actuator_dyntype", "eq_type", "wrap_type", "sensor_type")
    }
    assert kinds["actuator_trntype"] == set(range(7))
    assert kinds["actuator_dyntype"] == set(range(8))
    assert kinds["eq_type"] == {0, 1, 2, 3}  # the others are of flexes
    assert kinds["wrap_type"] == {1, 2, 3, 4, 5}
    assert kinds["sensor_type"] == set(range(49)) - {47}  # all but plugins
    for size in ("npair", "nexclude", "nkey", "nmocap", "nuserdata", "ntuple", "nmesh", "nhfield"):
        assert any(getattr(model, size) for model in mixed), size
    together = [model.ntendon and model.nu and model.neq and model.nsensor for model in mixed]
    assert sum(map(bool, together)) > 40


def test_nothing_touches(models):
    """No constraint ever arises, so that smooth dynamics is all there is."""
    mujoco = mujoco_module()
    for seed, model in zip(SEEDS, models, strict=True):
        data = mujoco.MjData(model)
        random_state(model, np.random.default_rng(seed)).write(data)
        mujoco.mj_forward(model, data)
        assert data.nefc == 0
