"""Tasks whose functions are kernels: they run inside the steps of a batch, eight worlds at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from cortenforge.batch import BatchSim, WorldProgram
from cortenforge.envs.environment import Task
from cortenforge.envs.outcome import Outcome
from cortenforge.errors import ArgumentError, TaskError
from cortenforge.kernel import Kernel


class KernelEnvironment(Task):
    """A task written as kernels `(m, d)` with `@kernel(lanes=True)`; see docs/envs.md.

    Kernels read `d.action[i]`, write `d.obs[i]`, `d.reward` and `d.done`, and have the fields of
    `state` and `terms` besides those of Data.
    """

    #: columns of an observation, by name, with their numbers
    columns: ClassVar[Mapping[str, int]] = {}
    #: scalar fields that are logged in the infos, such as terms of the reward
    terms: ClassVar[tuple[str, ...]] = ()
    #: fields that are kept for each world, as for `cf.WorldProgram`
    state: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    #: fields that no step computes and kernels read
    requests: ClassVar[tuple[str, ...]] = ()
    #: numbers that are drawn for `begin`, `d.uniform[k]` and `d.normal[k]`
    uniforms: ClassVar[int] = 0
    normals: ClassVar[int] = 0
    #: before a step: turns actions into controls
    act: ClassVar[Kernel]
    #: after a step: `d.reward` and `d.done`
    judge: ClassVar[Kernel]
    #: where an episode begins, in the model's initial state
    begin: ClassVar[Kernel | None] = None
    #: fills `d.obs`, after steps and where episodes begin
    observe: ClassVar[Kernel]

    def program(self) -> WorldProgram:
        """The kernels, and the fields that they have."""
        results = {"action": len(self.action_range()[0]), "obs": sum(self.columns.values())}
        scalars = dict.fromkeys(("reward", "done", *self.terms), ())
        taken = [name for name in self.state if name in {*results, *scalars}]
        if taken:
            raise ArgumentError(f"{self.title}: state: every task has a field {taken[0]!r} already")
        return WorldProgram(
            state={**results, **scalars, **self.state},
            before=self.act,
            after=self.judge,
            reset=self.begin,
            observe=self.observe,
            requests=self.requests,
            uniforms=self.uniforms,
            normals=self.normals,
        )


class KernelRunner:
    """Steps the worlds of a task whose functions run in the steps."""

    counted = True

    def __init__(
        self, task: KernelEnvironment, n: int, *, threads: int | None = None, seed: int = 0
    ) -> None:
        self.task, self.title = task, task.title
        self.batch = BatchSim(task.model, n, threads=threads, program=task.program())
        task.randomize(self.batch, seed)
        low, high = task.action_range()
        self.action_low, self.action_high = np.asarray(low, float), np.asarray(high, float)
        self.own = dict(self.batch.world_state)
        ends = np.cumsum([0, *task.columns.values()]).tolist()
        self.columns = {
            name: slice(start, end)
            for name, start, end in zip(task.columns, ends, ends[1:], strict=False)
        }
        self.size = ends[-1]

    @property
    def action(self) -> np.ndarray:
        """What was done last."""
        return self.own["action"]

    @action.setter
    def action(self, actions: np.ndarray) -> None:
        self.own["action"][...] = actions

    def seed(self, seed: int) -> None:
        """Set the seed of all worlds."""
        self.batch.seed(seed)

    def begin(self, rows: np.ndarray, generators: list[np.random.Generator]) -> Outcome:
        """Begin an episode in some worlds; their numbers are functions of seed and episode."""
        mask = np.zeros(self.batch.n, bool)
        mask[rows] = True
        self.batch.restart_where(mask)
        observations = self.batch.world_state["obs"][rows]
        return Outcome(observations, np.zeros(len(rows)), np.zeros(len(rows), bool), {})

    def step(self, actions: np.ndarray, where: np.ndarray | None) -> Outcome:
        """Act, step and judge the worlds of a mask, or all."""
        own = self.batch.world_state
        self.action = actions
        errors = self.batch.step_all(self.task.frame_skip, where=where)
        failures: dict[int, TaskError] = {}
        for world in np.flatnonzero(self.batch.error_codes).tolist():
            cause = errors[world]
            assert cause is not None
            failures[world] = TaskError(self.title, "step", world, cause)
            failures[world].__cause__ = cause
        terms = {name: own[name].copy() for name in self.task.terms}
        done = own["done"] != 0.0
        return Outcome(own["obs"].copy(), own["reward"].copy(), done, terms, failures)
