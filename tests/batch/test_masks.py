"""Calls for some worlds of a batch: steps, evaluations and resets of a mask."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

SCENE = """<mujoco><option timestep="0.005"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 .095"><freejoint/><geom name="big" size=".1"/>
<body pos=".3 0 0"><joint name="arm" axis="0 1 0" damping=".1"/><geom size=".05"/></body></body>
</worldbody><actuator><motor joint="arm"/></actuator>
<keyframe><key name="high" time="2" qpos="0 0 1 1 0 0 0 .5" qvel="0 0 0 0 0 0 3" ctrl=".25"/>
</keyframe></mujoco>"""


@pytest.fixture(scope="module")
def model() -> cf.Model:
    return cf.Model.from_mjcf(SCENE)


def stirred(model: cf.Model, n: int, threads: int = 1) -> cf.BatchSim:
    batch = cf.BatchSim(model, n, threads=threads)
    batch.bind("xpos", "cfrc_ext")
    rng = np.random.default_rng(5)
    batch.qpos[:, 2] += 0.05 * rng.uniform(size=n)
    batch.qvel[:] = 0.3 * rng.normal(size=batch.qvel.shape)
    batch.ctrl[:] = rng.normal(size=batch.ctrl.shape)
    return batch


def everything(batch: cf.BatchSim) -> np.ndarray:
    """All that a call can change, a row a world."""
    rows = (batch.get_states(), batch.xpos, batch.cfrc_ext, batch.ncon, batch.nefc)
    return np.hstack([np.reshape(values, (batch.n, -1)) for values in rows])


@pytest.mark.parametrize("n, threads", [(2, 1), (9, 1), (40, 2)])
def test_worlds_of_a_mask_are_stepped(model, n, threads):
    """They have the bits of a step of all, and nothing of the others changes."""
    some, every = stirred(model, n, threads), stirred(model, n, threads)
    for batch in (some, every):
        batch.step_all(3)
    before = everything(some)
    mask = np.arange(n) % 3 == 1
    assert some.step_all(20, where=mask) == [None] * n
    every.step_all(20)
    np.testing.assert_array_equal(everything(some)[mask], everything(every)[mask])
    np.testing.assert_array_equal(everything(some)[~mask], before[~mask])
    # a call for all comes back to all
    assert some.step_all(where=~mask) == [None] * n and some.step_all() == [None] * n
    np.testing.assert_allclose(some.time, np.where(mask, 0.12, 0.025))


@pytest.mark.parametrize("n", [2, 9])
def test_controls_go_to_worlds_of_the_mask(model, n):
    """A row for all of them, a row a world of the batch, or a row a world of the mask."""
    mask = np.arange(n) % 2 == 1
    wanted = np.where(mask, np.arange(n), -1.0)[:, None]
    for ctrl in (np.arange(float(n))[:, None], np.arange(float(n))[mask][:, None]):
        batch = cf.BatchSim(model, n)
        batch.ctrl[:] = -1.0
        batch.step_all(where=mask, ctrl=ctrl)
        np.testing.assert_array_equal(batch.ctrl, wanted)
    batch.step_all(where=mask, ctrl=[7.0])
    assert (batch.ctrl[mask] == 7.0).all() and (batch.ctrl[~mask] == -1.0).all()
    if n > 2:
        with pytest.raises(cf.ShapeError, match=r"ctrl: expected a row \(1\), 9 rows.*or 4"):
            batch.step_all(where=mask, ctrl=np.zeros((3, 1)))


@pytest.mark.parametrize("n", [2, 9])
def test_worlds_of_a_mask_are_evaluated(model, n):
    """forward_where fills bound fields as forward_all does, of these worlds alone."""
    some, every = stirred(model, n), stirred(model, n)
    mask = np.arange(n) == 1
    some.forward_where(mask)
    every.forward_all()
    np.testing.assert_array_equal(everything(some)[mask], everything(every)[mask])
    assert not some.xpos[~mask].any() and some.xpos[mask].any()
    some.forward_where(~mask & mask)
    np.testing.assert_array_equal(everything(some)[mask], everything(every)[mask])


def test_failures_stay_within_the_mask(model):
    """A world that would fail is left out; of those that are stepped, its code says why."""
    batch = stirred(model, 10)
    batch.qvel[[2, 3], 0] = np.nan
    mask = np.arange(10) != 2
    errors = batch.step_all(4, where=mask)
    assert [i for i, error in enumerate(errors) if error is not None] == [3]
    assert batch.error_codes.dtype == np.int32
    assert batch.error_codes.tolist() == [
        cf.ErrorCode.BAD_VELOCITY if i == 3 else cf.ErrorCode.OK for i in range(10)
    ]
    assert np.isnan(batch.xpos[3]).all() and not batch.xpos[2].any()
    np.testing.assert_allclose(np.delete(batch.time, [2, 3]), 0.02)
    with pytest.raises(ValueError, match="read-only"):
        batch.error_codes[0] = 1
    batch.reset_where(np.isin(np.arange(10), [2, 3]))
    assert batch.step_all() == [None] * 10 and not batch.error_codes.any()


@pytest.mark.parametrize("n", [2, 9])
def test_a_world_that_failed_takes_no_further_steps(model, n):
    """It keeps its state over the slices of a long call, and others go on as without it."""
    batch, reference = stirred(model, n), stirred(model, n)
    batch.qpos[1, 0] = np.inf
    kept = batch.get_states()[1].copy()
    errors = batch.step_all(600)
    assert isinstance(errors[1], cf.InvalidPosition) and errors[1].steps_done == 0
    assert batch.error_codes[1] == cf.ErrorCode.BAD_POSITION
    np.testing.assert_array_equal(batch.get_states()[1], kept)
    reference.step_all(600)
    others = np.arange(n) != 1
    np.testing.assert_array_equal(everything(batch)[others], everything(reference)[others])


def test_resets_to_given_rows_and_keyframes(model):
    """Positions, velocities and controls in place of the initial ones; a keyframe by its name."""
    batch, rng = stirred(model, 6), np.random.default_rng(1)
    batch.step_all(2)
    before = everything(batch)
    mask = np.array([0, 1, 0, 1, 1, 0], bool)
    qpos, qvel = rng.normal(size=(6, model.nq)), rng.normal(size=(3, model.nv))
    batch.reset_where(mask, qpos=qpos, qvel=qvel, ctrl=[0.5])
    np.testing.assert_array_equal(batch.qpos[mask], qpos[mask])
    np.testing.assert_array_equal(batch.qvel[mask], qvel)
    assert (batch.ctrl[mask] == 0.5).all() and not batch.time[mask].any()
    assert not batch.xpos[mask].any() and not batch.ncon[mask].any()
    np.testing.assert_array_equal(everything(batch)[~mask], before[~mask])

    data = model.make_data()
    data.reset_to_keyframe("high")
    batch.reset_where(mask, keyframe="high")
    for state in batch.get_states()[mask]:
        np.testing.assert_array_equal(state, data.get_state().vector)
    batch.reset_where(mask, keyframe="high", qpos=model.qpos0)
    assert (batch.qpos[mask] == model.qpos0).all() and (batch.time[mask] == 2.0).all()


def test_the_initial_state_follows_the_model(model):
    """A reset takes qpos0 as it is when it is called."""
    changed = model.copy()
    batch = cf.BatchSim(changed, 3)
    changed.qpos0[2] = 5.0
    batch.reset(1)
    np.testing.assert_array_equal(batch.qpos[:, 2], [0.095, 5.0, 0.095])


BAD_RESETS = {
    "mask": dict(mask=[True]),
    "mask: expected 3 booleans": dict(mask=np.ones(3)),
    "qpos: expected a row": dict(qpos=np.zeros(3)),
    "qvel: expected real": dict(qvel="fast"),
    "act: expected a row": dict(act=[1.0]),
    "states: ": dict(states=np.zeros(2)),
    "states or a keyframe": dict(states=np.zeros(2), keyframe=0),
    "key 4": dict(keyframe=4),
    "no key 'hihg'": dict(keyframe="hihg"),
}


@pytest.mark.parametrize("words", BAD_RESETS)
def test_bad_resets_change_nothing(model, words):
    """A typed error says what is wrong, and every world stays as it is."""
    batch = stirred(model, 3)
    before = everything(batch)
    given = {"mask": np.ones(3, bool), **BAD_RESETS[words]}
    with pytest.raises(cf.CortenForgeError, match=words):
        batch.reset_where(**given)
    np.testing.assert_array_equal(everything(batch), before)


def test_bad_masks_of_calls(model):
    """Steps and evaluations refuse what is no mask."""
    batch = stirred(model, 3)
    for call in (batch.forward_where, lambda mask: batch.step_all(where=mask)):
        for bad in ([True], [0, 1, 0], [[True], [False, True]], "abc"):
            with pytest.raises(cf.ShapeError, match="mask"):
                call(bad)
