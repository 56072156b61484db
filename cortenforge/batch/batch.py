"""BatchSim: many independent worlds of one model."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from cortenforge import hints, upward
from cortenforge.batch.assign import copy_rows
from cortenforge.batch.binding import BoundFields, unbound
from cortenforge.batch.counts import COUNTED, NCOUNTED, UNKNOWN
from cortenforge.batch.hooks import AFTER, BEFORE, OBSERVE, RESET, SUBSTEP
from cortenforge.batch.lane_groups import LaneGroups
from cortenforge.batch.lockstep import ON_REQUEST, forward_groups, inverse_groups, step_groups
from cortenforge.batch.masks import masked_worlds
from cortenforge.batch.memory import LaneMemory, ModelLanes, Rows
from cortenforge.batch.parameters import Parameters
from cortenforge.batch.pickling import batch_state, restore_batch
from cortenforge.batch.threads import BatchThreads, locked, signals_deferred
from cortenforge.batch.warned import BatchWarnings
from cortenforge.batch.world_program import WorldProgram, WorldState, checked_program
from cortenforge.batch.worlds import checked_engine, checked_size
from cortenforge.errors import (
    ArgumentError,
    StepError,
    UnknownAttribute,
    UnsupportedFeature,
)
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.load.cores import usable_cores
from cortenforge.model import Data, Model
from cortenforge.model.calls.step_count import checked_step_count, is_integer
from cortenforge.model.changes.watch import refresh_if_changed
from cortenforge.model.methods.notebook_tables import model_summary
from cortenforge.model.methods.pipeline import refuse_inverse
from cortenforge.model.model import checked_model
from cortenforge.model.states.pickling import Picklable
from cortenforge.notebook import html_table
from cortenforge.step.engine import ENGINE, Engine
from cortenforge.step.statuses import NWARNING, OK
from cortenforge.suggest import unknown_attribute

if TYPE_CHECKING:
    from cortenforge.derive import DerivativeConfig, TransitionMatrices

#: so few worlds are faster one by one than in lockstep: a group takes as long as two of them
FEW_WORLDS = 2
#: what a batch is made for, and keeps
FIXED = {"model", "n", "threads", "parameters", "program", "world_state"}
#: no machine has so many cores, and each thread has memory of its own
MOST_THREADS = 4096
#: seeds are below this: integers of random numbers have 31 bits
MOST_SEED = 2**31
#: many steps are taken in slices of so many seconds, so that an interrupt is heard
SLICE = 0.05
#: group-steps that take less than a slice on any machine
SHORT_CALL = 256


class BatchSim(LaneGroups, Picklable):
    """`n` independent worlds of one model, stepped together.

    State and inputs are `(n, ...)` arrays that can be read and written: `batch.qpos`,
    `batch.ctrl`. Derived fields become arrays once they are bound: `batch.bind("xpos")`. What is
    counted, such as `batch.ncon` and `batch.nefc`, is always there, `(n,)`.

    Worlds run eight at a time in lockstep on each thread, and each has the bits that it would
    have alone: results do not depend on the number of threads, the size of the batch or the
    place in it. Worlds may differ in reals of their model (`expand`).

    >>> batch = cf.BatchSim(model, 1024)
    >>> batch.qvel[:] = np.random.default_rng(0).normal(size=batch.qvel.shape)
    >>> errors = batch.step_all(100)
    """

    def __init__(
        self,
        model: Model,
        n: int,
        *,
        threads: int | None = None,
        program: WorldProgram | None = None,
        engine: Engine = ENGINE,
    ) -> None:
        n = checked_size(n)
        if threads is not None and (not is_integer(threads) or not 1 <= threads <= MOST_THREADS):
            raise ArgumentError(f"threads: expected 1 to {MOST_THREADS}, got {threads!r}"[:300])
        usual = min(usable_cores(), max(1, -(-n // LANES)))
        # what the memory is made for, which cannot be assigned
        self.__dict__.update(model=checked_model(model), n=n, threads=int(threads or usual))
        self._engine = checked_engine(engine)
        self.__dict__.update(program=checked_program(program), world_state=WorldState(program, n))
        #: worlds that were handed out, with their numbers
        self._envs: WeakKeyDictionary[Data, int] = WeakKeyDictionary()
        self._crew = BatchThreads(self.threads)
        self._rows = Rows(model, n)
        self._parameters = Parameters(model, n)
        self._bound = BoundFields(model, engine, n, program.kept if program else {})
        self._requested: tuple[int, ...] = program.requests if program else ()
        self._order = np.arange(n, dtype=np.int32)
        self._partial = False
        self._reports: dict[str, np.ndarray] = {
            "world_rows": np.zeros((n, NCOUNTED), np.int32),
            "world_status": np.zeros(n, np.int32),
            "world_index": np.zeros(n, np.int32),
            "world_value": np.zeros(n),
            "world_steps": np.zeros(n, np.int32),
            "warned_count": np.zeros((n, NWARNING), np.int32),
            "warned_index": np.zeros((n, NWARNING), np.int32),
            "warned_value": np.zeros((n, NWARNING)),
        }
        self._memory: list[LaneMemory] = []
        self._models: list[ModelLanes] = []
        self._alone: list[Data] = []
        #: whether worlds are stepped one after another; those with Python functions have to be
        self._one_by_one = False
        #: what the last call came to in each world: `error_codes`
        self._codes = np.zeros(n, np.int32)
        #: seconds that one step of all worlds takes, as far as is known
        self._pace = 0.0
        self._allocate()
        self.reset_all()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray:
            bound = self.__dict__.get("_bound")
            for arrays in (bound.arrays if bound else {}, _views(self)):
                if name in arrays:
                    return arrays[name]
            engine = self.__dict__.get("_engine")
            if engine is None or name not in engine.by_name or hints.hint_for("BatchSim", name):
                known = () if name.startswith("_") else self._known_names()
                raise unknown_attribute("BatchSim", name, known)
            if name in COUNTED:
                return self._count(name)
            raise unbound(self._engine, name)

        def __setattr__(self, name: str, value: Any) -> None:
            if name in FIXED:
                raise UnknownAttribute(f"batch.{name} cannot be assigned: make another BatchSim")
            if not name.startswith("_") and (name in _views(self) or name in self._bound.arrays):
                self._assign(name, value)
            elif name in COUNTED:
                raise ArgumentError(f"{name} is read-only: it is counted by steps")
            elif name in self.__dict__.get("_engine", ENGINE).by_name:
                raise unbound(self._engine, name)
            else:
                super().__setattr__(name, value)

    def _count(self, name: str) -> np.ndarray:
        """What is counted in each world, `(n,)`, to be read."""
        counts = self._reports["world_rows"][:, COUNTED.index(name)]
        counts.flags.writeable = False
        return counts

    def _known_names(self) -> Iterable[str]:
        own = (*super()._known_names(), *_views(self), *self._bound.arrays)
        return (*own, *(field.name for field in self._engine.fields if field.listed))

    @property
    def bytes_per_world(self) -> int:
        """Memory that one more world takes; lane memory comes once a thread."""
        reports = sum(array[:1].nbytes for array in self._reports.values())
        rows = (self._rows.table, *self.world_state.values(), *self._parameters.values())
        return reports + self._bound.nbytes_per_world + sum(array[:1].nbytes for array in rows)

    @property
    def nbytes(self) -> int:
        """Memory of the whole batch: its worlds, and what each thread works in."""
        lanes = sum(memory.nbytes for memory in self._memory)
        return self.n * self.bytes_per_world + lanes + sum(own.nbytes for own in self._models)

    @locked
    def bind(self, *names: str, into: np.ndarray | None = None) -> None:
        """Make derived fields available as `(n, ...)` arrays, filled after every step.

        into: an array of float32 or float64, `(n, width)`, that is filled instead: `names` are its
              columns, from the left. They are fields, also those of state and inputs, with an index
              if there is one (`"cinert[1:]"`, `"xpos[1, :2]"`); counts (`"ncon"`); and facts of
              contacts by names of geoms: `"in_contact[floor, foot]"`, 1 or 0, and
              `"contact_force[foot]"`, the force on a geom in the world frame, of one other geom if
              it is named, too. Binding the same array again replaces its columns.

        Those of a world that failed are NaN: its lane went on with others, and is not to be read.
        Forces on bodies (`cfrc_ext`, `cfrc_int`), their accelerations (`cacc`), and velocities and
        momenta of subtrees (`subtree_linvel`, `subtree_angmom`) are no part of a step: they are
        computed after the last one of a call, as by `data.interaction_forces()` and
        `data.subtree_momentum()`. State, inputs and counts are there without it.

        >>> observations = np.zeros((batch.n, 45), np.float32)
        >>> batch.bind("qpos[2:]", "qvel", into=observations)
        """
        if into is None:
            self._bound.add(self._engine, names, {*COUNTED, *_views(self)})
        else:
            self._bound.add_table(names, into)
        self._allocate()

    @locked
    def unbind(self, table: np.ndarray) -> None:
        """No longer fill an array that was given to `bind`; what it holds stays.

        table: the array that `bind(..., into=table)` was given.
        """
        if not self._bound.remove_table(table):
            raise ArgumentError("unbind: this array was not given to bind(into=...)")
        self._allocate()

    @locked
    def expand(self, *names: str) -> None:
        """Give every world its own copy of Model fields: `batch.parameters["body_mass"][i]`.

        names: fields of Model, such as "body_mass".

        Such worlds run in lockstep as well. Constants that follow from the fields are computed
        by `set_const`, for each world, and by `randomize`.
        """
        self._let_differ(names)
        with self.model._gate.changing():
            self._models = [ModelLanes(self.model) for _ in range(self.threads)]
        self._alone = []
        for env, i in self._envs.items():
            env._take_parameters(self._parameters.block(i))
        self._attach_parameters()

    @locked
    def step_all(
        self,
        nstep: int = 1,
        *,
        ctrl: Any = None,
        where: Sequence[bool] | np.ndarray | None = None,
    ) -> list[StepError | None]:
        """Advance every world by some steps; for each world, None or what went wrong.

        nstep: number of steps, 1 or more.
        ctrl:  controls `(n, nu)`, or `(nu,)` for all worlds, copied into `batch.ctrl` first.
        where: a mask `(n,)` of the worlds that are stepped; the others are not touched, nor are
               their controls and bound fields.
        A world that fails keeps the state from which its failing step started, and is not reset.
        Signals are heard between slices of some 50 ms, with all worlds at the same step. What a
        callback raises is raised; its world is then where its step started, and others are some
        steps on. What is no failure, such as a control that is no number, is warned of once.
        """
        nstep = checked_step_count(nstep)
        active = None if where is None else masked_worlds(where, self.n)
        if ctrl is not None:
            copy_rows(self._rows.views["ctrl"], "ctrl", ctrl, active)
        self._refresh_model()
        self._codes.fill(OK)
        errors: list[StepError | None] = [None] * self.n
        warned = BatchWarnings(self.model, self.n)
        done = 0
        stepped = slice(None) if active is None else active
        while done < nstep and (active is None or len(active)):
            size = self._slice(nstep - done)
            start = time.perf_counter()
            self._set_hooks(
                SUBSTEP,
                *((BEFORE,) if done == 0 else ()),
                *((AFTER, OBSERVE) if done + size == nstep else ()),
            )
            with signals_deferred(apart=self._in_parts):
                failed = self._step(size, errors, done, active)
            self._take_warnings(warned, errors)
            done += size
            self._pace = (time.perf_counter() - start) / size
            if failed:
                # worlds that failed stay where they are
                active = self._well(active)
        self._bound.deliver(stepped)
        warned.give(3)
        return errors

    def _well(self, active: np.ndarray | None) -> np.ndarray:
        """Those of some worlds, or of all, that have not failed in this call."""
        well = np.flatnonzero(self._codes == OK)
        return well if active is None else np.intersect1d(active, well)

    @property
    def error_codes(self) -> np.ndarray:
        """What the last call came to in each world, `(n,)` int32: 0, or an `ErrorCode`.

        >>> fallen = batch.error_codes == cf.ErrorCode.BAD_VELOCITY
        """
        codes = self._codes[:]
        codes.flags.writeable = False
        return codes

    def _take_warnings(
        self, warned: BatchWarnings, errors: Sequence[StepError | None] = ()
    ) -> None:
        """Warnings of the last call; worlds that are stepped one by one have given theirs."""
        if not self._one_by_one and np.count_nonzero(self._reports["warned_count"]):
            count, index, value = (
                self._reports[f"warned_{part}"] for part in ("count", "index", "value")
            )
            warned.take(count, index, value, self._rows.views["time"], errors)

    @property
    def _in_parts(self) -> bool:
        """Whether a step of all worlds takes several compiled calls."""
        return self.threads > 1 or (self.n > 1 and self._one_by_one)

    def _slice(self, steps: int) -> int:
        """Number of steps to take before signals are handled."""
        if self._pace:
            return max(1, min(steps, int(SLICE / self._pace)))
        return max(1, min(steps, SHORT_CALL * LANES // max(1, self.n)))

    def _step(
        self,
        count: int,
        errors: list[StepError | None],
        done: int,
        active: np.ndarray | None,
    ) -> bool:
        """Some steps of every world, or of those that are active; whether any failed."""
        if self._one_by_one:
            return self._step_alone(count, errors, done, active)
        self._run(step_groups, count, active)
        status = self._reports["world_status"]
        # counting is three times as fast as any() for a few worlds
        if not np.count_nonzero(status):
            return False
        failed = np.flatnonzero(status)
        self._forget(failed)
        self._codes[failed] = status[failed]
        for world in failed.tolist():
            errors[world] = self._error_of(world, done)
        return True

    def _forget(self, failed: np.ndarray) -> None:
        """Set results of worlds that failed to nan, and their counts to UNKNOWN."""
        self._bound.fill(failed, np.nan)
        self._reports["world_rows"][failed] = UNKNOWN

    def _step_alone(
        self,
        count: int,
        errors: list[StepError | None],
        done: int,
        active: np.ndarray | None,
    ) -> bool:
        """The same, one world after another; raises what a callback raised, once all are done."""
        worlds = self._worlds()
        raised: dict[int, BaseException] = {}

        def job(world: int) -> None:
            try:
                worlds[world].step(count)
            except StepError as error:
                error.steps_done += done
                errors[world] = error
            except BaseException as error:  # no thread may be left behind
                raised[world] = error

        chosen = range(self.n) if active is None else active.tolist()
        with self.model._gate.apart():
            self._crew.each([functools.partial(job, world) for world in chosen])
        self._copy_bound(chosen)
        failed = [world for world in chosen if errors[world] is not None]
        self._forget(np.array(failed, int))
        for world in failed:
            self._codes[world] = worlds[world]._store.arrays["status"].item()
        if raised:
            raise raised[min(raised)]
        return bool(failed)

    def _worlds(self) -> list[Data]:
        """Few worlds, each as a Data of its own."""
        if not self._alone:
            self._alone = [self._world(i) for i in range(self.n)]
        return self._alone

    def _copy_bound(self, chosen: Iterable[int]) -> None:
        """Bound fields and counts of worlds that were evaluated one by one."""
        for i in chosen:
            data = self._worlds()[i]
            for number in self._requested:
                data._run_unit(ON_REQUEST.kernels[number])
            self._bound.copy_from(data, i)
            self._reports["world_rows"][i] = [getattr(data, name) for name in COUNTED]

    @locked
    def forward_all(self) -> None:
        """Fill the bound fields for the current states, without moving."""
        self._forward(None, OBSERVE)

    @locked
    def forward_where(self, mask: Sequence[bool] | np.ndarray) -> None:
        """The same for the worlds where a mask `(n,)` is true; those of others stay.

        >>> batch.reset_where(fallen)
        >>> batch.forward_where(fallen)
        """
        chosen = masked_worlds(mask, self.n)
        if len(chosen):
            self._forward(chosen, OBSERVE)

    @locked
    def restart_where(self, mask: Sequence[bool] | np.ndarray, **begin: Any) -> None:
        """Begin new episodes of the program in the worlds of a mask `(n,)`, and evaluate them.

        begin: where they begin, as for `reset_where`. Then random numbers are drawn for the new
        episode, the program's `reset` runs, and after a forward evaluation its `observe`.
        """
        if self.program is None:
            raise ArgumentError("restart_where: the batch has no program; use reset_where")
        chosen = masked_worlds(mask, self.n)
        self.reset_where(mask, **begin)
        self.world_state["episode"][chosen] += 1.0
        self.world_state["draw"][chosen] = 0.0
        if len(chosen):
            self._forward(chosen, RESET, OBSERVE)

    @locked
    def seed(self, seed: int) -> None:
        """Set the seed of the program's random numbers; episodes are counted from zero again."""
        if self.program is None:
            raise ArgumentError("seed: the batch has no program; sensors have seed_noise")
        if not is_integer(seed) or not 0 <= seed < MOST_SEED:
            raise ArgumentError(f"seed: expected a whole number below 2^31, got {seed!r}"[:300])
        self.world_state["seed"] = seed
        self.world_state["episode"] = -1.0
        self.world_state["draw"] = 0.0

    def _forward(self, chosen: np.ndarray | None, *hooks: int) -> None:
        self._refresh_model()
        self._codes.fill(OK)
        self._set_hooks(*hooks)
        with signals_deferred(apart=self._in_parts):
            if self._one_by_one:
                numbers = range(self.n) if chosen is None else chosen.tolist()
                for i in numbers:
                    self._worlds()[i].forward()
                self._copy_bound(numbers)
            else:
                self._run(forward_groups, 1, chosen)
                self._codes[:] = self._reports["world_status"]
        self._bound.deliver(slice(None) if chosen is None else chosen)
        warned = BatchWarnings(self.model, self.n)
        self._take_warnings(warned)
        warned.give(4)

    @locked
    def inverse_all(self) -> None:
        """Compute the forces that would cause the accelerations in `batch.qacc`, without moving.

        As `data.inverse()`, for every world: of the bound fields, `qfrc_inverse` and others that it
        computes are filled, and the rest stay what they were.

        >>> batch.bind("qacc", "qfrc_inverse")
        >>> batch.qacc[:] = wanted
        >>> batch.inverse_all()
        """
        if "qacc" not in self._bound.arrays:
            raise ArgumentError('batch.bind("qacc", "qfrc_inverse") first, and fill batch.qacc')
        refuse_inverse(self.model)
        self._refresh_model()
        with signals_deferred(apart=self._in_parts):
            if self._one_by_one:
                for data, wanted in zip(self._worlds(), self.qacc, strict=True):
                    data.qacc[:] = wanted
                    data.inverse()
                self._copy_bound(range(self.n))
            else:
                self._run(inverse_groups, 1)
        self._bound.deliver(slice(None))
        warned = BatchWarnings(self.model, self.n)
        self._take_warnings(warned)
        warned.give(3)

    @locked
    def transition_derivatives(self, config: DerivativeConfig | None = None) -> TransitionMatrices:
        """How the next states of all worlds follow their states and controls: A, B, C, D.

        config: method, eps and what is computed; by default `DerivativeConfig()`.

        As `Data.transition_derivatives`, with the number of the world in front: A is (n, nx, nx).
        """
        return upward.batch_derivatives(self, config)

    def _world(self, i: int, lock: Any = None) -> Data:
        own, block = self._rows.world(i), self._parameters.block(i)
        made = Data(self.model, own, engine=self._engine, parameters=block, lock=lock)
        if lock is not None:
            self._envs[made] = i
        return made

    def _cleared(self, worlds: Any) -> None:
        self._bound.fill(worlds, 0.0)
        self._reports["world_rows"][worlds] = 0

    def _refresh_model(self) -> None:
        """Take the model as it is now, or refuse it."""
        in_lanes = self.model.callbacks.in_lanes
        if self.program is not None and not in_lanes:
            raise ArgumentError(
                "model.callbacks: a batch with a program takes kernels with @kernel(lanes=True)"
            )
        self._one_by_one = not in_lanes or (self.n <= FEW_WORLDS and self.program is None)
        refresh_if_changed(self.model)
        if self.model.missing:
            raise UnsupportedFeature(self.model.supported())

    def copy(self) -> BatchSim:
        """Another batch of the same model whose worlds are as these are now."""
        copied = BatchSim.__new__(BatchSim)
        restore_batch(copied, self._state())
        return copied

    @locked
    def _state(self) -> dict[str, Any]:
        return batch_state(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore_batch(self, state)

    def __repr__(self) -> str:
        return f"<cortenforge.BatchSim n={self.n} threads={self.threads} of {self.model!r}>"

    def _repr_html_(self) -> str:
        rows = {"worlds": self.n, "threads": self.threads, "memory": f"{self.nbytes / 1e6:.3g} MB"}
        return html_table("BatchSim", {**rows, **model_summary(self.model)})


def _views(batch: BatchSim) -> dict[str, np.ndarray]:
    rows = batch.__dict__.get("_rows")
    return rows.views if rows is not None else {}
