"""Bad input and failures in one world: typed errors with task and world, and the others go on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

import cortenforge as cf  # noqa: E402
from cortenforge import envs  # noqa: E402
from cortenforge.errors import ArgumentError, ShapeError, StepError, TaskError  # noqa: E402

N = 10
SLIDER = """<mujoco><option timestep="0.01"/><worldbody><body name="cart"><joint type="slide"
axis="1 0 0" name="x"/><geom size="0.1" mass="1"/></body></worldbody>
<actuator><motor joint="x" ctrlrange="-1 1"/></actuator></mujoco>"""


class Slider(envs.Environment):
    """A cart on a rail; `trouble` names the function that raises for world 3."""

    state = {"before_x": ()}
    trouble = ""
    max_episode_steps = 100

    def load(self) -> Any:
        return cf.Model.from_mjcf(SLIDER)

    def _perhaps(self, w: Any, place: str) -> None:
        if place == self.trouble and 3 in w.numbers:
            raise RuntimeError("world 3 is broken")

    def begin(self, w: Any, draws: Any) -> None:
        self._perhaps(w, "begin")
        w.qpos = draws.uniform(-1, 1, 1)

    def before(self, w: Any) -> None:
        w.before_x = w.qpos[:, 0]
        self._perhaps(w, "before")

    def observe(self, w: Any) -> dict[str, np.ndarray]:
        self._perhaps(w, "observe")
        return {"x": w.qpos, "v": w.qvel}

    def reward(self, w: Any) -> dict[str, np.ndarray]:
        self._perhaps(w, "reward")
        return {"forward": w.qpos[:, 0] - w.before_x}

    def terminated(self, w: Any) -> np.ndarray:
        self._perhaps(w, "terminated")
        return w.qpos[:, 0] > 10


def made(**options: Any) -> Any:
    """Ten sliders that have been reset."""
    vector = envs.VectorEnvironment(Slider(), N, threads=1, **options)
    vector.reset(seed=0)
    return vector


@pytest.mark.parametrize(
    "actions, error, says",
    [
        (np.zeros((N, 2)), ShapeError, r"Slider: actions: expected \(10, 1\), got \(10, 2\)"),
        (np.zeros(N), ShapeError, r"got \(10,\)"),
        (np.full((N, 1), "a"), ShapeError, "expected real numbers"),
        (np.where(np.arange(N) == 4, np.nan, 0.0)[:, None], ArgumentError, "world 4.*not finite"),
        (np.where(np.arange(N) == 7, np.inf, 0.0)[:, None], ArgumentError, "world 7.*not finite"),
        (None, ShapeError, "expected real numbers"),
    ],
)
def test_actions_that_are_none_are_refused_before_anything_is_stepped(
    actions: Any, error: Any, says: str
) -> None:
    """The error names task and world; no world has moved, and the next step works."""
    vector = made()
    states = vector.batch.get_states()
    with pytest.raises(error, match=says):
        vector.step(actions)
    assert np.array_equal(states, vector.batch.get_states())
    vector.step(np.zeros((N, 1)))


def test_steps_before_a_reset_and_after_close_are_refused() -> None:
    """Neither is silent."""
    vector = envs.VectorEnvironment(Slider(), N)
    with pytest.raises(ArgumentError, match=r"call reset\(\)"):
        vector.step(np.zeros((N, 1)))
    vector.reset()
    vector.close()
    with pytest.raises(ArgumentError, match="closed"):
        vector.step(np.zeros((N, 1)))


@pytest.mark.parametrize("place", ["before", "observe", "reward", "terminated"])
def test_a_function_that_raises_in_one_world_ends_its_episode_only(place: str) -> None:
    """The others have the numbers that they have without it."""
    quiet, loud = made(), made()
    loud.task.trouble = place
    actions = np.random.default_rng(0).uniform(-1, 1, (N, 1))
    wanted = quiet.step(actions)
    with pytest.warns(cf.StepWarning, match=f"Slider: world 3: {place}: RuntimeError: world 3 is"):
        got = loud.step(actions)
    others = np.arange(N) != 3
    for mine, other in zip(got[:4], wanted[:4], strict=True):
        assert np.array_equal(mine[others], other[others])
    assert got[2][3] and got[1][3] == 0.0
    error = got[4]["failure"][3]
    assert isinstance(error, TaskError) and isinstance(error.cause, RuntimeError)
    assert (error.task, error.world, error.place) == ("Slider", 3, place)
    assert np.array_equal(got[4]["_failure"], ~others)
    loud.task.trouble = ""
    # the world begins again
    assert loud.step(actions)[1][3] == 0.0 and "failure" not in loud.step(actions)[4]


def test_a_function_that_raises_in_every_world_is_raised() -> None:
    """Then the task is at fault, and nothing is hidden."""
    vector = made()
    vector.task.reward = lambda w: {"forward": w.no_such_field}
    with pytest.raises(TaskError, match=r"Slider: world 0: .*no_such_field"):
        vector.step(np.zeros((N, 1)))


def test_a_begin_that_raises_in_one_world() -> None:
    """It begins in the model's initial state, and says so; the others draw the same numbers."""
    wanted = envs.VectorEnvironment(Slider(), N).reset(seed=0)[0]
    vector = envs.VectorEnvironment(Slider(), N)
    vector.task.trouble = "begin"
    with pytest.warns(cf.StepWarning, match="world 3: begin"):
        observations, infos = vector.reset(seed=0)
    assert np.array_equal(observations, np.where(np.arange(N)[:, None] == 3, 0.0, wanted))
    assert infos["failure"][3].place == "begin"


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_physics_that_fails_in_one_world_ends_its_episode_only(mode: str) -> None:
    """A world whose position is no number: the error is in the infos, observations are finite."""
    quiet, loud = made(autoreset_mode=mode), made(autoreset_mode=mode)
    loud.batch.qvel[5] = np.nan
    actions = np.zeros((N, 1))
    wanted = quiet.step(actions)
    with pytest.warns(cf.StepWarning, match="Slider: world 5: step: InvalidVelocity"):
        got = loud.step(actions)
    others = np.arange(N) != 5
    assert np.array_equal(got[0][others], wanted[0][others])
    assert np.isfinite(got[0]).all() and got[2][5] and got[1][5] == 0.0
    assert isinstance(got[4]["failure"][5].cause, StepError)
    again = loud.step(actions)
    assert np.isfinite(again[0]).all() and "failure" not in again[4]


