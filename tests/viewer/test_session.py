"""Sessions: playing, pausing, going back, and what goes wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import ArgumentError
from cortenforge.viewer.session import Session
from cortenforge.viewer.worlds import BatchWorlds, SingleWorld

from .scenes import BURSTS, DESK, session_of, world_of


def run(session: Session, wall, seconds: float, rate: float = 60.0) -> None:
    """Pump as a viewer does."""
    for _ in range(round(seconds * rate)):
        wall.now += 1.0 / rate
        session.pump()


@pytest.mark.parametrize("speed", [0.25, 1.0, 4.0])
def test_time_goes_by_at_its_speed(speed: float) -> None:
    session, wall = session_of(DESK, speed=speed)
    run(session, wall, 0.5)
    assert session.world.time == 0.0
    session.queue_action(session.play)
    session.pump()
    run(session, wall, 1.0)
    assert session.world.time == pytest.approx(speed, abs=0.006)
    assert session.clock.factor == pytest.approx(speed, rel=0.05)


def test_playing_takes_the_steps_that_a_program_takes() -> None:
    """002-V2: stepping is apart from drawing: looking at a world does not change it."""
    session, wall = session_of(DESK)
    session.play()
    run(session, wall, 1.0)
    _, alone = world_of(DESK)
    alone.step(session.steps)
    assert session.steps > 190
    assert session.world.shown.digest() == alone.digest()


def test_single_steps_and_a_pause() -> None:
    session, wall = session_of(DESK)
    session.play()
    run(session, wall, 0.2)
    session.queue_action(session.step)
    session.pump()
    time = session.world.time
    assert session.clock.paused
    run(session, wall, 0.5)
    assert session.world.time == time
    session.step(3)
    assert session.world.time == pytest.approx(time + 0.015)


def test_reset_and_keyframes() -> None:
    session, wall = session_of(DESK)
    session.play()
    run(session, wall, 0.3)
    session.queue_action(lambda: session.reset(0))
    session.run_requests()
    assert session.world.shown.qpos[2] == 1.0 and session.world.time == 0.0
    # derived fields are those of the keyframe
    assert session.world.shown.xpos[1][2] == 1.0
    session.reset()
    assert session.world.shown.qpos[2] == 0.15


def test_going_back_in_time() -> None:
    session, wall = session_of(DESK)
    session.play()
    run(session, wall, 1.0)
    digest, last = session.world.shown.digest(), len(session.history) - 1
    session.look_at(20)
    assert session.clock.paused and session.world.time == session.history[20].time < 0.5
    session.look_at(last)
    assert session.world.shown.digest() == digest
    session.look_at(20)
    session.play()
    # another future begins
    assert len(session.history) == 21
    run(session, wall, 0.1)
    assert session.world.time > session.history[20].time
    with pytest.raises(ArgumentError, match="no moment"):
        session.look_at(len(session.history))


def test_an_error_pauses_and_is_explained() -> None:
    session, wall = session_of(BURSTS)
    session.play()
    run(session, wall, 0.5)
    session.world.shown.qfrc_applied[0] = 1e12
    run(session, wall, 0.1)
    assert session.clock.paused
    assert session.problem is not None and "'x'" in session.problem
    assert session.world.shown.explain() in session.problem
    time = session.world.time
    run(session, wall, 0.5)
    assert session.world.time == time
    session.queue_action(lambda: session.go_back(0.2))
    session.pump()
    assert session.problem is None and session.world.time == pytest.approx(time - 0.2, abs=0.03)
    assert session.world.shown.qfrc_applied[0] == 0.0
    session.play()
    run(session, wall, 0.3)
    assert session.problem is None


def test_an_error_of_a_control_pauses() -> None:
    def control(data: cf.Data) -> None:
        raise KeyError("no such policy")

    session, wall = session_of(DESK, control=control)
    session.play()
    run(session, wall, 0.1)
    assert session.clock.paused and "no such policy" in (session.problem or "")


def test_a_control_sets_controls_and_gives_rewards() -> None:
    seen = []

    def control(data: cf.Data) -> dict[str, float]:
        data.ctrl[0] = 1.5
        seen.append(float(data.time))
        return {"up": float(data.xpos[1][2]), "effort": -1.5}

    session, wall = session_of(DESK, control=control)
    session.recorder.watch("rewards")
    session.play()
    run(session, wall, 0.5)
    assert session.world.shown.ctrl[0] == 1.5
    np.testing.assert_allclose(np.diff(seen), 0.005)
    times, up, effort = session.recorder.series["rewards"].lines()
    assert len(times) > 20 and set(effort) == {-1.5} and up[-1] == pytest.approx(0.15, abs=0.01)


def test_a_hand_pulls_while_time_goes_on() -> None:
    session, wall = session_of(DESK)
    session.play()
    run(session, wall, 0.1)
    at = np.array(session.world.shown.xpos[1])
    session.grab(0, 1, np.zeros(3))
    session.perturbation.move_target(np.add(at, [0.0, 0.0, 0.5]))
    run(session, wall, 1.0)
    assert session.world.shown.xpos[1][2] > 0.5
    session.queue_action(session.release)
    run(session, wall, 1.0)
    assert session.world.shown.xpos[1][2] < 0.2


def test_a_hand_places_in_a_pause() -> None:
    session, _ = session_of(DESK)
    at = np.array(session.world.shown.xpos[1])
    session.grab(0, 1, np.zeros(3))
    session.perturbation.move_target(np.add(at, [0.1, 0.2, 0.5]))
    session.pump()
    np.testing.assert_allclose(session.world.shown.xpos[1], np.add(at, [0.1, 0.2, 0.5]), atol=1e-12)
    assert session.world.time == 0.0


def test_sliders() -> None:
    session, _ = session_of(DESK)
    session.set_control(0, 1.25)
    assert session.world.shown.ctrl[0] == 1.25
    session.set_joint(1, 0.75)
    assert session.world.shown.qpos[7] == 0.75
    # the arm hangs where the joint is
    np.testing.assert_allclose(
        session.world.shown.site_xpos[0],
        [0.2 - 0.5 * math.sin(0.75), 0, 0.8 - 0.5 * math.cos(0.75)],
    )
    with pytest.raises(ArgumentError, match="only hinges and slides"):
        session.set_joint(0, 0.0)


def test_a_body_that_is_nowhere_is_named() -> None:
    session, _ = session_of(DESK)
    session.world.shown.xpos[2, 0] = np.nan
    with pytest.raises(ArgumentError, match=r"body 'arm' has a non-finite pose: pos=\[nan"):
        session.check()


def test_somebody_else_takes_the_steps() -> None:
    """A program that steps by itself is held in a pause, let go for one step, and slowed down."""
    _, data = world_of(DESK)
    session, wall = session_of(DESK, driven=False)
    session.world = SingleWorld(data)
    assert not session.may_go_on()
    session.step()
    assert session.may_go_on() and not session.may_go_on()
    session.play()
    data.step(4)
    session.moved({"reward": 2.0})
    assert session.world.time == 0.02 and not session.may_go_on()
    wall.now += 0.021
    assert session.may_go_on()


def crowd_of(n: int) -> tuple[Session, cf.BatchSim]:
    model = cf.Model.from_mjcf(DESK)
    batch = cf.BatchSim(model, n)
    batch.qpos[:, 2] += 0.1 * np.arange(n)
    return Session(BatchWorlds(batch)), batch


@pytest.mark.parametrize("n", [3, 9])
def test_a_crowd_is_stepped_and_one_is_in_hand(n: int) -> None:
    session, batch = crowd_of(n)
    session.select(2)
    session.set_joint(1, 0.5)
    assert batch.qpos[2, 7] == 0.5 and batch.qpos[1, 7] == 0.0
    session.grab(1, 1, np.zeros(3))
    assert session.world.selected == 1
    session.perturbation.move_target([0.0, 0.0, 2.0])
    session.step(40)
    assert batch.xfrc_applied[1, 1].any() and not batch.xfrc_applied[[0, 2]].any()
    assert batch.qpos[1, 2] > batch.qpos[0, 2]
    before = batch.get_states()
    session.step(10)
    session.look_at(len(session.history) - 2)
    np.testing.assert_array_equal(batch.get_states(), before)
    session.reset(0)
    np.testing.assert_array_equal(batch.qpos[:, 2], 1.0)


@pytest.mark.parametrize("n", [3, 9])
def test_a_world_that_fails_is_taken_in_hand(n: int) -> None:
    session, batch = crowd_of(n)
    session.play()
    batch.qvel[n - 1, 0] = np.nan
    session.queue_action(session.step)
    session.pump()
    assert session.world.selected == n - 1 and session.problem is not None
    assert np.isfinite(session.world.poses()[0]).all()
    session.check()
    session.go_back(1.0)
    assert session.problem is None and np.isfinite(batch.qvel).all()


def test_looking_does_not_change_a_crowd() -> None:
    """002-V2: worlds of a batch move as they do when nobody looks."""
    session, batch = crowd_of(9)
    session.step(30)
    model = batch.model
    alone = cf.BatchSim(model, 9)
    alone.qpos[:, 2] += 0.1 * np.arange(9)
    for _ in range(30):
        alone.step_all(1)
    np.testing.assert_array_equal(batch.get_states(), alone.get_states())


def test_crowds_that_cannot_be_shown() -> None:
    model = cf.Model.from_mjcf(DESK)
    with pytest.raises(ArgumentError, match="no world in it"):
        BatchWorlds(cf.BatchSim(model, 0))
    batch = cf.BatchSim(model, 2)
    batch.expand("geom_size")
    with pytest.raises(ArgumentError, match="their own geom_size"):
        BatchWorlds(batch)


def test_steps_are_counted_from_the_beginning() -> None:
    """A reset begins to count anew, and a moment of the past knows how many led to it."""
    session, _ = session_of(DESK)
    session.step(3)
    session.step(4)
    assert session.steps == 7
    session.step_back()
    assert session.steps == 3 and session.at == 1
    session.step()
    assert session.steps == 4
    session.reset()
    assert session.steps == 0
    session.step(2)
    session.reset(0)
    assert session.steps == 0


def test_noise_wanders_about_the_middle_of_ranges() -> None:
    """As simulate's: mean, spread and memory of a stationary process, and zero when cleared.

    Of 20,000 draws the mean is known to 1 % of the spread, and the spread to 1 %: four of their
    standard errors are allowed, and more where draws depend on each other.
    """
    text = DESK.replace('ctrlrange="-2 2"', 'ctrlrange="-1000 3000"')
    session, _ = session_of(text)
    noise, controls = session.noise, session.world.controls
    assert not noise.active
    noise.scale = 0.1
    drawn = []
    for _ in range(20_000):
        noise.add(controls)
        drawn.append(float(controls[0, 0]))
    assert np.mean(drawn) == pytest.approx(1000.0, abs=6.0)
    assert np.std(drawn) == pytest.approx(200.0, rel=0.02)
    # with a rate, what was is remembered for so long
    noise.rate = 0.02
    drawn = []
    for _ in range(20_000):
        noise.add(controls)
        drawn.append(float(controls[0, 0]))
    kept = np.corrcoef(drawn[:-1], drawn[1:])[0, 1]
    assert kept == pytest.approx(np.exp(-0.005 / 0.02), abs=0.02)
    assert np.std(drawn) == pytest.approx(200.0, rel=0.05)
    noise.scale = 100.0
    noise.add(controls)
    assert -1000.0 <= controls[0, 0] <= 3000.0
    session.clear_controls()
    assert not noise.active and not session.world.inputs.ctrl.any()


def test_equalities_are_switched() -> None:
    """A weld to the world holds a ball until it is switched off; then it falls."""
    text = """
    <mujoco>
      <worldbody><body name="ball"><freejoint/><geom size=".1"/></body></worldbody>
      <equality><weld name="held" body1="ball"/></equality>
    </mujoco>
    """
    session, _ = session_of(text)
    session.step(100)
    held = float(session.world.inputs.qpos[2])
    session.set_equality(0, False)
    session.step(100)
    # 0.2 s of a free fall
    fallen = held - float(session.world.inputs.qpos[2])
    assert abs(held) < 1e-3 and fallen == pytest.approx(0.5 * 9.81 * 0.2**2, rel=0.02)
    session.set_equality(0, True)
    assert session.world.inputs.eq_active[0] == 1.0
