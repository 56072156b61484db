"""The models of a batch's simulations: the batch's, with values of their own, or the caller's."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.memory import DIFFERING
from cortenforge.errors import ArgumentError, CortenForgeError
from cortenforge.fields import MODEL_FIELDS as ENGINE_FIELDS
from cortenforge.model.internals import store_of
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.functions.pipeline import use_model
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.tables import STRUCTS

OPTION = "opt."


def name_of(field: str) -> str:
    """The name of a field for programs: `opt.gravity` for `opt_gravity`."""
    return OPTION + field.removeprefix("opt_") if field.startswith("opt_") else field


def is_known(field: str) -> bool:
    """Whether `mujoco` has a field of the model, or such an option."""
    return field in STRUCTS["MjModel"] or (
        field.startswith("opt_") and field.removeprefix("opt_") in STRUCTS["MjOption"]
    )


REALS = frozenset(name_of(field.name) for field in DIFFERING if is_known(field.name))
#: integers and booleans: simulations that differ in them are stepped one after another
INTEGERS = frozenset(
    name_of(field.name)
    for field in ENGINE_FIELDS
    if field.watched and field.dtype.kind in "iub" and is_known(field.name)
)
#: fields that `expand` takes
MODEL_FIELDS = REALS | INTEGERS
#: types and indices, which a step refuses if they are other than those of the batch's model
FIXED_FIELDS = frozenset(field.name for field in ENGINE_FIELDS if field.fixed)


class OwnModels:
    """What simulations have of their own."""

    def __init__(self, model: MjModel, sim: BatchSim) -> None:
        self.shared, self.sim = model, sim
        #: fields that a program asked for, by its names
        self.expanded: set[str] = set()
        #: values of integers, one for each simulation
        self.integers: dict[str, np.ndarray] = {}
        #: the caller's models, one for each simulation or one for all
        self.given: MjModel | tuple[MjModel, ...] | None = None

    @property
    def alone(self) -> bool:
        """Whether simulations are stepped one by one: their models differ in more than reals."""
        return self.given is not None or bool(self.integers)

    def expand(self, name: str) -> np.ndarray:
        """Values of a field `(nsim, ...)`, to be written."""
        self._refuse_given("expand()")
        self.expanded.add(name)
        if name in REALS:
            self.sim.expand(own := name.replace(OPTION, "opt_"))
            return self.sim.parameters[own]
        if name not in self.integers:
            shared = np.asarray(value_of(self.shared, name))
            if shared.dtype != bool:
                shared = store_of(self.shared._native).arrays[name.replace(OPTION, "opt_")]
            self.integers[name] = np.repeat(shared[None], self.sim.n, axis=0)
        return self.integers[name]

    def values(self, name: str) -> np.ndarray | None:
        """Values of a field of all simulations; None if they share the model's."""
        if self.given is not None:
            return np.stack([np.asarray(value_of(self.of(i), name)) for i in range(self.sim.n)])
        own = name.replace(OPTION, "opt_")
        return self.sim.parameters[own] if own in self.sim.parameters else self.integers.get(name)

    def of(self, i: int) -> MjModel:
        """The model that calls of a simulation are made with."""
        if isinstance(self.given, MjModel):
            return self.given
        if self.given is not None:
            return self.given[i]
        return self.copy(i) if self.integers or self.sim.parameters else self.shared

    def copy(self, i: int, into: MjModel | None = None) -> MjModel:
        """A model of its own for a simulation, or another one with its values."""
        if self.given is not None:
            source = self.of(i)
            return copy.copy(source) if into is None else with_values_of(into, source)
        made = copy.copy(self.shared) if into is None else into
        arrays = store_of(made._native).arrays
        for name, values in self.sim.parameters.items():
            arrays[name][...] = values[i]
        for name, values in self.integers.items():
            set_value(made, name, values[i])
        return made

    def use(self, models: Any, data: MjData) -> None:
        """Take models of the caller's; ValueError if one has another structure than data's."""
        if models is not None and (self.expanded or self.sim.parameters):
            raise FatalError("set_models(): fields have per-simulation values by expand() already")
        if models is None or isinstance(models, MjModel):
            given: Any = models
        else:
            given = tuple(models)
            if len(given) != self.sim.n:
                raise ValueError(
                    f"set_models(): expected one model per simulation, {self.sim.n}, got "
                    f"{len(given)}"
                )
        for model in given if isinstance(given, tuple) else (given,) if given is not None else ():
            check_structure(model, data)
        self.given = given

    def set_const(self, own: np.ndarray) -> Mapping[int, Exception]:
        """Compute the constants of some simulations; what went wrong, by simulation."""
        self._refuse_given("set_const()")
        if any(not name.startswith(OPTION) for name in self.integers):
            raise FatalError("set_const(): not with expanded integers, from which some follow")
        try:
            self.sim.set_const(own.tolist())
            return {}
        except CortenForgeError:
            return self._set_const_one_by_one(own)

    def _set_const_one_by_one(self, own: np.ndarray) -> Mapping[int, Exception]:
        errors: dict[int, Exception] = {}
        for i in own.tolist():
            try:
                self.sim.set_const([i])
            except CortenForgeError as error:
                errors[i] = error
        return errors

    def _refuse_given(self, call: str) -> None:
        if self.given is not None:
            raise FatalError(f"{call}: the models are the caller's, by set_models(): edit those")


def check_structure(model: Any, data: MjData) -> None:
    """Raise TypeError or ValueError for what is no model of the structure of data."""
    if not isinstance(model, MjModel):
        raise TypeError(f"set_models(): expected models, got {model!r}"[:300])
    before = data._other or data.model
    try:
        use_model(model, data)
    except ArgumentError as error:
        raise ValueError(f"set_models(): {error}") from error
    use_model(before, data)


def value_of(model: MjModel, name: str) -> Any:
    """A field of a model, or of its options."""
    owner = model.opt if name.startswith(OPTION) else model
    return getattr(owner, name.removeprefix(OPTION))


def set_value(model: MjModel, name: str, value: Any) -> None:
    """Set a field of a model, or of its options."""
    owner = model.opt if name.startswith(OPTION) else model
    setattr(owner, name.removeprefix(OPTION), value)


def with_values_of(model: MjModel, source: MjModel) -> MjModel:
    """A model with the values of another one in all fields that simulations may differ in."""
    for name in sorted(MODEL_FIELDS):
        set_value(model, name, value_of(source, name))
    return model
