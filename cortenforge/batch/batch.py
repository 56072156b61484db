"""BatchSim: many independent worlds of one model."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from cortenforge import hints, upward
from cortenforge.batch.assign import copy_rows
from cortenforge.batch.binding import bindable_fields, not_bindable, unbound
from cortenforge.batch.counts import COUNTED, NCOUNTED, UNKNOWN
from cortenforge.batch.lockstep import ON_REQUEST, forward_groups, inverse_groups, step_groups
from cortenforge.batch.masks import masked_worlds
from cortenforge.batch.memory import LaneMemory, ModelLanes, Places, Rows
from cortenforge.batch.parameters import Parameters
from cortenforge.batch.pickling import batch_state, restore_batch
from cortenforge.batch.program import lane_linker
from cortenforge.batch.threads import BatchThreads, locked, run_groups, signals_deferred
from cortenforge.batch.warned import BatchWarnings
from cortenforge.batch.worlds import Worlds, checked_engine, checked_size
from cortenforge.errors import (
    ArgumentError,
    CompilationError,
    StepError,
    UnknownAttribute,
    UnsupportedFeature,
)
from cortenforge.fields import Field
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.reach import Shared
from cortenforge.kernel.load.cores import usable_cores
from cortenforge.model import Data, Model
from cortenforge.model.calls.failure import CallReport, step_error
from cortenforge.model.calls.linked_units import plain_model
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
#: fields that no step computes, and the index in ON_REQUEST of the kernel that does
REQUESTS = {
    **dict.fromkeys(("cacc", "cfrc_int", "cfrc_ext"), 0),
    **dict.fromkeys(("subtree_linvel", "subtree_angmom"), 1),
}
#: what a batch is made for, and keeps
FIXED = {"model", "n", "threads", "parameters"}
#: no machine has so many cores, and each thread has memory of its own
MOST_THREADS = 4096
#: many steps are taken in slices of so many seconds, so that an interrupt is heard
SLICE = 0.05
#: group-steps that take less than a slice on any machine
SHORT_CALL = 256


class BatchSim(Worlds, Picklable):
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

    threads: int

    def __init__(
        self, model: Model, n: int, *, threads: int | None = None, engine: Engine = ENGINE
    ) -> None:
        n = checked_size(n)
        if threads is not None and (not is_integer(threads) or not 1 <= threads <= MOST_THREADS):
            raise ArgumentError(f"threads: expected 1 to {MOST_THREADS}, got {threads!r}"[:300])
        usual = min(usable_cores(), max(1, -(-n // LANES)))
        # what the memory is made for, which cannot be assigned
        self.__dict__.update(model=checked_model(model), n=n, threads=int(threads or usual))
        self._engine = checked_engine(engine)
        #: worlds that were handed out, with their numbers
        self._envs: WeakKeyDictionary[Data, int] = WeakKeyDictionary()
        self._crew = BatchThreads(self.threads)
        self._rows = Rows(model, n)
        self._parameters = Parameters(model, n)
        self._bound: dict[str, np.ndarray] = {}
        #: which of ON_REQUEST bound fields need
        self._requested: tuple[int, ...] = ()
        #: worlds in the order in which they are stepped, eight a group
        self._order = np.arange(n, dtype=np.int32)
        #: whether the last call was one of some worlds only
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
        self._memory = [LaneMemory(model, engine) for _ in range(self.threads)]
        self._models: list[ModelLanes] = []
        self._alone: list[Data] = []
        #: whether worlds are stepped one after another; those with Python functions have to be
        self._one_by_one = n <= FEW_WORLDS
        #: what the last call came to in each world: `error_codes`
        self._codes = np.zeros(n, np.int32)
        #: seconds that one step of all worlds takes, as far as is known
        self._pace = 0.0
        self._attach({})
        self.reset_all()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray:
            for arrays in (self.__dict__.get("_bound", {}), _views(self)):
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
            if not name.startswith("_") and (name in _views(self) or name in self._bound):
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
        own = (*super()._known_names(), *_views(self), *self._bound)
        return (*own, *(field.name for field in self._engine.fields if field.listed))

    @property
    def bytes_per_world(self) -> int:
        """Memory that one more world takes; lane memory comes once a thread."""
        reports = sum(array[:1].nbytes for array in self._reports.values())
        rows = (self._rows.table, *self._bound.values(), *self._parameters.values())
        return reports + sum(array[:1].nbytes for array in rows)

    @property
    def nbytes(self) -> int:
        """Memory of the whole batch: its worlds, and what each thread works in."""
        lanes = sum(memory.nbytes for memory in self._memory)
        return self.n * self.bytes_per_world + lanes + sum(own.nbytes for own in self._models)

    @locked
    def bind(self, *names: str) -> None:
        """Make derived fields available as `(n, ...)` arrays, filled after every step.

        Those of a world that failed are NaN: its lane went on with others, and is not to be read.
        Forces on bodies (`cfrc_ext`, `cfrc_int`), their accelerations (`cacc`), and velocities and
        momenta of subtrees (`subtree_linvel`, `subtree_angmom`) are no part of a step: they are
        computed after the last one of a call, as by `data.interaction_forces()` and
        `data.subtree_momentum()`. State, inputs and counts are there without it.
        """
        fields, ready = bindable_fields(self._engine), {*COUNTED, *_views(self)}
        for name in names:
            if not isinstance(name, str) or name not in {*fields, *ready}:
                raise not_bindable(self._engine, name)
        for name in names:
            if name not in self._bound and name not in ready:
                shape = fields[name].shape_for(self.model._store.sizes)
                self._bound[name] = np.zeros((self.n, *shape))
        needed = {REQUESTS[name] for name in self._bound if name in REQUESTS}
        self._requested = tuple(sorted(needed))
        self._attach({fields[name]: array for name, array in self._bound.items()})

    @locked
    def expand(self, *names: str) -> None:
        """Give every world its own copy of Model fields: `batch.parameters["body_mass"][i]`.

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
        while done < nstep and (active is None or len(active)):
            size = self._slice(nstep - done)
            start = time.perf_counter()
            with signals_deferred(apart=self._in_parts):
                failed = self._step(size, errors, done, active)
            self._take_warnings(warned, errors)
            done += size
            self._pace = (time.perf_counter() - start) / size
            if failed:
                # worlds that failed stay where they are
                active = self._well(active)
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
        for array in self._bound.values():
            array[failed] = np.nan
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
            for name, array in self._bound.items():
                array[i] = getattr(data, name)
            self._reports["world_rows"][i] = [getattr(data, name) for name in COUNTED]

    @locked
    def forward_all(self) -> None:
        """Fill the bound fields for the current states, without moving."""
        self._forward(None)

    @locked
    def forward_where(self, mask: Sequence[bool] | np.ndarray) -> None:
        """The same for the worlds where a mask `(n,)` is true; those of others stay.

        >>> batch.reset_where(fallen)
        >>> batch.forward_where(fallen)
        """
        chosen = masked_worlds(mask, self.n)
        if len(chosen):
            self._forward(chosen)

    def _forward(self, chosen: np.ndarray | None) -> None:
        self._refresh_model()
        self._codes.fill(OK)
        with signals_deferred(apart=self._in_parts):
            if self._one_by_one:
                numbers = range(self.n) if chosen is None else chosen.tolist()
                for i in numbers:
                    self._worlds()[i].forward()
                self._copy_bound(numbers)
            else:
                self._run(forward_groups, 1, chosen)
                self._codes[:] = self._reports["world_status"]
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
        if "qacc" not in self._bound:
            raise ArgumentError('batch.bind("qacc", "qfrc_inverse") first, and fill batch.qacc')
        refuse_inverse(self.model)
        self._refresh_model()
        with signals_deferred(apart=self._in_parts):
            if self._one_by_one:
                for data, wanted in zip(self._worlds(), self._bound["qacc"], strict=True):
                    data.qacc[:] = wanted
                    data.inverse()
                self._copy_bound(range(self.n))
            else:
                self._run(inverse_groups, 1)
        warned = BatchWarnings(self.model, self.n)
        self._take_warnings(warned)
        warned.give(3)

    @locked
    def transition_derivatives(self, config: DerivativeConfig | None = None) -> TransitionMatrices:
        """How the next states of all worlds follow their states and controls: A, B, C, D.

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
        for array in self._bound.values():
            array[worlds] = 0.0
        self._reports["world_rows"][worlds] = 0

    def _refresh_model(self) -> None:
        """Take the model as it is now, or refuse it."""
        self._one_by_one = self.n <= FEW_WORLDS or not self.model.callbacks.in_lanes
        refresh_if_changed(self.model)
        if self.model.missing:
            raise UnsupportedFeature(self.model.supported())

    def _run(self, entry: Kernel, count: int, chosen: np.ndarray | None = None) -> None:
        """Run an entry for all worlds, or for those with some numbers."""
        with self.model._gate.reading():
            self._run_inside(entry, count, chosen)

    def _run_inside(self, entry: Kernel, count: int, chosen: np.ndarray | None) -> None:
        number = self._regroup(chosen)
        function, _ = self._entry(entry)
        addresses = [lanes.address for lanes in self._models] or [
            self.model._store.address
        ] * self.threads
        for own in self._memory:
            own.count("nworld", number)
        memory = list(zip(addresses, self._memory, strict=True))
        groups = -(-number // LANES)
        run_groups(self._crew, function, memory, groups, count)

    def _entry(self, entry: Kernel) -> tuple[Callable[..., int], int]:
        """An entry for the model as it is now, and where the first thread finds the model."""
        expanded = bool(self._models)
        linker = self.model.callbacks.installed.linked(lane_linker(self._engine, expanded))
        key = (linker, entry, self._requested)
        # taken once: another thread may look at the model again meanwhile
        function = self.model._functions.get(key)
        if function is None:
            model = plain_model(self.model)
            known = Shared(model) if expanded else model
            for number in self._requested:
                linker.function(ON_REQUEST.kernels[number], known)
            function = linker.function(entry, known)
            self.model._functions[key] = function
        for lanes in self._models:
            lanes.refresh()
        address = self._models[0].address if expanded else self.model._store.address
        return function, address

    def _regroup(self, chosen: np.ndarray | None) -> int:
        """Write the worlds of a call into the order in which they are grouped; how many these are.

        Worlds with similar numbers of constraint rows go together: a group is as slow as its
        slowest. Which worlds are neighbours changes no world's bits.
        """
        rows = self._reports["world_rows"][:, 0]
        if chosen is None:
            if self.n > LANES and self.model.constraining:
                self._order[:] = rows.argsort(kind="stable")
            elif self._partial:
                self._order[:] = np.arange(self.n)
        else:
            self._order[: len(chosen)] = chosen[rows[chosen].argsort(kind="stable")]
            # what is left of earlier calls of other worlds
            self._reports["world_status"].fill(OK)
            self._reports["warned_count"].fill(0)
        self._partial = chosen is not None
        return self.n if chosen is None else len(chosen)

    def _error_of(self, world: int, done: int) -> StepError:
        reports = self._reports
        report = CallReport(
            int(reports["world_status"][world]),
            int(reports["world_index"][world]),
            float(reports["world_value"][world]),
            float(self._rows.views["time"][world]),
            done + int(reports["world_steps"][world]),
        )
        error = step_error(self.model, report)
        if isinstance(error, CompilationError):
            raise error
        return error

    def _attach(self, bound: Mapping[Field, np.ndarray]) -> None:
        """Set addresses of the batch's arrays in every thread's lane memory."""
        starts, sizes = self._memory[0].starts, self.model._store.sizes
        self._bind_from = np.array([starts[field.name] for field in bound], np.int32)
        self._bind_size = np.array([field.count_for(sizes) for field in bound], np.int32)
        self._places = Places(self._rows.table, bound.values())
        for memory in self._memory:
            memory.point("rows", self._rows.table)
            memory.point("out", self._places.base)
            memory.point("order", self._order)
            for name, array in self._reports.items():
                memory.point(name, array)
            memory.point("bind_from", self._bind_from)
            memory.point("bind_size", self._bind_size)
            memory.point("bind_to", self._places.table)
            memory.count("row_size", self._rows.table.shape[1])
            memory.count("out_size", Places.BLOCK)
            memory.count("bind_count", len(bound))
            memory.count("requested", sum(1 << number for number in self._requested))

    def _attach_parameters(self) -> None:
        """Set addresses of each world's own parameters in lane memory."""
        fields, sizes = self._parameters.fields, self.model._store.sizes
        starts = self._models[0].starts
        self._own_length = np.array([field.count_for(sizes) for field in fields], np.int32)
        self._own_to = np.array([starts[field.name] for field in fields], np.int32)
        self._own_places = Places(self._rows.table, self._parameters.values())
        for memory, lanes in zip(self._memory, self._models, strict=True):
            memory.point("own", self._own_places.base)
            memory.point("model_arena", lanes.arena)
            memory.point("own_from", self._own_places.table)
            memory.point("own_length", self._own_length)
            memory.point("own_to", self._own_to)
            memory.count("own_size", Places.BLOCK)
            memory.count("own_count", len(fields))

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
