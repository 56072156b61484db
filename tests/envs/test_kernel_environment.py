"""A task with kernels beside the same with arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

from cortenforge import envs  # noqa: E402
from cortenforge.envs.tutorial import paddle_arrays, paddle_kernels  # noqa: E402
from cortenforge.errors import ArgumentError, TaskError  # noqa: E402

N = 19
#: products are fused into sums in kernels, and not in NumPy
TOLERANCE = {"rtol": 1e-10, "atol": 1e-12}


def both(n: int = N, **options: Any) -> tuple[Any, Any]:
    """The paddle with arrays and with kernels."""
    made = (envs.make(f"cortenforge/Paddle{kind}-v0", n, **options) for kind in ("", "Kernels"))
    one, other = made
    return one, other


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_kernels_give_the_numbers_of_arrays(mode: str) -> None:
    """Observations, rewards by term, ends and new episodes, over several episodes of each world."""
    arrays, kernels = both(autoreset_mode=mode, max_episode_steps=60, threads=1)
    assert arrays.observation_columns == kernels.observation_columns
    got, wanted = kernels.reset(seed=11)[0], arrays.reset(seed=11)[0]
    np.testing.assert_allclose(got, wanted, **TOLERANCE)
    assert len(np.unique(wanted, axis=0)) == N
    rng, ends = np.random.default_rng(0), np.zeros(2, int)
    for _ in range(150):
        actions = rng.uniform(kernels.action_space.low, kernels.action_space.high)
        got, wanted = kernels.step(actions), arrays.step(actions)
        for mine, other in zip(got[:2], wanted[:2], strict=True):
            np.testing.assert_allclose(mine, other, **TOLERANCE)
        assert np.array_equal(got[2], wanted[2]) and np.array_equal(got[3], wanted[3])
        for term in ("alive", "near", "smooth"):
            np.testing.assert_allclose(got[4][term], wanted[4][term], **TOLERANCE)
            assert np.array_equal(got[4][f"_{term}"], wanted[4][f"_{term}"])
        ends += got[2].sum(), got[3].sum()
        # differences of rounding do not grow
        arrays.batch.set_states(kernels.batch.get_states())
    assert (ends > 0).all()


def test_worlds_do_not_depend_on_the_others() -> None:
    """The same bits with other numbers of worlds and threads."""
    _, few = both(3, threads=1)
    _, many = both(30, threads=2)
    assert np.array_equal(few.reset(seed=5)[0], many.reset(seed=5)[0][:3])
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = rng.uniform(many.action_space.low, many.action_space.high)
        mine, theirs = few.step(actions[:3]), many.step(actions)
        for one, other in zip(mine[:4], theirs[:4], strict=True):
            assert np.array_equal(one, other[:3])


def test_a_seed_gives_the_same_episodes_again() -> None:
    """Another gives others; without one, a second reset goes on to the next episode."""
    for vector in both():
        first = vector.reset(seed=1)[0]
        assert not np.array_equal(vector.reset()[0], first)
        assert np.array_equal(vector.reset(seed=1)[0], first)
        assert not np.array_equal(vector.reset(seed=2)[0], first)
        with pytest.raises(ArgumentError, match="seed: expected one"):
            vector.reset(seed=list(range(N)))


def test_saved_worlds_go_on_with_the_same_bits() -> None:
    """Counters and fields of the task included, through ends of episodes."""
    for vector in both(max_episode_steps=8):
        vector.reset(seed=3)
        actions = np.random.default_rng(0).uniform(-0.2, 0.2, (20, *vector.action_space.shape))
        for action in actions[:5]:
            vector.step(action)
        saved = vector.get_state()
        first = [vector.step(action)[0] for action in actions]
        vector.set_state(saved)
        assert np.array_equal(first, [vector.step(action)[0] for action in actions])


def test_physics_that_fails_in_one_world_ends_its_episode_only() -> None:
    """As with arrays."""
    _, quiet = both()
    _, loud = both()
    for vector in (quiet, loud):
        vector.reset(seed=0)
    loud.batch.qvel[5] = np.nan
    actions = np.zeros(loud.action_space.shape)
    wanted = quiet.step(actions)
    with pytest.warns(UserWarning, match="world 5: step: InvalidVelocity"):
        got = loud.step(actions)
    others = np.arange(N) != 5
    assert np.array_equal(got[0][others], wanted[0][others])
    assert np.isfinite(got[0]).all() and got[2][5] and got[1][5] == 0.0
    assert isinstance(got[4]["failure"][5], TaskError)
    assert "failure" not in loud.step(actions)[4]


def test_fields_that_every_task_has_are_refused() -> None:
    """A task's own `reward`, say."""

    class Wrong(paddle_kernels.Paddle):
        state = {"reward": ()}

    with pytest.raises(ArgumentError, match="every task has a field 'reward'"):
        envs.VectorEnvironment(Wrong(), 3)


def test_the_tutorial_is_short_and_on_its_page() -> None:
    """Under 60 lines each, printed letter for letter in docs/envs.md."""
    page = (Path(__file__).parents[2] / "docs" / "envs.md").read_text(encoding="utf-8")
    for module in (paddle_arrays, paddle_kernels):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert len([line for line in source.splitlines() if line.strip()]) < 60
        assert source.split("\n\n", 1)[1].strip() in page
