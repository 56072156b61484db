"""What other packages of the engine use of a Model or a Data beyond public attributes.

Derivatives, device batches, pictures and comparisons need memory and calls that users do not see.
They are available here as functions, so that private attributes stay within this package and `dir`
of a Model and a Data lists what is for users. `batch.internals` has the same for a batch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.values import vec3
from cortenforge.model.calls.guard import call_exclusively
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.model.changes.constraints import jacobian_is_sparse as jacobian_is_sparse
from cortenforge.model.changes.watch import refresh_if_changed as refresh_if_changed
from cortenforge.model.states import signature as signatures
from cortenforge.model.states.initial import initial_controls as initial_controls
from cortenforge.step.queries.jacobian import object_jacobian
from cortenforge.step.sensing.inside_site import is_inside_site
from cortenforge.step.statuses import FULL, OK

if TYPE_CHECKING:
    from cortenforge.model.access.store import Store
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model
    from cortenforge.model.states.world_parameters import WorldModelBlock
    from cortenforge.step.engine import Engine

T = TypeVar("T")


def store_of(owner: Model | Data) -> Store:
    """Memory of a Model or a Data: every field by name, sizes, capacities and the block."""
    return owner._store


def reading(model: Model) -> AbstractContextManager[None]:
    """For a call that reads a model: no other thread changes it meanwhile."""
    return model._gate.reading()


def fields_that_differ(model: Model) -> frozenset[str]:
    """Fields of a model of which worlds of some batch have their own values."""
    return frozenset(model._differing)


def engine_of(data: Data) -> Engine:
    """What a step of a world is made of."""
    return data._engine


def parameters_of(data: Data) -> WorldModelBlock | None:
    """Model fields that a world has for itself; None if it has none."""
    return data._parameters


def error_of(data: Data) -> Exception:
    """The error of a world whose call has failed, by the status that it reports."""
    return data._failed()


def ensure_room(data: Data, capacities: Mapping[str, int]) -> None:
    """Grow capacities of a world that are smaller than these."""
    data._ensure_room(capacities)


def run_unit(data: Data, unit: Kernel, *numbers: int) -> None:
    """Run one unit on a world."""
    data._run_unit(unit, *numbers)


def run_stage(data: Data, name: str, *numbers: int) -> None:
    """Run one stage of a step by itself, by the name of MuJoCo's function, such as `mj_comPos`.

    It computes what that function does, no more and no less (`step.stages.STAGES` lists them).
    `mj_forwardSkip` and `mj_inverseSkip` take skipstage and skipsensor. The checks (`mj_checkPos`,
    `mj_checkVel`, `mj_checkAcc`) raise what a step would. ArgumentError for models with sleep or
    deformables, and for constraints in the metric of `discrete`.
    """
    call_exclusively(data, data._run_stage, name, *numbers)


def rne(data: Data, *, accelerated: bool) -> np.ndarray:
    """The joint force (nv,) that the present motion needs, with or without qacc.  As `mj_rne`."""
    call = functools.partial(data._rne, accelerated=accelerated)
    found: np.ndarray = call_exclusively(data, call)
    return found


def state_size(model: Model, signature: int) -> int:
    """Length of the state vector of a signature, a sum of mjtState.  As `mj_stateSize`."""
    return signatures.state_size(model, signature)


def read_state(data: Data, signature: int, vector: np.ndarray) -> None:
    """Write the fields of a signature into a vector of `state_size` reals.  As `mj_getState`."""
    call_exclusively(data, signatures.read_pieces, data, signature, vector)


def write_state(data: Data, signature: int, vector: np.ndarray) -> None:
    """Set the fields of a signature from such a vector.  As `mj_setState`.

    StateError, and nothing is changed, if integers of histories or equalities are none.
    """
    data._caller.refuse("set the state of")
    call_exclusively(data, signatures.write_pieces, data, signature, vector)


def object_jacobians(data: Data, kind: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Jacobians (3 nv,) of the position of an object, by mjtObj and id, and of its rotation.

    Of a body (in contrast to xbody) it is that of its com. Arrays are those of the Data, which the
    next query overwrites; call it from one thread at a time.
    """
    data._run_unit(object_jacobian, kind, number)
    return data.query_jacp, data.query_jacr


def run_unit_with_room(data: Data, unit: Kernel) -> None:
    """Run one unit on a world; again, with more room, while one of its lists is too short."""
    store_of(data).assign("status", OK)
    run_unit(data, unit)
    while data.status == FULL:
        data._grow(data.status_index, int(data.status_value))
        store_of(data).assign("status", OK)
        run_unit(data, unit)


def forward_call(data: Data) -> Callable[[], None]:
    """`data.forward` without arguments: a call takes half a microsecond less."""
    return data._forward


def set_warning_counter(data: Data, counter: Callable[[Data, int, str], None]) -> None:
    """Call a function with each warning of a world, its number and text, instead of issuing it."""
    data.__dict__["_warning_counter"] = counter


def constraint_residual(data: Data) -> np.ndarray:
    """J qacc - aref of all rows of constraints."""
    rows = np.repeat(np.arange(data.nefc), data.efc_J_rownnz)
    terms = data.efc_J_value * data.qacc[data.efc_J_colind]
    return np.bincount(rows, terms, data.nefc) - data.efc_aref


def copy_world(source: Data, target: Data) -> None:
    """Copy all fields of a Data into another one of the same structure, which may grow."""
    target._ensure_room(source._store.capacities)
    for name, array in source._store.arrays.items():
        place = tuple(slice(0, n) for n in array.shape)
        target._store.arrays[name][place] = array


def model_digest(model: Model) -> str:
    """A hash of a model as it is now."""
    from cortenforge.model.model import _model_hash

    return _model_hash(model._store, model.names)


def is_in_site(data: Data, site: int, point: np.ndarray) -> bool:
    """Whether a point, in world axes, is inside of a site."""
    away = data.site_xmat[site].reshape(3, 3).T @ (point - data.site_xpos[site])
    return bool(is_inside_site(plain_model(data.model), site, vec3(*away.tolist())))


def plain_model_state(model: Model) -> dict[str, Any]:
    """What a model is pickled as, without its callbacks."""
    return {**model._state(), "callbacks": {}}


def model_from_state(state: dict[str, Any]) -> Model:
    """A model from what another one was pickled as."""
    from cortenforge.model.model import Model

    made = Model.__new__(Model)
    made.__setstate__(state)
    return made


def plain_data_state(data: Data) -> dict[str, Any]:
    """What a Data is pickled as, without its model."""
    return {name: value for name, value in data._state().items() if name != "model"}


def data_from_state(model: Model, state: dict[str, Any]) -> Data:
    """A Data of a model from what another one was pickled as."""
    from cortenforge.model.data import Data

    made = Data.__new__(Data)
    made.__setstate__({**state, "model": model})
    return made


def kept_with(owner: Any, key: Hashable, make: Callable[[], T]) -> T:
    """What a package keeps with a Data or a batch from call to call; made when first needed.

    Made again if the key differs, or if a Data was given other parameters.
    """
    kept: tuple[Hashable, T] | None = owner.__dict__.get("_kept")
    if kept is None or kept[0] != key:
        kept = owner.__dict__["_kept"] = key, make()
    return kept[1]
