"""Data: the state of one world, and everything that a step computes from it."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError, StepWarning, UnsupportedFeature
from cortenforge.fields import DATA_FIELDS
from cortenforge.fields.data_constraint import CONSTRAINT
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.load.link import Call
from cortenforge.model.access.data_memory import data_plan
from cortenforge.model.access.declared import DataFields
from cortenforge.model.access.store import (
    FieldAttributes,
    Store,
    listed_attributes,
    scalar_attributes,
)
from cortenforge.model.access.views import NamedObjects, ObjectView, object_id, object_view
from cortenforge.model.calls.failure import CallReport, distance_warning, step_error
from cortenforge.model.calls.guard import Guard, exclusive, guard_public_methods
from cortenforge.model.calls.linked_units import linked_unit
from cortenforge.model.calls.python_callbacks import Caller
from cortenforge.model.calls.step_count import MAX_STEPS, checked_step_count, step_count_error
from cortenforge.model.changes.candidates import unsupported_pairs
from cortenforge.model.changes.constraints import constraint_jacobian
from cortenforge.model.changes.other_model import check_same_structure
from cortenforge.model.changes.sleeping import SleepMethods, start_asleep
from cortenforge.model.changes.watch import refresh_if_changed
from cortenforge.model.deformables import DeformableMethods
from cortenforge.model.methods.contact_methods import ContactMethods
from cortenforge.model.methods.derivatives import DerivativeMethods
from cortenforge.model.methods.geom_distance import (
    GeomDistance,
    checked_geom_pair,
    geom_distance_result,
)
from cortenforge.model.methods.mechanics import MechanicsMethods
from cortenforge.model.methods.notebook_tables import data_html
from cortenforge.model.methods.pipeline import PipelineMethods
from cortenforge.model.methods.rays import RayCaster, RayHit, RayHits, ray_filter
from cortenforge.model.methods.rendering import RenderMethods
from cortenforge.model.model import Model, checked_model
from cortenforge.model.states import keyframes
from cortenforge.model.states.history import HistoryMethods
from cortenforge.model.states.initial import write_initial_state
from cortenforge.model.states.noise import seeded_generator
from cortenforge.model.states.pickling import Picklable, data_state, restore_data
from cortenforge.model.states.signature import Piece, state_pieces
from cortenforge.model.states.state import State, current_state, digest, read_state, restore_state
from cortenforge.model.states.world_parameters import WorldModelBlock
from cortenforge.step import run
from cortenforge.step.engine import ENGINE, Engine
from cortenforge.step.statuses import (
    BAD_ACCELERATION,
    CHANGED,
    FULL,
    OK,
    RAISED,
    UNSUPPORTED,
    WARN_CONVEX,
    WARNED,
    WARNINGS,
)

#: up to so many steps are taken in one call; more in slices, between which signals are handled
UNSLICED_STEPS = 16
#: duration of a slice, in seconds
SLICE_SECONDS = 0.05
#: largest distance that geom_distance searches
MAX_DISTANCE = 1e15


class Data(
    DataFields,
    FieldAttributes,
    NamedObjects,
    Picklable,
    SleepMethods,
    PipelineMethods,
    ContactMethods,
    MechanicsMethods,
    DerivativeMethods,
    HistoryMethods,
    DeformableMethods,
    RenderMethods,
):
    """One world of a model. Fields are NumPy views with MuJoCo's names and shapes.

    Make one with `model.make_data()`.

    >>> data.qvel[0] = 1.0
    >>> data.step(100)
    >>> data.body("torso").xpos
    """

    _closed_because = "steps compute it and use it as an index"
    model: Model
    _engine: Engine
    _parameters: WorldModelBlock | None
    _caller: Caller
    _call: Call
    _call_address: ctypes.c_int64
    _known_pieces: dict[int, list[Piece]]
    _linked: tuple[dict[Any, Any], dict[Kernel, Callable[..., Any]]]
    _linked_entries: tuple[dict[Any, Any], dict[Kernel, Callable[..., int]]]
    _ray_caster: RayCaster | None
    _borrows_memory: bool
    _warning_counter: Callable[[Data, int, str], None] | None
    _guard: Guard

    def __init__(
        self,
        model: Model,
        given: Mapping[str, np.ndarray] | None = None,
        *,
        engine: Engine = ENGINE,
        parameters: WorldModelBlock | None = None,
        lock: Any = None,
    ) -> None:
        """A Data of a model.

        given:      arrays that are used in place of own memory.
        parameters: fields of the model that this world has for itself.
        lock:       an RLock, shared with other users of the same memory.
        """
        self._begin(checked_model(model), engine, given, parameters, lock)
        if given is None:
            self.reset()

    def _begin(
        self,
        model: Model,
        engine: Engine,
        given: Mapping[str, np.ndarray] | None = None,
        parameters: WorldModelBlock | None = None,
        lock: Any = None,
        capacities: Mapping[str, int] | None = None,
    ) -> None:
        """Allocate memory for a model; what the object held before is dropped."""
        guard = Guard(model, "Data", self._guard.lock if "_guard" in self.__dict__ else lock)
        self.__dict__.clear()
        capacities = capacities or engine.first_capacities
        store = Store(data_plan(model, engine), given=given, capacities=capacities)
        self._adopt(store)
        block = parameters.address if parameters else model._store.address
        call = Call(block, store.address, 1)
        self.__dict__.update(
            model=model,
            _engine=engine,
            _parameters=parameters,
            _caller=Caller(self),
            _call=call,
            _call_address=ctypes.c_int64(ctypes.addressof(call)),
            # memory belongs to another object
            _borrows_memory=given is not None,
            _guard=guard,
            # the model's functions, and units for this world
            _linked=({}, {}),
            _linked_entries=({}, {}),
            # parts of state vectors, by signature
            _known_pieces={},
            # made with the first ray
            _ray_caster=None,
            # takes warnings instead of Python's; set by model/internals.py
            _warning_counter=None,
        )

    def use_model(self, model: Model) -> None:
        """Continue with another model of the same structure, such as a copy with other masses.

        State, inputs and computed fields stay as they are; `data.model` is then the other one. It
        costs a few microseconds: a program may change models before every step. ArgumentError for
        a model with other sizes or other fixed integers (types, parents, addresses), and for a
        world of a batch, whose parameters are set by the batch.

        >>> heavy = model.copy()
        >>> heavy.body_mass *= 2
        >>> data.use_model(heavy)
        """
        if checked_model(model) is self.model:
            return
        if self._parameters or self._borrows_memory:
            raise ArgumentError(
                "a world of a batch, or one with parameters of its own, keeps its model: make a "
                "Data of the other model (model.make_data()), and set its state"
            )
        check_same_structure(model, self.model)
        with model._gate.reading():
            self._guard.move_to(model)
            self.__dict__["model"] = model
            self._forget_model()
            self._store.assign("model_version", model.version)
            self._store.assign("tree_kept", 0)
            # static geoms are placed again
            self._store.assign("settled", 0)

    def _take_parameters(self, parameters: WorldModelBlock | None) -> None:
        """Replace the world's own model fields."""
        self.__dict__["_parameters"] = parameters
        self._forget_model()

    def _forget_model(self) -> None:
        """Take the address of the model's fields again; drop functions bound to the old ones."""
        block = self._parameters.address if self._parameters else self.model._store.address
        self._call.m = block
        self.__dict__.update(_ray_caster=None, _linked=({}, {}), _linked_entries=({}, {}))
        for kept in ("_step", "ray", "_kept"):
            self.__dict__.pop(kept, None)

    def step(self, nstep: int = 1) -> None:
        """Advance by some steps.

        nstep: number of steps, 1 or more.

        Raises a StepError at the first step that fails; the state is then the one from which
        that step started, and `steps_done` is the number of completed steps.
        """
        call = self._call
        if nstep.__class__ is not int:
            nstep = checked_step_count(nstep)
        if nstep <= UNSLICED_STEPS:
            if nstep < 0:
                raise step_count_error(nstep)
            call.count = nstep
            status = self._step(self._call_address)
            if status:
                self._resume(status, nstep, 0)
        else:
            self._step_in_slices(nstep)

    def _step_in_slices(self, nstep: int) -> None:
        """Many steps, in slices of 50 ms, between which signals are handled."""
        if nstep > MAX_STEPS:
            raise step_count_error(nstep)
        done, size = 0, UNSLICED_STEPS
        while done < nstep:
            size = min(size, nstep - done)
            start = time.perf_counter()
            self._call.count = size
            status = self._step(self._call_address)
            if status:
                self._resume(status, size, done)
            done += size
            taken = max(time.perf_counter() - start, 1e-7)
            size = max(1, min(4 * size, int(size * SLICE_SECONDS / taken)))
        self._store.assign("steps_done", done)

    def _resume(self, status: int, wanted: int, before: int) -> None:
        """Resolve a call that did not complete its steps and take the rest, or raise its error.

        wanted: steps of the call.  before: steps of earlier slices.
        """
        done = 0
        while status not in (OK, WARNED):
            # a call that was not made has done nothing
            done += self.steps_done if status not in (CHANGED, UNSUPPORTED) else 0
            self._answer(status, before + done)
            self._call.count = wanted - done
            status = self._step(self._call_address)
        self._store.assign("steps_done", before + wanted)
        if status == WARNED:
            self._warn(4)

    def _answer(self, status: int, done: int) -> None:
        """Resolve a status, so that the call can be repeated: refresh the model, grow; or raise."""
        if status == CHANGED:
            refresh_if_changed(self.model)
            if self._parameters:
                self._parameters.refresh()
            self._store.assign("model_version", self.model.version)
            self._store.assign("tree_kept", 0)
            self.__dict__.pop("_step", None)
        elif status == FULL:
            self._grow(self.status_index, int(self.status_value))
            self._caller.repeat()
        elif status == UNSUPPORTED:
            raise UnsupportedFeature(self.model.supported())
        elif status == RAISED:
            self._store.assign("steps_done", done)
            raise self._caller.raised()
        else:
            self._store.assign("steps_done", done)
            raise self._failed()

    def _grow(self, capacity: int, wanted: int) -> None:
        """Grow a capacity that a step found too small; arrays taken before are then stale."""
        self._store.grow(list(self._engine.capacities)[capacity], wanted)
        self._drop_growing()

    def _ensure_room(self, capacities: Mapping[str, int]) -> None:
        """Grow capacities that are smaller than these; arrays taken before are then stale."""
        small = [n for n, wanted in capacities.items() if self._store.capacities[n] < wanted]
        for name in small:
            self._store.grow(name, capacities[name])
        if small:
            self._drop_growing()

    def _failed(self) -> Exception:
        """The error of a world that failed; for a bad acceleration with findings of `explain`."""
        if self.status != BAD_ACCELERATION:
            return step_error(self.model, self._report())
        return step_error(self.model, self._report(), self.explain())

    def _report(self) -> CallReport:
        return CallReport(
            self.status, self.status_index, self.status_value, self.time, self.steps_done
        )

    def _step(self, call: ctypes.c_int64) -> int:
        """The first step: it replaces itself by the compiled function, for later calls."""
        compiled = self._function(run.run_steps)
        self.__dict__["_step"] = compiled
        return compiled(call)

    def _function(self, unit: Kernel) -> Callable[..., int]:
        """An entry or a unit, ready to be called with addresses."""
        return linked_unit(self.model, self._engine, unit, self)

    def forward(self, *, smooth_only: bool = False) -> None:
        """Compute everything that follows from the state, without integration.  As `mj_forward`.

        smooth_only: stop before constraints, without actuators and acceleration sensors, so that
        models with unsupported features can be evaluated as far as possible.
        An inertia matrix that is not positive definite is factored as in MuJoCo, with a
        StepWarning.
        """
        self._evaluate(run.run_smooth if smooth_only else run.run_forward)

    def _evaluate(self, entry: Kernel) -> None:
        """Run an entry that does not integrate."""
        while status := self._run_entry(entry):
            if status == WARNED:
                self._warn(4)
                break
            self._answer(status, 0)

    def _run_slice(self, entry: Kernel, count: int) -> int:
        """Run up to `count` steps of an entry; returns how many it took."""
        done = 0
        self._call.count = count
        while status := self._function(entry)(self._call_address):
            # a call that was not made has done nothing
            done += self.steps_done if status not in (CHANGED, UNSUPPORTED) else 0
            self._answer(status, done)
            self._call.count = count - done
        return done + self.steps_done

    def collide(self) -> None:
        """Compute kinematics and contacts, without forces: `ncon`, `contact`.

        Works for models with other unsupported features, too; raises UnsupportedFeature for pairs
        of types without a collision function.
        """
        while status := self._function(run.run_collide)(self._call_address):
            if status == UNSUPPORTED:
                raise UnsupportedFeature(unsupported_pairs(self.model))
            if status == WARNED:
                self._warn(3)
                break
            self._answer(status, 0)

    def geom_distance(
        self, one: str | int, other: str | int, *, distmax: float = np.inf
    ) -> GeomDistance:
        """The distance of geoms `one` and `other`, by name or number, and their nearest points.

        Poses of geoms are those of the last `forward` or `collide`. Distances beyond `distmax` are
        not computed: then `distmax` is returned, as by mj_geomDistance.
        """
        numbers = checked_geom_pair(self.model, one, other)
        kinds = self.model.geom_type[list(numbers)]
        swapped = bool(kinds[0] > kinds[1])
        self._store.assign("query_geom", numbers[::-1] if swapped else numbers)
        self.query_reach = min(distmax, MAX_DISTANCE)
        while status := self._function(run.run_distance)(self._call_address):
            self._answer(status, 0)
        if self.warning_count[WARN_CONVEX]:
            late = distance_warning(self.model, numbers, self.warning_value[WARN_CONVEX], self.time)
            warnings.warn(late, StepWarning, stacklevel=2)
        first = int(self.query_geom[0])
        return geom_distance_result(self, first, swapped=swapped, distmax=distmax)

    @property
    def efc_J(self) -> np.ndarray:
        """The Jacobian of constraints: (nefc, nv), or its entries if `opt.jacobian` is sparse."""
        return constraint_jacobian(self)

    def _warn(self, level: int) -> None:
        """Issue the warnings of a call, each for its first object; level: of the stack."""
        # nearly always there are none, which a list tells faster than NumPy
        counts = self.warning_count
        for warning in np.flatnonzero(counts) if any(counts.tolist()) else ():
            seen = CallReport(
                WARNINGS[int(warning)],
                int(self.warning_index[warning]),
                float(self.warning_value[warning]),
                self.time,
                0,
            )
            text = str(step_error(self.model, seen))
            if self._warning_counter is None:
                warnings.warn(text, StepWarning, stacklevel=level)
            else:
                self._warning_counter(self, int(warning), text)

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: int | str = -1,
        normal: bool = False,
    ) -> RayHit:
        """The nearest visible geom along a ray from a point; call `forward` before.

        pnt:         where the ray begins (3,) [m].
        vec:         its direction (3,), of any length but zero.
        geomgroup:   six flags, which groups of geoms are seen; None for all.
        flg_static:  whether geoms that are fixed to the world are seen.
        bodyexclude: a body whose geoms are not seen, by number or name; -1 for none.
        normal:      also give the outward normal of the surface.
        Rays hit surfaces from inside, too, planes only from their front. A geom is invisible if the
        alpha of its material, or without a material its own, is zero.

        >>> data.ray([0, 0, 2], [0, 0, -1]).dist
        """
        # later calls use a bound function that looks nothing up, in half the time
        caster = self._ray_caster or self._make_ray_caster()
        ray = functools.partial(exclusive(caster.ray_method(self.model)), caster)
        self.__dict__["ray"] = functools.update_wrapper(ray, Data.ray)
        return ray(pnt, vec, geomgroup, flg_static, bodyexclude, normal)

    def multi_ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: int | str = -1,
        *,
        normal: bool = False,
        cutoff: float = math.inf,
    ) -> RayHits:
        """Nearest geoms along many rays (n, 3), from one point (3,) or one point each (n, 3).

        pnt, vec: points and directions; geomgroup, flg_static, bodyexclude, normal: as for `ray`.
        cutoff: surfaces beyond this distance are ignored.
        Everything else is as for `ray`.
        """
        seen = ray_filter(self.model, geomgroup, flg_static, bodyexclude)
        return (self._ray_caster or self._make_ray_caster()).cast_many(
            pnt, vec, seen, normal, cutoff
        )

    def _make_ray_caster(self) -> RayCaster:
        made: RayCaster = RayCaster(self)
        self.__dict__["_ray_caster"] = made
        return made

    def reset(self) -> None:
        """Reset to qpos0, at rest, at time zero, with inputs cleared.  As `mj_resetData`.

        Noise of sensors, once seeded, continues.
        """
        self._caller.refuse("reset")
        model, store = self.model, self._store
        if model.nnoise:
            noise = self.noise.copy()
            store.clear()
            self.noise[:] = noise
        else:
            store.clear()
        write_initial_state(store.arrays, model)
        start_asleep(self)

    def reset_to_keyframe(self, key: str | int) -> None:
        """Reset, then take state, controls and mocap poses of keyframe `key`, by name or number."""
        object_id(self.model, "key", key)
        self.reset()
        keyframes.load_keyframe(self, key)

    def to_keyframe(self, key: str | int) -> None:
        """Store time, state, controls and mocap poses in a keyframe, by name or number `key`.

        As `mj_setKeyframe`; `<size nkey="..."/>` reserves keyframes that no file defines.
        """
        keyframes.store_keyframe(self, key)

    def keyframe(self) -> dict[str, Any]:
        """Time, state, controls and mocap poses as attributes of a keyframe of a description.

        >>> spec.add_key(name="here", **data.keyframe())
        """
        return keyframes.keyframe_attributes(self)

    def seed_noise(self, seed: int) -> None:
        """Add noise to sensors from now on, normal with deviation `sensor_noise`; 0 for none.

        The same seed gives the same noise. The generator is part of the state, so a restored state
        continues with the same noise; a reset goes on drawing. Noise is added before delays, and
        `cutoff` is applied after it.
        """
        self.noise[:] = seeded_generator(self.model, seed)

    def copy(self) -> Data:
        """Another world in the same state, with the same derived fields and parameters."""
        own = self._parameters.copy() if self._parameters else None
        twin = Data.__new__(Data)
        twin._begin(self.model, self._engine, None, own, capacities=self._store.capacities)
        twin._store.copy_from(self._store)
        return twin

    def get_state(self) -> State:
        """State and inputs as one vector, with the hash of the model."""
        return current_state(self)

    def set_state(self, state: State | np.ndarray) -> None:
        """Restore a state of `get_state`, bit for bit; states of other models are refused."""
        restore_state(self, state)

    def _pieces(self, signature: int) -> list[Piece]:
        """Parts of the vector of a signature of MuJoCo, kept for later calls."""
        found = self._known_pieces.get(signature)
        if found is None:
            found = self._known_pieces[signature] = state_pieces(self, signature)
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a plain npz file, `path`; one that is there is replaced."""
        self.get_state().save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Restore a state from a file that `save` wrote, `path`; refuses another model's."""
        self.set_state(read_state(path, self.model))

    def digest(self) -> str:
        """A hash of the model, the state and the inputs: equal bits, equal digest."""
        return digest(self)

    def _object(self, kind: str, key: str | int) -> ObjectView:
        return object_view(self.model, self, DATA_FIELDS, kind, key)

    def __repr__(self) -> str:
        return f"<cortenforge.Data t={self.time:.6g} nq={self.model.nq} nv={self.model.nv}>"

    def _repr_html_(self) -> str:
        return data_html(self)

    @exclusive
    def _state(self) -> dict[str, Any]:
        return data_state(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore_data(self, state)


guard_public_methods(
    Data,
    refused={
        "reset_to_keyframe",
        "set_state",
        "load",
        "seed_noise",
        "use_model",
        "register_deformable",
    },
    in_turn={name for name in vars(DerivativeMethods) if not name.startswith("_")},
    skipped={*vars(NamedObjects), "contact"},
)
for _name, _attribute in scalar_attributes(DATA_FIELDS).items():
    setattr(Data, _name, _attribute)
# rows of constraints read as MuJoCo's, without the room there is for more
for _name, _rows in listed_attributes(CONSTRAINT, {"nefcmax": "nefc", "nJmax": "nJ"}).items():
    setattr(Data, _name, _rows)
