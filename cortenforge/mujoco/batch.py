"""`mujoco.batch`: many simulations of one model, in lockstep on threads of this engine.

`state` has a row for each simulation, of mjSTATE_INTEGRATION; state fields are views of it. Results
do not depend on the number of threads. A simulation whose numbers go wrong is reset and goes on, as
by `mj_step`, and its warnings are counted.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Sequence
from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.binding import bindable_fields
from cortenforge.batch.internals import rows_of
from cortenforge.errors import CortenForgeError
from cortenforge.mujoco.batch_models import MODEL_FIELDS, OwnModels
from cortenforge.mujoco.batch_views import NamedView
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.functions.callbacks import installed
from cortenforge.mujoco.functions.pipeline import (
    mj_forward,
    mj_resetData,
    mj_step,
    mj_step1,
)
from cortenforge.mujoco.functions.state import (
    field_size,
    mj_getState,
    mj_setState,
    size_of_state,
    state_fields,
)
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import all_functions
from cortenforge.mujoco.tables import STRUCTS
from cortenforge.step.engine import ENGINE

STATE, STAGE = ENUMS["mjtState"], ENUMS["mjtStage"]
INTEGRATION, USER, CTRL = (int(STATE[f"mjSTATE_{n}"]) for n in ("INTEGRATION", "USER", "CTRL"))
SLEEP = int(ENUMS["mjtEnableBit"]["mjENBL_SLEEP"])
NWARNING = int(ENUMS["mjtWarning"]["mjNWARNING"])
#: at most so many simulations are named in an error
LISTED = 10
#: numbers beyond this, and those that are none, are bad (mjMAXVAL)
MAXVAL = 1e10
#: counts that are bound as integers
COUNTS = ("ncon", "ne", "nf", "nl", "nefc", "nisland")
STATE_FIELDS = tuple(state_fields(INTEGRATION))
#: fields that `bind` takes, and fields that `expand` takes
BINDABLE = set(bindable_fields(ENGINE)) & set(STRUCTS["MjData"])
#: results of a fixed size that are copied from simulations stepped one by one
COPIED = ("solver_niter", "solver_nnz")
DATA_FIELDS = frozenset({*STATE_FIELDS, *COUNTS, *BINDABLE, *COPIED})


class SimulationError(RuntimeError):
    """Some simulations of a call failed; they kept their state, the others went on."""

    def __init__(self, ids: np.ndarray, message: str, ncall: int | None = None) -> None:
        self.ids = ids
        of = "" if ncall is None else f" of {ncall}"
        listed = ", ".join(str(i) for i in ids[:LISTED]) + (", ..." if len(ids) > LISTED else "")
        super().__init__(
            f"failed: {len(ids)}{of} simulations ({listed}); simulation {ids[0]}: {message}"
        )


class Batch:
    """`nsim` simulations of a model on `nthread` threads (0: all cores).

    A persistent batch keeps an MjData for each simulation, and steps them one after another.
    """

    def __init__(
        self, model: MjModel, nsim: int, nthread: int = 0, persistent: bool = False
    ) -> None:
        if not isinstance(model, MjModel):
            raise TypeError(f"Batch(): model must be an MjModel, got {model!r}"[:300])
        if nsim < 1 or nthread < 0:
            raise ValueError(f"expected nsim of 1 or more and nthread of 0 or more, got {nsim}")
        check_sleep(model, persistent=persistent)
        check_callbacks()
        own = copy.copy(model)
        sim = BatchSim(own._native, int(nsim), threads=int(nthread) or None)
        sizes = [field_size(model, name) for name in STATE_FIELDS]
        ends = np.cumsum(sizes)
        data = MjData(own)
        self.__dict__.update(
            model=model,
            nsim=int(nsim),
            nthread=sim.threads,
            persistent=bool(persistent),
            nstate=int(ends[-1]),
            state=np.zeros((int(nsim), int(ends[-1]))),
            warning=np.zeros((int(nsim), NWARNING, 2), np.int32),
            status=np.zeros(int(nsim), np.int32),
            _model=own,
            _sim=sim,
            _models=OwnModels(own, sim),
            _data=data,
            _datas=[MjData(own) for _ in range(int(nsim))] if persistent else [],
            _places={
                name: slice(int(end) - size, int(end))
                for name, size, end in zip(STATE_FIELDS, sizes, ends, strict=True)
            },
            _outputs={},
            _errors={},
        )
        mj_getState(own, data, self.state[0], INTEGRATION)
        self.state[:] = self.state[0]
        self.status.flags.writeable = False

    model: MjModel
    nsim: int
    nthread: int
    persistent: bool
    nstate: int
    state: np.ndarray
    warning: np.ndarray
    status: np.ndarray
    _model: MjModel
    _sim: BatchSim
    #: the models of simulations that differ from the batch's
    _models: OwnModels
    #: a data in which simulations are loaded one by one
    _data: MjData
    #: of a persistent batch, those of all simulations
    _datas: list[MjData]
    _places: dict[str, slice]
    _outputs: dict[str, np.ndarray]
    _errors: dict[int, str]

    def __getattr__(self, name: str) -> np.ndarray:
        if name in DATA_FIELDS:
            return self.bind(name)
        raise AttributeError(f"'Batch' object has no attribute {name!r}{belongs(name)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in STATE_FIELDS:
            self.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise output_error(name)
        else:
            raise AttributeError(f"'Batch' object has no attribute {name!r} that can be set")

    def error(self, sim: int) -> str:
        """What went wrong in a simulation's last call; empty if nothing did."""
        return self._errors.get(int(sim), "")

    def bind(self, name: str) -> np.ndarray:
        """A live array `(nsim, ...)` of a field: of the state, or refreshed by each call."""
        if name in STATE_FIELDS:
            view = self.state[:, self._places[name]]
            if name == "time":
                return view[:, 0]
            return view.reshape(self.nsim, *np.shape(getattr(self._data, name)))
        if name not in DATA_FIELDS:
            known = isinstance(name, str) and name in STRUCTS["MjData"]
            why = "; its size changes from step to step" if known else belongs(name)
            raise ValueError(f"{name} is not a field that bind() accepts{why}")
        if name not in self._outputs:
            template = np.asarray(getattr(self._data, name))
            dtype = np.int32 if name in COUNTS else template.dtype
            if name in BINDABLE:
                self._sim.bind(name)
            output = self._outputs[name] = np.zeros((self.nsim, *template.shape), dtype)
            for i, data in enumerate(self._datas):
                output[i] = getattr(data, name)
        shown = self._outputs[name].view()
        shown.flags.writeable = False
        return shown

    def expand(self, name: str) -> np.ndarray:
        """Values of a model field `(nsim, ...)` of each simulation; opt.gravity, for options."""
        if name not in MODEL_FIELDS:
            hint = f"; use bind({name!r})" if name in DATA_FIELDS else close(name, MODEL_FIELDS)
            raise ValueError(f"{name} is not a field of a model that expand() accepts{hint}")
        return self._models.expand(name)

    @property
    def _expanded(self) -> frozenset[str]:
        """Fields that were expanded, without those that set_const derived from them."""
        return frozenset(self._models.expanded)

    def expanded(self, name: str) -> np.ndarray | None:
        """Values of a model field of each simulation, to be read; None if all share them."""
        if name not in MODEL_FIELDS:
            raise ValueError(f"{name} is not a field of a model that expand() accepts")
        values = self._models.values(name)
        if values is None:
            return None
        shown = values.view()
        shown.flags.writeable = False
        return shown

    def set_const(self, ids: Any = None) -> None:
        """Compute the constants that follow from expanded fields, for some or all simulations."""
        own = chosen(ids, self.nsim)
        self._begin(own)
        for i, error in self._models.set_const(own).items():
            self._fail(i, error)
        self._check(own)

    def set_models(self, models: Any) -> None:
        """Use models of the caller's, one for each simulation or one for all; None for none."""
        self._models.use(models, self._data)

    @property
    def models(self) -> MjModel | tuple[MjModel, ...] | None:
        """The models that were given to set_models."""
        return self._models.given

    def step(self, ids: Any = None, nstep: int = 1, stage: int = 0) -> None:
        """Advance simulations by some steps, then compute stages (mjtStage) at the new state."""
        own = chosen(ids, self.nsim)
        if nstep < 0:
            raise ValueError(f"nstep must be non-negative, got {nstep}")
        if len(own) and nstep:
            self._step(own, int(nstep))
        if int(stage) != STAGE["mjSTAGE_NONE"]:
            self._each(own, int(stage))
        self._check(own)

    def _step(self, own: np.ndarray, nstep: int) -> None:
        self._begin(own)
        if self.persistent or self._models.alone or not self._outputs.keys().isdisjoint(COPIED):
            for i in own.tolist():
                self._alone(i, lambda m, d: mj_step(m, d, nstep))
            return
        views = rows_of(self._sim).views
        for name, place in self._places.items():
            if place.stop > place.start:
                views[name].reshape(self.nsim, -1)[:] = self.state[:, place]
        bad = ~(np.abs(self.state[:, self._places["ctrl"]]) <= MAXVAL).all(1)
        errors = self._sim.step_all(nstep)
        fine = np.array([i for i in own if errors[i] is None and not bad[i]], int)
        for name, place in self._places.items():
            if place.stop > place.start:
                self.state[fine, place] = views[name].reshape(self.nsim, -1)[fine]
        for name, output in self._outputs.items():
            output[fine] = getattr(self._sim, name)[fine].astype(output.dtype)
        for i in np.setdiff1d(own, fine).tolist():
            self._alone(i, lambda m, d: mj_step(m, d, nstep))

    def _begin(self, own: np.ndarray) -> None:
        check_callbacks()
        self.status.flags.writeable = True
        self.status[own] = 0
        self.status.flags.writeable = False
        for i in own.tolist():
            self._errors.pop(i, None)

    def _alone(self, i: int, call: Any, *, keep_state: bool = False) -> Any:
        """Run a function of model and data on one simulation; its state and fields are taken."""
        try:
            model, data = self._loaded(i)
            found = call(model, data)
        except (CortenForgeError, FatalError) as error:
            self._fail(i, error)
            return None
        if keep_state:
            return found
        mj_getState(model, data, self.state[i], INTEGRATION)
        self._count(i, data)
        for name, output in self._outputs.items():
            output[i] = getattr(data, name)
        return found

    def _fail(self, i: int, error: Exception) -> None:
        """Note that a simulation's call went wrong."""
        self.status.flags.writeable = True
        self.status[i] = 1
        self.status.flags.writeable = False
        self._errors[i] = str(error)

    def _count(self, i: int, data: MjData) -> None:
        """Add the warnings of a call: (lastinfo, number) of each kind."""
        number = np.asarray(data.warning.number)
        given = number > 0
        self.warning[i, given, 0] = np.asarray(data.warning.lastinfo)[given]
        self.warning[i, :, 1] += number

    def _loaded(self, i: int) -> tuple[MjModel, MjData]:
        """Model and data in the state of a simulation."""
        model = self._models.of(i)
        check_sleep(model, persistent=self.persistent)
        if self.persistent:
            data = self._datas[i]
            data.warning.number[:] = 0
        elif self._sim.parameters:
            data = MjData(model)
        else:
            data = self._data
            mj_resetData(model, data)
        mj_setState(model, data, self.state[i], INTEGRATION)
        return model, data

    def _each(self, own: np.ndarray, stage: int) -> None:
        """Compute stages of simulations; their state stays."""
        functions = all_functions()
        stages = {
            int(STAGE["mjSTAGE_POS"]): functions["mj_fwdPosition"],
            int(STAGE["mjSTAGE_VEL"]): mj_step1,
            int(STAGE["mjSTAGE_ACC"]): mj_forward,
        }
        if stage not in stages:
            raise ValueError(f"stage: expected an mjtStage, got {stage}")
        for i in own.tolist():
            self._alone(i, stages[stage])

    def forward(self, ids: Any = None, stage: int = int(STAGE["mjSTAGE_ACC"])) -> None:
        """Compute stages (mjtStage) of simulations, by default all."""
        own = chosen(ids, self.nsim)
        self._begin(own)
        if int(stage) != STAGE["mjSTAGE_NONE"]:
            self._each(own, int(stage))
        self._check(own)

    def reset(
        self, ids: Any = None, keyframe: Any = -1, stage: int = int(STAGE["mjSTAGE_ACC"])
    ) -> None:
        """Reset simulations to the model's defaults or to keyframes, then compute stages."""
        own = chosen(ids, self.nsim)
        keys = checked_integers("keyframe", keyframe, (len(own),), -1, self.model.nkey)
        self._begin(own)
        for i, key in zip(own.tolist(), keys.tolist(), strict=True):
            model, data = self._loaded(i)
            mj_resetData(model, data)
            if key >= 0:
                all_functions()["mj_resetDataKeyframe"](model, data, key)
            mj_getState(model, data, self.state[i], INTEGRATION)
            self.warning[i] = 0
            for output in self._outputs.values():
                output[i] = 0
        if int(stage) != STAGE["mjSTAGE_NONE"]:
            self._each(own, int(stage))
        self._check(own)

    def rollout(
        self,
        nstep: int,
        control: Any = None,
        control_spec: int = CTRL,
        record: Sequence[Any] = ("qpos",),
        ids: Any = None,
        out: dict[Any, np.ndarray] | None = None,
    ) -> dict[Any, np.ndarray]:
        """Advance simulations, and record fields or state vectors after each step."""
        own = chosen(ids, self.nsim)
        if int(control_spec) & ~USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        inputs = None
        if control is not None:
            wanted = (len(own), nstep, size_of_state(self.model, int(control_spec)))
            inputs = np.broadcast_to(np.asarray(control, float), wanted)
        made = {item: self._room(item, len(own), nstep, (out or {}).get(item)) for item in record}
        before = self.warning[own].copy()
        moving = np.ones(len(own), bool)
        for t in range(nstep):
            if inputs is not None:
                self._set_inputs(own[moving], inputs[moving, t], int(control_spec))
            if moving.any():
                self._step(own[moving], 1)
            for item, room in made.items():
                fresh = self._recorded(item, own[moving])
                room[moving, t] = fresh
                room[~moving, t] = room[~moving, t - 1]
            moving &= (self.warning[own] == before).all((1, 2)) & (self.status[own] == 0)
        self._check(own)
        return made

    def _set_inputs(self, own: np.ndarray, values: np.ndarray, sig: int) -> None:
        at = 0
        for name in state_fields(sig):
            place = self._places[name]
            size = place.stop - place.start
            self.state[own, place] = values[:, at : at + size]
            at += size

    def _room(self, item: Any, n: int, nstep: int, given: np.ndarray | None) -> np.ndarray:
        """The array that something is recorded in."""
        if isinstance(item, str):
            field = self.bind(item)
            dtype = np.dtype(bool) if item == "eq_active" else field.dtype
            shape = (n, nstep, *field.shape[1:])
        else:
            shape, dtype = (n, nstep, size_of_state(self.model, int(item))), np.dtype(float)
        if given is None:
            return np.zeros(shape, dtype)
        fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == dtype
        if not fits or not given.flags.writeable or not given.flags.c_contiguous:
            raise ValueError(
                f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}"
            )
        return given

    def _recorded(self, item: Any, own: np.ndarray) -> np.ndarray:
        if isinstance(item, str):
            return np.asarray(self.bind(item)[own])
        parts = [self.state[own, self._places[name]] for name in state_fields(int(item))]
        return np.concatenate(parts, axis=1)

    def jac(self, body: Any, point: Any, ids: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians `(n, 3, nv)` of points in the world on bodies."""
        own = chosen(ids, self.nsim)
        bodies = checked_integers("body", body, (len(own),), 0, self.model.nbody)
        points = np.broadcast_to(np.asarray(point, float), (len(own), 3))
        jacp, jacr = (np.zeros((len(own), 3, self.model.nv)) for _ in range(2))
        functions = all_functions()
        for k, i in enumerate(own.tolist()):
            model, data = self._loaded(i)
            functions["mj_kinematics"](model, data)
            functions["mj_comPos"](model, data)
            functions["mj_jac"](model, data, jacp[k], jacr[k], points[k], int(bodies[k]))
        return jacp, jacr

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: Any = -1,
        ids: Any = None,
        normal: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Distances and geoms `(n, nray)` that rays hit, and their normals if they are wanted."""
        own = chosen(ids, self.nsim)
        start, way = (np.atleast_2d(np.asarray(a, float)) for a in (pnt, vec))
        count = np.broadcast_shapes(start.shape[:-1], way.shape[:-1])[-1]
        start, way = (np.broadcast_to(a, (len(own), count, 3)) for a in (start, way))
        excluded = checked_integers(
            "bodyexclude", bodyexclude, (len(own), count), -1, self.model.nbody
        )
        group = None if geomgroup is None else np.asarray(geomgroup, np.uint8)
        found = np.zeros((len(own), count)), np.zeros((len(own), count), np.int32)
        normals = np.zeros((len(own), count, 3))
        functions = all_functions()
        for k, i in enumerate(own.tolist()):
            model, data = self._loaded(i)
            functions["mj_kinematics"](model, data)
            for r in range(count):
                found[0][k, r] = functions["mj_ray"](
                    model, data, start[k, r], way[k, r], group, flg_static, int(excluded[k, r]),
                    found[1][k, r : r + 1], normals[k, r],
                )  # fmt: skip
        return (*found, normals) if normal else found

    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """The model of a simulation: the batch's, with its own values of expanded fields."""
        chosen([sim], self.nsim)
        return self._models.copy(sim, model)

    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """The state of a simulation, and of a persistent one all that follows from it.

        Of others, run mj_forward with its model for that.
        """
        chosen([sim], self.nsim)
        made = MjData(self.model) if data is None else data
        if self.persistent:
            all_functions()["mj_copyData"](made, self.model, self._datas[sim])
        mj_setState(made.model, made, self.state[sim], INTEGRATION)
        return made

    def _check(self, own: np.ndarray) -> None:
        failed = own[self.status[own] != 0]
        if len(failed):
            raise SimulationError(failed, self.error(int(failed[0])), len(own))


def _view_method(kind: str) -> Any:
    def view(self: Batch, key: int | str) -> NamedView:
        return NamedView(self, kind, key)

    view.__name__ = kind
    view.__doc__ = f"The slices of fields of all simulations that belong to one {kind}."
    return view


for _kind in (
    "actuator", "body", "camera", "equality", "geom", "joint", "keyframe", "light", "material",
    "numeric", "pair", "sensor", "site", "tendon",
):  # fmt: skip
    setattr(Batch, _kind, _view_method(_kind))


def check_callbacks() -> None:
    """Raise ValueError if a function of Python is installed, which would be called by no data."""
    for name in sorted(installed.current):
        raise ValueError(f"mjcb_{name} is a Python function, which a batch does not call")


def check_sleep(model: MjModel, *, persistent: bool) -> None:
    """Raise ValueError for a model with sleep in a batch that keeps no data."""
    if model.opt.enableflags & SLEEP and not persistent:
        raise ValueError("a model with sleep needs a batch with persistent=True")


def chosen(ids: Any, nsim: int) -> np.ndarray:
    """Numbers of simulations: all for None, or those of a mask or of a sorted list."""
    if ids is None:
        return np.arange(nsim)
    found = np.asarray(ids)
    if found.dtype == bool:
        if found.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        return np.flatnonzero(found)
    if found.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if not found.size:
        return np.zeros(0, int)
    if found.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers, got {found.dtype}")
    wrong = np.flatnonzero(found[1:] <= found[:-1])
    if len(wrong):
        pair = found[wrong[0] : wrong[0] + 2]
        raise ValueError(f"ids must be sorted and unique, got {pair[0]} before {pair[1]}")
    if found[0] < 0 or found[-1] >= nsim:
        bad = found[0] if found[0] < 0 else found[-1]
        raise ValueError(f"ids must be in [0, {nsim}), got {bad}")
    return found.astype(int)


def checked_integers(
    name: str, values: Any, shape: tuple[int, ...], low: int, high: int
) -> np.ndarray:
    """Integers from low to high - 1, of a shape."""
    found = np.asarray(values)
    if found.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {found.dtype}")
    if found.size and not (low <= found.min() and found.max() < high):
        raise ValueError(f"{name} must be in [{low}, {high}), got {found.min()} to {found.max()}")
    return np.broadcast_to(found, shape)


def close(name: Any, names: Any) -> str:
    """Names like one that is not there."""
    found = difflib.get_close_matches(str(name), sorted(names), n=3)
    return f" (did you mean {', '.join(map(repr, found))}?)" if found else ""


def belongs(name: Any) -> str:
    """Where a name belongs that is no field of the data."""
    if name in MODEL_FIELDS:
        return f"; {name} is an MjModel field: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"; {name} is an MjOption field: use expand('opt.{name}')"
    return close(name, DATA_FIELDS)


def output_error(name: str) -> ValueError:
    """The error for a result that a program sets."""
    return ValueError(f"{name} is computed by every call and cannot be written; write state fields")
