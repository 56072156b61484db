"""Worlds of a task as a `gymnasium.vector.VectorEnv`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cortenforge.envs.array_runner import ArrayRunner
from cortenforge.envs.environment import Environment, Task
from cortenforge.envs.infos import add_rows, objects, of_all
from cortenforge.envs.kernel_environment import KernelEnvironment, KernelRunner
from cortenforge.envs.outcome import Outcome, Runner
from cortenforge.envs.pictures import RENDER_MODES, Pictures
from cortenforge.envs.saved_worlds import restore_worlds, saved_worlds
from cortenforge.errors import ArgumentError, ShapeError, StepWarning, TaskError


class VectorEnvironment(VectorEnv):
    """`num_envs` worlds of a task, with the interface and autoreset modes of Gymnasium.

    task:           an Environment, or a KernelEnvironment.
    autoreset_mode: when worlds that are over begin again, as for `SyncVectorEnv`.
    max_episode_steps: after which episodes are truncated; by default the task's.
    threads:        over which worlds are shared; by default as many as there are cores.
    dtype:          of observations, float64 or float32.
    pixels:         observe pictures instead: arguments of `batch.render`, such as
                    `{"camera": "track", "width": 84, "height": 84, "mode": "rgb"}`.
    on_failure:     of physics or of the task's code in a world: "terminate" ends its episode, with
                    the error in `infos["failure"]`; "raise" raises the first, once all are stepped.
    seed:           of what `task.randomize` draws.

    >>> envs = VectorEnvironment(Cheetah(), 1024)
    >>> observations, infos = envs.reset(seed=0)
    >>> observations, rewards, terminated, truncated, infos = envs.step(actions)
    """

    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int | None = None,
        dtype: Any = np.float64,
        pixels: dict[str, Any] | None = None,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 480,
        camera: Any = None,
        on_failure: str = "terminate",
        seed: int = 0,
    ) -> None:
        if on_failure not in ("terminate", "raise"):
            raise ArgumentError(f'on_failure: expected "terminate" or "raise", got {on_failure!r}')
        if np.dtype(dtype) not in (np.float32, np.float64):
            raise ArgumentError(f"dtype: expected float64 or float32, got {dtype!r}")
        self.task = task
        self.num_envs = num_envs
        self.runner = make_runner(task, num_envs, threads=threads, seed=seed)
        self.batch = self.runner.batch
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.max_episode_steps = max_episode_steps or task.max_episode_steps
        self.on_failure = on_failure
        self._dtype = np.dtype(dtype)
        self.render_mode = render_mode
        view = task.camera if camera is None else camera
        self._pictures = Pictures(self.batch, render_mode, view, width, height)
        self._pixels = pixels
        self.metadata = {
            "autoreset_mode": self.autoreset_mode,
            "render_modes": list(RENDER_MODES),
            "render_fps": round(1 / task.dt),
        }
        self._make_spaces()
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int | None] = [None] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, bool)
        self._begun = False

    def _make_spaces(self) -> None:
        low = self.runner.action_low.astype(np.float32)
        high = self.runner.action_high.astype(np.float32)
        self.single_action_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        if self._pixels is None:
            shape: tuple[int, ...] = (self.runner.size,)
            space = gymnasium.spaces.Box(-np.inf, np.inf, shape, self._dtype)
        else:
            space = self._pictures.space(self._pixels)
        self.single_observation_space = space
        self.observation_space = batch_space(space, self.num_envs)

    @property
    def observation_columns(self) -> dict[str, slice]:
        """Which columns of an observation have which name."""
        return dict(self.runner.columns)

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The generators of all worlds."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:
        """The seeds of all worlds."""
        self.np_random  # noqa: B018  worlds that have none yet get one
        return tuple(self._seeds)

    def _generator(self, world: int) -> np.random.Generator:
        found = self._generators[world]
        if found is None:
            found, self._seeds[world] = np_random(None)
            self._generators[world] = found
        return found

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in all worlds, or in those of `options["reset_mask"]`.

        seed: world i has `seed + i`, or the i-th of a list, as with `SyncVectorEnv`.
        """
        self._check_open()
        mask = self._reset_mask(options or {})
        rows = np.flatnonzero(mask)
        if self.runner.counted:
            self._seed_counters(seed, mask)
        else:
            for world, own in zip(rows.tolist(), self._seeds_of(seed, rows), strict=True):
                if own is not None:
                    self._generators[world], self._seeds[world] = np_random(own)
        if not self._begun:
            self._last = np.zeros((self.num_envs, self.runner.size), self._dtype)
        observations = self._last
        outcome = self._begin(rows)
        observations[rows] = outcome.observations
        self._begun = True
        infos: dict[str, Any] = {}
        add_rows(infos, outcome.info, rows, self.num_envs)
        self._report(outcome.failures, infos)
        return self._shown(observations.copy()), infos

    def _seed_counters(self, seed: Any, mask: np.ndarray) -> None:
        """One seed for all worlds, whose numbers are functions of it."""
        if seed is None:
            if not self._begun:
                self.runner.seed(int(np.random.default_rng().integers(2**31)))
            return
        if not isinstance(seed, (int, np.integer)) or not mask.all():
            raise ArgumentError(f"{self.runner.title}: seed: expected one, for all worlds")
        self.runner.seed(int(seed))

    def _seeds_of(self, seed: Any, rows: np.ndarray) -> list[int | None]:
        if seed is None:
            return [None] * len(rows)
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + world for world in rows.tolist()]
        if len(seed) != self.num_envs:
            raise ArgumentError(f"seed: expected {self.num_envs} seeds, got {len(seed)}")
        return [seed[world] for world in rows.tolist()]

    def _reset_mask(self, options: dict[str, Any]) -> np.ndarray:
        if "reset_mask" not in options:
            return np.ones(self.num_envs, bool)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != bool:
            raise ArgumentError(f"reset_mask: expected an array of booleans, got {mask!r}"[:300])
        if mask.shape != (self.num_envs,) or not mask.any():
            wanted = f"{self.num_envs} booleans, at least one of them True"
            raise ArgumentError(f"reset_mask: expected {wanted}, got {mask!r}"[:300])
        if not self._begun and not mask.all():
            raise ArgumentError("reset_mask: reset all worlds first")
        return mask

    def _begin(self, rows: np.ndarray) -> Outcome:
        """Begin an episode in some worlds."""
        self._elapsed[rows] = 0
        self._over[rows] = False
        generators: list[np.random.Generator] = []
        if not self.runner.counted:
            generators = [self._generator(world) for world in rows.tolist()]
        return self.runner.begin(rows, generators)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act in all worlds; returns observations, rewards, terminations, truncations and infos."""
        self._check_open()
        actions = self._checked_actions(actions)
        over = self._over.copy() if self._over.any() else None
        if over is not None and self.autoreset_mode is AutoresetMode.DISABLED:
            raise ArgumentError(
                f"{self.runner.title}: worlds {np.flatnonzero(over).tolist()} are over: "
                'envs.reset(options={"reset_mask": mask}) before they are stepped'
            )
        outcome = self.runner.step(actions, None if over is None else ~over)
        failures = {w: e for w, e in outcome.failures.items() if over is None or not over[w]}
        self._elapsed += 1
        terminated = outcome.terminated
        truncated = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = self._elapsed >= self.max_episode_steps
        for world in failures:
            outcome.rewards[world], terminated[world] = 0.0, True
            outcome.observations[world] = np.nan_to_num(
                outcome.observations[world], posinf=0.0, neginf=0.0
            )
        observations = outcome.observations.astype(self._dtype, copy=False)
        if over is None:
            infos = of_all(outcome.info, self.num_envs)
        else:
            infos = self._begin_over(over, outcome, observations, terminated, truncated)
        self._over = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            infos = self._begin_again(outcome, observations)
        self._last = observations
        self._report(failures, infos)
        return self._shown(observations.copy()), outcome.rewards, terminated, truncated, infos

    def _begin_over(
        self,
        over: np.ndarray,
        outcome: Outcome,
        observations: np.ndarray,
        terminated: np.ndarray,
        truncated: np.ndarray,
    ) -> dict[str, Any]:
        """NEXT_STEP: worlds that were over begin instead of a step; the infos of all."""
        infos: dict[str, Any] = {}
        stepped, rows = np.flatnonzero(~over), np.flatnonzero(over)
        some = {key: value[stepped] for key, value in outcome.info.items()}
        if len(stepped):
            add_rows(infos, some, stepped, self.num_envs)
        begun = self._begin(rows)
        observations[rows] = begun.observations
        outcome.rewards[rows], terminated[rows], truncated[rows] = 0.0, False, False
        add_rows(infos, begun.info, rows, self.num_envs)
        self._report(begun.failures, infos)
        return infos

    def _begin_again(self, outcome: Outcome, observations: np.ndarray) -> dict[str, Any]:
        """SAME_STEP: worlds that are over begin; the infos of all, with what ended."""
        infos: dict[str, Any] = {}
        n, over = self.num_envs, self._over
        rows, others = np.flatnonzero(over), np.flatnonzero(~over)
        ended: dict[str, Any] = {}
        add_rows(ended, {key: value[rows] for key, value in outcome.info.items()}, rows, n)
        final = self._shown(observations[rows].copy(), rows)
        shown = {world: final[k] for k, world in enumerate(rows.tolist())}
        infos["final_obs"], infos["_final_obs"] = objects(shown, n)
        infos["final_info"], infos["_final_info"] = ended, over.copy()
        if len(others):
            rest = {key: value[others] for key, value in outcome.info.items()}
            add_rows(infos, rest, others, n)
        begun = self._begin(rows)
        # what is returned says that they are over; the next step steps them
        self._over = np.zeros(n, bool)
        observations[rows] = begun.observations
        add_rows(infos, begun.info, rows, n)
        self._report(begun.failures, infos)
        return infos

    def _checked_actions(self, actions: Any) -> np.ndarray:
        """Actions as an array; their type stays, since rewards are worked out in it."""
        given = np.asarray(actions)
        title = self.runner.title
        if given.dtype.kind not in "fiub":
            raise ShapeError(f"{title}: actions: expected real numbers, got {given.dtype}")
        if given.shape != self.action_space.shape:
            wanted = self.action_space.shape
            raise ShapeError(f"{title}: actions: expected {wanted}, got {given.shape}")
        if not self._begun:
            raise ArgumentError(f"{title}: call reset() before the first step")
        if not np.isfinite(given).all():
            world = int(np.flatnonzero(~np.isfinite(given).all(1))[0])
            raise ArgumentError(
                f"{title}: world {world}: the action is not finite: {given[world]}; "
                "no world was stepped"[:300]
            )
        return given if given.dtype.kind == "f" else given.astype(np.float64)

    def _report(self, failures: dict[int, TaskError], infos: dict[str, Any]) -> None:
        """Give what failed to the caller: in the infos with a warning, or raised."""
        if not failures:
            return
        if "failure" in infos:
            earlier = {int(w): infos["failure"][w] for w in np.flatnonzero(infos["_failure"])}
            failures = {**failures, **earlier}
        infos["failure"], infos["_failure"] = objects(failures, self.num_envs)
        first = failures[min(failures)]
        if self.on_failure == "raise":
            raise first
        warnings.warn(f"{first}; its episode ends", StepWarning, stacklevel=4)

    def _shown(self, observations: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
        """Observations as they are returned: pictures, if these are asked for."""
        if self._pixels is None:
            return observations
        return self._pictures.observed(self._pixels, rows)

    def get_state(self) -> dict[str, Any]:
        """All that later steps depend on, as arrays and plain values, for `set_state`.

        >>> saved = envs.get_state()
        >>> envs.step(actions)
        >>> envs.set_state(saved)      # the same step has the same bits again
        """
        self._check_open()
        if not self._begun:
            raise ArgumentError(f"{self.runner.title}: call reset() before get_state()")
        return saved_worlds(self)

    def set_state(self, saved: dict[str, Any]) -> None:
        """Continue, bit for bit, from what `get_state` gave for as many worlds of this task.

        Raises StateError or ShapeError for the state of others.
        """
        self._check_open()
        restore_worlds(self, saved)

    def render(self) -> tuple[np.ndarray, ...]:
        """Pictures of all worlds, as `render_mode` says."""
        self._check_open()
        return self._pictures.render()

    def _check_open(self) -> None:
        if self.closed:
            raise ArgumentError(f"{self.runner.title}: the environment is closed")


def make_runner(task: Any, n: int, *, threads: int | None, seed: int) -> Runner:
    """What runs the worlds of a task."""
    if isinstance(task, Environment):
        return ArrayRunner(task, n, threads=threads, seed=seed)
    if isinstance(task, KernelEnvironment):
        return KernelRunner(task, n, threads=threads, seed=seed)
    raise ArgumentError(f"task: expected an Environment, got {task!r}"[:300])
