"""Bound fields that no step works out: forces on bodies, accelerations, momenta of subtrees."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.batch.binding import REQUESTS
from cortenforge.batch.lockstep import ON_REQUEST, step_groups
from cortenforge.batch.program import lane_linker
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.fields import DATA_FIELDS, bindable
from cortenforge.kernel.language.effects import effects_of
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.step.engine import ENGINE

#: with an accelerometer, the first stage of a step works some of them out, too
BALLS = """<mujoco><option integrator="{}" timestep="0.005"/><worldbody>
<geom type="plane" size="5 5 1"/>
<body pos="0 0 .095"><freejoint/><geom size=".1" condim="4"/><site name="s"/>
<body pos=".3 0 0"><joint axis="0 1 0" damping=".1"/><geom size=".05"/></body></body>
</worldbody><sensor>{}</sensor></mujoco>"""
METER = '<accelerometer site="s"/>'
FORCES = ("cfrc_ext", "cfrc_int", "cacc")
MOMENTA = ("subtree_linvel", "subtree_angmom")


def stirred(batch):
    rng = np.random.default_rng(3)
    batch.qvel[:] = 0.1 * rng.normal(size=batch.qvel.shape)
    batch.xfrc_applied[:, 1:] = rng.normal(size=batch.xfrc_applied[:, 1:].shape)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("sensors", ["", METER])
@pytest.mark.parametrize("n", [2, 9])
def test_they_are_mujocos_behind_a_step(n, sensors, integrator):
    """As mj_rnePostConstraint and mj_subtreeVel give them behind mj_step, few worlds or many."""
    mujoco, text = mujoco_module(), BALLS.format(integrator, sensors)
    reference = load_reference(text)
    batch = cf.BatchSim(cf.Model.from_mjcf(text), n, threads=1)
    batch.bind(*FORCES, *MOMENTA)
    stirred(batch)
    twins = [mujoco.MjData(reference) for _ in range(n)]
    for i, theirs in enumerate(twins):
        for name in ("qpos", "qvel", "xfrc_applied"):
            getattr(theirs, name)[:] = getattr(batch, name)[i]
    assert batch.step_all(4) == [None] * n
    for i, theirs in enumerate(twins):
        mujoco.mj_step(reference, theirs, 4)
        mujoco.mj_rnePostConstraint(reference, theirs)
        mujoco.mj_subtreeVel(reference, theirs)
        assert theirs.ncon > 0
        for name in (*FORCES, *MOMENTA):
            expected = getattr(theirs, name)
            size = np.abs(expected).max()
            np.testing.assert_allclose(getattr(batch, name)[i], expected, atol=1e-8 * size)


def test_forward_and_inverse_work_them_out():
    """Without a step, those of the state as it is."""
    model = cf.Model.from_mjcf(BALLS.format("RK4", ""))
    batch = cf.BatchSim(model, 9, threads=1)
    batch.bind("qacc", *FORCES, *MOMENTA)
    stirred(batch)
    worlds = [batch.env(i).copy() for i in range(9)]
    for call, alone in ((batch.forward_all, "forward"), (batch.inverse_all, "inverse")):
        call()
        for i, data in enumerate(worlds):
            getattr(data, alone)()
            data.interaction_forces()
            data.subtree_momentum()
            for name in (*FORCES, *MOMENTA):
                np.testing.assert_array_equal(getattr(batch, name)[i], getattr(data, name))
        assert np.abs(batch.cfrc_ext[:, 1]).min() > 0


def test_a_request_is_of_one_batch():
    """Binding changes neither the model nor what others of it work out, or are compiled for."""
    model = cf.Model.from_mjcf(BALLS.format("Euler", ""))
    data = model.make_data()
    other = cf.BatchSim(model, 9, threads=1)
    other.bind("xpos")
    before = [getattr(model, name) for name in ("version", "sensing")]
    batch = cf.BatchSim(model, 9, threads=1)
    batch.bind("cfrc_ext")
    assert [getattr(model, name) for name in ("version", "sensing")] == before
    for one in (batch, other):
        stirred(one)
    for one in (batch, other, batch):
        assert one.step_all() == [None] * 9
    data.step()
    assert not data.cfrc_ext.any()
    assert batch.cfrc_ext[:, 1].any()
    reached = lane_linker(ENGINE, False).reach([step_groups], plain_model(model))
    assert "step.body_forces.rne_post_constraint:interaction_forces" not in {
        k.name for k in reached.found(alone=False)
    }


@pytest.mark.parametrize("n", [2, 9])
def test_failed_worlds_have_none(n):
    """Those of a world that failed are NaN, few worlds or many."""
    batch = cf.BatchSim(cf.Model.from_mjcf(BALLS.format("Euler", "")), n, threads=1)
    batch.bind("cfrc_ext", "xpos")
    batch.qpos[1, 0] = np.nan
    errors = batch.step_all()
    assert isinstance(errors[1], cf.InvalidPosition)
    assert np.isnan(batch.cfrc_ext[1]).all() and np.isnan(batch.xpos[1]).all()
    assert np.isfinite(batch.cfrc_ext[0]).all() and np.isfinite(batch.xpos[0]).all()


def test_every_such_field_is_known():
    """What on-request kernels write and a batch can bind is worked out when it is bound."""
    names = {field.name for field in bindable(DATA_FIELDS)}
    for number, kernel in enumerate(ON_REQUEST.kernels):
        written = effects_of(kernel).written_fields("d") & names
        assert {name for name, k in REQUESTS.items() if k == number} == written