def test_failures_are_raised_if_asked_for() -> None:
    """All worlds are stepped first."""
    vector = made(on_failure="raise")
    before = vector.batch.time.copy()
    vector.batch.qvel[5] = np.nan
    with pytest.raises(TaskError, match="world 5"):
        vector.step(np.zeros((N, 1)))
    others = np.arange(N) != 5
    assert (vector.batch.time[others] > before[others]).all()
    assert np.isfinite(vector.step(np.zeros((N, 1)))[0]).all()


def test_fields_that_are_not_bound_say_what_to_write() -> None:
    """The task's `fields` lists them."""

    class Curious(Slider):
        def observe(self, w: Any) -> dict[str, np.ndarray]:
            return {"x": w.xpos}

    with pytest.raises(TaskError, match=r"xpos is not among the task's `fields`") as raised:
        envs.VectorEnvironment(Curious(), N).reset()
    assert isinstance(raised.value.cause, AttributeError)


def test_assigning_the_wrong_shape_names_the_field() -> None:
    """As for fields of a batch."""
    vector = made()
    with pytest.raises(ShapeError, match=r"qpos: expected an array of shape \(10, 1\)"):
        vector.runner.all.qpos = np.zeros((3, 7))


@pytest.mark.parametrize(
    "options",
    [{"on_failure": "ignore"}, {"dtype": int}, {"render_mode": "human"}, {"render_mode": "ascii"}],
)
def test_options_that_are_none_are_refused(options: Any) -> None:
    """Each by name."""
    with pytest.raises(ArgumentError, match=next(iter(options))):
        envs.VectorEnvironment(Slider(), N, **options)


def test_a_task_has_to_be_one() -> None:
    """A class instead of an object, say."""
    with pytest.raises(ArgumentError, match="expected an Environment"):
        envs.VectorEnvironment(Slider, N)  # type: ignore[arg-type]
