"""MjData: the state of a simulation with the attributes of `mujoco.MjData`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from cortenforge.fields import CAPACITIES, DATA_FIELDS
from cortenforge.model import Data
from cortenforge.model.internals import (
    data_from_state,
    forward_call,
    plain_data_state,
    set_warning_counter,
    store_of,
)
from cortenforge.mujoco.absent import field_absence
from cortenforge.mujoco.fields import computed
from cortenforge.mujoco.fields.attributes import AbsentField, Computed, Constant, Number, Rows, Slot
from cortenforge.mujoco.fields.contacts import ContactList
from cortenforge.mujoco.fields.statistics import StatisticFields, new_statistics, warning_counter
from cortenforge.mujoco.fields.views import DataViews
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import struct
from cortenforge.mujoco.tables import STRUCTS, dtype_of, extents_of

FIELDS: dict[str, Any] = STRUCTS["MjData"]
OWN_FIELDS = {field.name: field for field in DATA_FIELDS}
#: lists of structs
LISTS = ("contact", "warning", "timer")
#: fields that MuJoCo 4.0 dropped and older programs read: their shapes, all empty
OLD_FIELDS: dict[str, tuple[int, ...]] = {"flexvert_J": (0, 2), "flexvert_length": (0, 2)}
#: fields that MuJoCo has as booleans, and this engine as reals
FLAGS = ("eq_active",)
#: data of this module by the number of this engine's, for callbacks
DATA_OF: WeakValueDictionary[int, Any] = WeakValueDictionary()


class InertiaToken:
    """What old programs pass for `d.qM`: it stands for the inertia matrix of its data."""

    def __init__(self, d: MjData) -> None:
        self.d = d


@struct
class MjData(DataViews, StatisticFields):  # type: ignore[misc]
    """State, inputs and results of a simulation."""

    model: MjModel
    #: the model that the last call was made with, if it was another one
    _other: MjModel | None
    _native: Data
    _evaluate_forward: Callable[[], None]
    _arrays: dict[str, np.ndarray]
    #: whether there are equalities, whose flags are copied before each call
    _has_flags: bool
    #: whether there are tendons, which have no rows after a reset
    _has_tendons: bool

    def __init__(self, model: MjModel) -> None:
        if not isinstance(model, MjModel):
            raise TypeError(
                f"MjData(): incompatible constructor arguments: expected an MjModel, got {model!r}"[
                    :300
                ]
            )
        self._take(model, model._native.make_data())
        self._after_reset()

    def _take(self, model: MjModel, native: Data) -> None:
        """Take up the data of this engine."""
        store = store_of(native)
        self.__dict__.update(
            model=model,
            _other=None,
            _native=native,
            _evaluate_forward=forward_call(native),
            _arrays=store.arrays,
            _views={},
            _has_flags=model.neq > 0,
            _has_tendons=model.ntendon > 0,
            contact=ContactList(native),
            **new_statistics(),
        )
        self._read_flags()
        set_warning_counter(native, warning_counter(self))
        DATA_OF[id(native)] = self

    def _after_reset(self) -> None:
        """Reset counters, and what a reset of the engine leaves otherwise than MuJoCo's."""
        self._reset_statistics()
        if self._has_flags:
            self._read_flags()
        if self._has_tendons:
            self._arrays["tendon_efcadr"].fill(-1)

    def _read_flags(self) -> None:
        """Take over flags that the engine has set."""
        if self._has_flags:
            self.eq_active[:] = self._arrays["eq_active"] != 0

    def _write_flags(self) -> None:
        """Give the engine flags as the user has set them."""
        if self._has_flags:
            self._arrays["eq_active"][:] = self.eq_active

    @property
    def _address(self) -> int:
        """Where the engine has the data."""
        return store_of(self._native).address

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in FIELDS:
            raise AttributeError(f"'MjData' object has no attribute {name!r}")
        kind = type(getattr(type(self), name))
        if kind is ArraySlot:
            getattr(self, name)[...] = value
        elif hasattr(kind, "__set__"):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"property {name!r} of 'MjData' object has no setter")

    @property
    def qM(self) -> InertiaToken:
        """Before MuJoCo 4.0, the inertia matrix; now what stands for it in calls of mj_fullM."""
        return InertiaToken(self)

    def __copy__(self) -> MjData:
        self._write_flags()
        made = object.__new__(MjData)
        made._take(self.model, self._native.copy())
        made.__dict__["_other"] = self._other
        made._copy_statistics(self)
        return made

    def __deepcopy__(self, memo: Any) -> MjData:
        made = _restored(copy.deepcopy(self.model, memo), self._state())
        made._copy_statistics(self)
        return made

    def __reduce__(self) -> Any:
        return _restored, (self.model, self._state())

    def _state(self) -> dict[str, Any]:
        self._write_flags()
        return plain_data_state(self._native)


def _restored(model: MjModel, state: dict[str, Any]) -> MjData:
    """Data from its pickled state."""
    made = object.__new__(MjData)
    made._take(model, data_from_state(model._native, state))
    return made


def _is_growing(name: str) -> bool:
    """Whether the memory of a field moves when it grows."""
    field = OWN_FIELDS.get(name)
    return field is not None and bool({str(size) for size in field.shape} & set(CAPACITIES))


class ArraySlot(Slot):
    """An array that never moves: it is the object's own from when it is first asked for."""

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        array = owner.__dict__[self.name] = _fixed_array(owner, self.name)
        return array


def _fixed_array(d: MjData, name: str) -> np.ndarray:
    """An array that never moves, by MuJoCo's name; an empty one of things that are missing."""
    if name in OLD_FIELDS:
        return np.zeros(OLD_FIELDS[name])
    if name in OWN_FIELDS and name not in FLAGS:
        return d._arrays[name]
    entry = FIELDS[name]
    shape = [size if isinstance(size, int) else getattr(d.model, size) for size in entry[1]]
    return np.zeros(shape, dtype_of(entry[0]))


def _field_attribute(name: str) -> Any:
    """The attribute of the class for a field."""
    entry = FIELDS[name]
    reason = field_absence("MjData", name)
    if reason is not None:
        return AbsentField(name, reason)
    if name in computed.COMPUTED:
        return Computed(name, computed.COMPUTED[name])
    if name in OWN_FIELDS and not OWN_FIELDS[name].shape:
        return Number(name)
    if _is_growing(name):
        return Rows(name, str(extents_of(entry)[0]))
    if not extents_of(entry):
        return Constant(name, dtype_of(entry[0])(0).item())
    return ArraySlot(name)


for _name in FIELDS:
    if _name not in LISTS:
        setattr(MjData, _name, _field_attribute(_name))
for _name in OLD_FIELDS:
    setattr(MjData, _name, ArraySlot(_name))
MjData.contact = Slot("contact")
MjData.warning = Slot("warning")  # type: ignore[assignment]
MjData.model = Slot("model")  # type: ignore[assignment]
