"""GpuBatchSim: many independent worlds of one model on a GPU."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.binding import REQUESTS
from cortenforge.batch.memory import Rows
from cortenforge.batch.parameters import Parameters
from cortenforge.batch.threads import locked
from cortenforge.batch.warned import BatchWarnings
from cortenforge.batch.worlds import Worlds, checked_engine, checked_size
from cortenforge.errors import (
    ArgumentError,
    GpuSimError,
    NotAvailable,
    ShapeError,
    StepError,
    UnknownAttribute,
)
from cortenforge.fields import STATE_FIELDS
from cortenforge.gpu.buffers import MOST_ELEMENTS, GpuBuffers, chunk_size
from cortenforge.gpu.capacities import MARGIN, trial_capacities
from cortenforge.gpu.context import GpuSimContext
from cortenforge.gpu.features import UnsupportedFeature, missing_on_gpu
from cortenforge.gpu.profiling import ShaderCounts, ShaderTime, count_step, time_step
from cortenforge.gpu.program import Program
from cortenforge.model import Data, Model
from cortenforge.model.access.views import NamedObjects
from cortenforge.model.calls.failure import CallReport, step_error
from cortenforge.model.calls.step_count import checked_step_count, is_integer
from cortenforge.model.changes.watch import refresh_if_changed
from cortenforge.model.internals import ensure_room, store_of
from cortenforge.model.model import checked_model
from cortenforge.step.engine import ENGINE, Engine
from cortenforge.step.statuses import FULL
from cortenforge.suggest import unknown_attribute

#: state that a step on the device changes; time is kept here, since f32 would lose it in minutes
MOVED = tuple(field.name for field in STATE_FIELDS if "hosted" not in field.marks)


#: methods that find objects of all worlds by name
NAMED = [name for name in vars(NamedObjects) if not name.startswith("_")]
#: what a BatchSim has and a batch on a GPU has not, and what to do instead
CPU_ALONE = {
    **dict.fromkeys(NAMED, 'index an array: batch.xpos[:, model.body("torso").id]'),
    "error_codes": "take the errors that step_all gives",
    "program": "its kernels are those of the step; write what you need in NumPy",
    "restart_where": "use reset_where and forward_all",
    "seed": "sensors have seed_noise",
    "unbind": "each field is an array already",
    "world_state": "it belongs to a program; use BatchSim",
    "forward_where": "a device evaluates all worlds: use forward_all",
    "copy": "make another batch, and give it the states (get_states, set_states)",
    "inverse_all": "its shaders are those of forward dynamics; use cpu_reference().inverse_all()",
    "transition_derivatives": "single precision is too coarse for differences; use "
    "cpu_reference().transition_derivatives()",
    "nbytes": "see bytes_per_world",
}


#: why scratch cannot be read
BRIEF = "it is scratch whose memory other shaders use, too; step a world of cpu_reference() for it"


class GpuBatchSim(Worlds):
    """`n` independent worlds of one model, stepped together on a GPU in f32.

    The surface is `BatchSim`'s: `(n, ...)` float64 arrays for state and inputs, which can be
    written, and any derived field by its name, read-only. Arrays go up when they were changed,
    and come down when they are asked for: after a step, ask again (`batch.qpos`) to see it.

    Raises UnsupportedFeature, NotAvailable or BatchTooLarge, in this order of checking.

    >>> batch = cf.GpuBatchSim(model, 4096)
    >>> batch.ctrl[:] = 0.1
    >>> errors = batch.step_all(10)
    >>> batch.xpos.shape
    """

    model: Model
    n: int
    context: GpuSimContext
    _fresh: Data
    _rows: Rows
    #: state and inputs as the device has them, to see what was changed
    _sent: np.ndarray
    #: derived fields that were asked for since the last step
    _derived: dict[str, np.ndarray]
    #: which of ON_REQUEST bound fields need
    _requested: set[int]
    #: state that a step has changed and that was not fetched yet
    _old: set[str]
    _buffers: GpuBuffers
    _program: Program
    _engine: Engine
    #: the model's, as of when the shaders were made
    _version: int
    _capacities: dict[str, int]
    #: own fields of the model as the device has them
    _sent_parameters: dict[str, np.ndarray]

    def __init__(
        self,
        model: Model,
        n: int,
        *,
        capacities: Mapping[str, int] | None = None,
        engine: Engine = ENGINE,
    ) -> None:
        """
        capacities: room for lists whose length only a step knows, by name (`nconmax`, `nefcmax`,
                    ...); of those that are not given, twice what a short run on the CPU needs.
        """
        n, model = checked_size(n, math.inf), checked_model(model)
        given = _rooms(checked_engine(engine), {} if capacities is None else capacities)
        _look(model)
        context = GpuSimContext.required()
        with context.turn.enter():
            rooms = given
            if given.keys() != engine.capacities.keys():
                rooms = {**trial_capacities(model, engine), **given}
            self._begin(model, n, context, rooms, engine)

    def _begin(
        self, model: Model, n: int, context: GpuSimContext, rooms: dict[str, int], engine: Engine
    ) -> None:
        program = Program(context, model, engine, rooms)
        layout = program.layout
        chunk_size(context, layout, n)
        fresh = Data(model, engine=engine)
        ensure_room(fresh, rooms)
        self.__dict__.update(
            model=model,
            n=n,
            context=context,
            _crew=context.turn,
            _engine=engine,
            _capacities=rooms,
            _fresh=fresh,
            _rows=Rows(model, n),
            _derived={},
            _requested=set(),
            _old=set(),
            _parameters=Parameters(model, n),
            _sent_parameters={},
        )
        for name, view in self._rows.views.items():
            view[...] = getattr(fresh, name)
        self.__dict__.update(
            _sent=self._rows.table.copy(),
            _buffers=GpuBuffers(context, layout, model, fresh, n),
            _program=program,
            _version=model.version,
        )

    @classmethod
    def try_new(cls, model: Model, n: int) -> GpuBatchSim | None:
        """A batch, or None if there is no adapter; every other error is raised.

        model: the model of all worlds.
        n:     number of worlds.
        """
        try:
            return cls(model, n)
        except NotAvailable:
            return None

    # stepping

    @locked
    def step_all(self, nstep: int = 1, *, ctrl: Any = None) -> list[StepError | None]:
        """Advance every world by some steps; for each world, None or what went wrong.

        nstep: number of steps, 1 or more.

        `ctrl` is copied into the controls first. A world that fails keeps the state from which its
        failing step started, and is not reset.
        """
        nstep = checked_step_count(nstep)
        if ctrl is not None:
            self._assign("ctrl", ctrl)
        self._send()
        if self.n:
            self._program.step(self._buffers.chunks, nstep)
        self._answer(*self._requested)
        self._old.update(MOVED)
        done = self._buffers.download("steps_done").reshape(-1)
        self._advance_time(done)
        # a world that did all of its steps did not fail
        errors: list[StepError | None] = [None] * self.n
        if (done < nstep).any():
            errors = self._errors(done)
        self._warn(errors)
        return errors

    def _warn(self, errors: Sequence[StepError | None] = ()) -> None:
        """Give the warnings of the last call."""
        count = self._buffers.download("warning_count")
        if count.any():
            warned = BatchWarnings(self.model, self.n)
            index, value = map(self._buffers.download, ("warning_index", "warning_value"))
            warned.take(count, index, value, self._rows.views["time"], errors)
            warned.give(4)

    @locked
    def forward_all(self) -> None:
        """Compute derived fields for the current states, without moving."""
        self._send()
        if self.n:
            self._program.forward(self._buffers.chunks)
        self._answer(*self._requested)
        self._warn()

    @locked
    def interaction_forces(self) -> None:
        """Compute cacc, cfrc_int and cfrc_ext; a step or `forward_all` comes first."""
        self._answer(REQUESTS["cfrc_ext"])

    @locked
    def subtree_momentum(self) -> None:
        """Compute subtree_linvel and subtree_angmom; a step or `forward_all` comes first."""
        self._answer(REQUESTS["subtree_linvel"])

    def _answer(self, *numbers: int) -> None:
        """Compute one of ON_REQUEST, and mark derived fields as changed."""
        if self.n:
            for number in sorted(numbers):
                self._program.answer(number, self._buffers.chunks)
        self._derived.clear()

    def _advance_time(self, done: np.ndarray) -> None:
        """Add the timestep once for every step, as a world alone would, in float64."""
        time = self._rows.views["time"]
        h = float(self.model.opt.timestep)
        for k in range(int(done.max(initial=0))):
            time[done > k] += h

    def _errors(self, done: np.ndarray) -> list[StepError | None]:
        errors: list[StepError | None] = [None] * self.n
        status = self._buffers.download("status").reshape(-1)
        index = self._buffers.download("status_index").reshape(-1)
        value = self._buffers.download("status_value").reshape(-1)
        rooms = tuple(self._capacities.items())
        for world in np.flatnonzero(status):
            seen = CallReport(
                int(status[world]),
                int(index[world]),
                float(value[world]),
                float(self._rows.views["time"][world]),
                int(done[world]),
                rooms,
            )
            error = step_error(self.model, seen)
            assert isinstance(error, StepError)
            errors[world] = error
        return errors

    # arrays

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray:
            rows: Rows | None = self.__dict__.get("_rows")
            if rows is not None and name in rows.views:
                self._fetch_one(name)
                return rows.views[name]
            if rows is None or not self._is_field(name):
                raise self._unknown(name)
            return self._derived_field(name)

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in self._rows.views:
                raise self._unknown(name)
            self._assign(name, value)

    @locked
    def _fetch_one(self, name: str) -> None:
        self._refresh(name)

    @locked
    def _derived_field(self, name: str) -> np.ndarray:
        if name not in self._derived:
            sizes = {**store_of(self.model).sizes, **self._capacities}
            shape = self._engine.by_name[name].shape_for(sizes)
            place = self._buffers.layout.places["d"].get(name)
            if place is not None and place.shared:
                raise UnknownAttribute(f"GpuBatchSim has no {name!r}: {BRIEF}")
            if place is not None:
                array = self._buffers.download(name).reshape(self.n, *shape)
            else:
                # no shader of this model uses it: it is as in a new Data, as on a CPU
                one = store_of(self._fresh).arrays[name].reshape(-1)[: math.prod(shape)]
                array = np.broadcast_to(one.reshape(shape), (self.n, *shape)).copy()
            # what is written here would go nowhere
            array.flags.writeable = False
            self._derived[name] = array
        return self._derived[name]

    def _is_field(self, name: str) -> bool:
        """Whether a name is a field of Data that kernels see."""
        field = self._engine.by_name.get(name)
        return field is not None and field.in_kernels

    def _unknown(self, name: str) -> UnknownAttribute:
        """The error for an attribute that is not there, or cannot be assigned to."""
        if name in CPU_ALONE:
            return UnknownAttribute(f"GpuBatchSim has no {name!r}: {CPU_ALONE[name]}")
        known: dict[str, Any] = {} if name.startswith("_") else {**self._rows.views}
        return unknown_attribute("GpuBatchSim", name, known)

    @locked
    def bind(self, *names: str) -> None:
        """Check that derived fields exist; here every one is an array already.

        names: derived fields, such as "xpos".

        Those that no step computes, such as `cfrc_ext`, are computed at the end of every call.
        """
        for name in names:
            if not isinstance(name, str) or not self._is_field(name):
                raise ShapeError(f"{name!r} is not a field of Data"[:300])
        self._requested.update(REQUESTS[name] for name in names if name in REQUESTS)

    def _changed(self, name: str) -> np.ndarray:
        """Which numbers of a field differ from what the device was given, nan or not."""
        columns = self._rows.columns[name]
        now = self._rows.table[:, columns].view(np.int64)
        changed: np.ndarray = now != self._sent[:, columns].view(np.int64)
        return changed

    def _refresh(self, name: str) -> None:
        """Fetch what a step changed; numbers written since then stay as they were written."""
        if name not in self._old:
            return
        columns = self._rows.columns[name]
        kept = self._changed(name)
        found = self._buffers.download(name)
        self._sent[:, columns] = found
        own = self._rows.table[:, columns]
        own[...] = np.where(kept, own, found)
        self._old.discard(name)

    def _send(self) -> None:
        """Bring everything that was changed to the device."""
        _look(self.model)
        # someone else may have had the model refreshed
        if self.model.version != self._version:
            # another structure may take other shaders, and these other fields
            self._prepare(self._capacities)
        self._buffers.write_model(self.model)
        self._send_parameters()
        for name in self._rows.columns:
            if self._changed(name).any():
                self._refresh(name)
                columns = self._rows.columns[name]
                self._buffers.upload(name, self._rows.table[:, columns])
                self._sent[:, columns] = self._rows.table[:, columns]

    def _send_parameters(self) -> None:
        """Bring worlds' own fields of the model to the device, where they were changed."""
        for name, values in self._parameters.items():
            sent = self._sent_parameters.get(name)
            if sent is None or sent.tobytes() != values.tobytes():
                self._buffers.upload_parameter(name, values)
                self._sent_parameters[name] = values.copy()

    @locked
    def expand(self, *names: str) -> None:
        """Give every world its own copy of Model fields: `batch.parameters["body_mass"][i]`.

        names: fields of Model, such as "body_mass".

        Shaders are made again. Constants that follow from the fields are computed by `set_const`,
        for each world, and by `randomize`.
        """
        before = set(self._parameters)
        self._let_differ(names)
        if set(self._parameters) != before:
            self._prepare(self._capacities)

    @locked
    def grow(self) -> dict[str, int]:
        """Make room for what worlds of the last call asked for, and as much again.

        A world that failed with CapacityExceeded is in the state in which its step began: the next
        call goes on from there. Returns the capacities that there are now.
        """
        names, rooms = list(self._engine.capacities), dict(self._capacities)
        status, index, value = (
            self._buffers.download(name).reshape(-1)
            for name in ("status", "status_index", "status_value")
        )
        for world in np.flatnonzero(status == FULL):
            name = names[int(index[world])]
            rooms[name] = max(rooms[name], MARGIN * int(value[world]))
        if rooms != self._capacities:
            self._prepare(rooms)
        return rooms

    def _prepare(self, rooms: dict[str, int]) -> None:
        """Translate the model as it is now; fields keep their numbers on the device."""
        program = Program(self.context, self.model, self._engine, rooms, own=set(self._parameters))
        if not program.layout.has_places_of(self._buffers.layout):
            chunk_size(self.context, program.layout, self.n)
            before = self._buffers
            made = GpuBuffers(self.context, program.layout, self.model, self._fresh, self.n)
            made.take_fields(before)
            self.__dict__.update(_buffers=made, _sent_parameters={})
        self.__dict__.update(_program=program, _capacities=rooms, _version=self.model.version)
        self._derived.clear()

    # worlds

    def _world(self, i: int, lock: Any = None) -> Data:
        own, block = self._rows.world(i), self._parameters.block(i)
        return Data(self.model, own, engine=self._engine, parameters=block, lock=lock)

    def _fetch(self) -> None:
        for name in MOVED:
            self._refresh(name)

    @locked
    def cpu_reference(self) -> BatchSim:
        """A batch on the CPU whose worlds have, exactly, the states that the device has."""
        twin = BatchSim(self.model, self.n)
        states = self.get_states()
        with np.errstate(over="ignore"):
            rounded = states.astype(np.float32).astype(np.float64)
        # time is not the device's
        time = self._rows.columns["time"]
        rounded[:, time] = states[:, time]
        twin.set_states(rounded)
        if self._parameters:
            twin.expand(*self._parameters)
        for name, values in self._parameters.items():
            twin.parameters[name] = values
        return twin

    @locked
    def count_shaders(self) -> list[ShaderCounts]:
        """Loop turns, loads and stores of each shader of a step from here, which is not taken."""
        self._send()
        return count_step(self._buffers, self.model, self._engine, self._capacities)

    @locked
    def time_shaders(self) -> list[ShaderTime]:
        """Seconds of each shader of a step, one by one; the worlds are in no state afterwards."""
        self._send()
        return time_step(self._program, self._buffers)

    @property
    def capacities(self) -> dict[str, int]:
        """Room for each list whose length only a step knows."""
        return dict(self._capacities)

    @property
    def chunks(self) -> int:
        """Number of parts of device memory, each below the adapter's limit for one binding."""
        return len(self._buffers.chunks)

    @property
    def bytes_per_world(self) -> int:
        """Device memory that one more world takes."""
        return self._buffers.bytes_per_world

    def __reduce__(self) -> Any:
        raise GpuSimError(
            "a batch on a GPU cannot be pickled or copied: its memory is on the device; make "
            "another one, and give it the states (get_states, set_states)"
        )

    def __repr__(self) -> str:
        device = self.context.adapter_info["device"]
        return f"<cortenforge.GpuBatchSim n={self.n} on {device} of {self.model!r}>"


def _look(model: Model) -> None:
    """Take the model as it is now, or refuse it."""
    refresh_if_changed(model)
    if model.missing:
        raise UnsupportedFeature(model.supported(), on_cpu=False)
    if missing := missing_on_gpu(model):
        raise UnsupportedFeature(missing)


def _rooms(engine: Engine, capacities: Mapping[str, int]) -> dict[str, int]:
    """What there is room for in each world."""
    if not isinstance(capacities, Mapping):
        raise ArgumentError(f"capacities: expected numbers by name, got {capacities!r}"[:300])
    unknown = [name for name in capacities if name not in engine.capacities]
    if unknown:
        listed = ", ".join(engine.capacities) or "none"
        raise ShapeError(f"capacities: there is no {unknown[0]!r} (there are: {listed})")
    for name, room in capacities.items():
        if not is_integer(room) or not 0 <= room <= MOST_ELEMENTS:
            raise ArgumentError(f"capacities[{name!r}]: expected a count, got {room!r}"[:300])
    return {name: int(room) for name, room in capacities.items()}
