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
from cortenforge.model.calls.guard import call_exclusively
from cortenforge.model.states import signature as signatures
from cortenforge.step.queries.jacobian import object_jacobian
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


def kept_with(owner: Any, key: Hashable, make: Callable[[], T]) -> T:
    """What a package keeps with a Data or a batch from call to call; made when first needed.

    Made again if the key differs, or if a Data was given other parameters.
    """
    kept: tuple[Hashable, T] | None = owner.__dict__.get("_kept")
    if kept is None or kept[0] != key:
        kept = owner.__dict__["_kept"] = key, make()
    return kept[1]
