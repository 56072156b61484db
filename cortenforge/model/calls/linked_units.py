"""Callable units of a model: compiled and linked, or plain Python when the JIT is off."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cortenforge.kernel.language.decorator import STAND_INS, Kernel
from cortenforge.kernel.language.plain import PlainStruct, jit_is_off
from cortenforge.kernel.language.reach import Shared
from cortenforge.kernel.load.link import Call

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model
    from cortenforge.model.states.world_parameters import WorldModelBlock
    from cortenforge.step.engine import Engine


def linked_unit(model: Model, engine: Engine, unit: Kernel, data: Data) -> Callable[..., int]:
    """A unit, linked with all units that it reaches for the model as it is now."""
    # taken once: another thread may set others meanwhile
    callbacks = model.callbacks.installed
    if jit_is_off():
        found = _plain_unit(unit, data)
        return callbacks.around(found, data) if unit.entry else found
    # a world with parameters of its own may reach what its model does not
    own = data._parameters is not None
    key = (engine, unit, own, callbacks)
    functions = model._functions
    if key not in functions:
        linker = callbacks.linked(engine.linker)
        plain = plain_model(model)
        functions[key] = linker.function(unit, Shared(plain) if own else plain)
    found = functions[key]
    return callbacks.around(found, data) if unit.entry else found


def _plain_unit(unit: Kernel, data: Data) -> Callable[..., Any]:
    """The unit as a Python function that is called alike, and works on the arrays."""

    def entry(call: ctypes.c_int64) -> int:
        count = Call.from_address(call.value).count
        replaced = {name: other.function for name, other in data._engine.replaced.items()}
        before = STAND_INS.set(replaced | data.model.callbacks.installed.stand_ins(data))
        try:
            return int(unit(plain_model(data.model, data._parameters), _plain_data(data), count))
        finally:
            STAND_INS.reset(before)

    def stage(m: int, d: int, *more: int) -> None:
        unit(plain_model(data.model, data._parameters), _plain_data(data), *more)

    return entry if unit.entry else stage


def plain_model(model: Model, parameters: WorldModelBlock | None = None) -> PlainStruct:
    """The model as kernels in plain Python see it, with a world's own fields if it has any."""
    own = parameters.arrays if parameters else {}
    store = model._store
    return PlainStruct(store.layout, {**store.arrays, **own, **store.sizes, **store.capacities})


def _plain_data(data: Data) -> PlainStruct:
    return PlainStruct(data._engine.layout, {**data._store.arrays, **data._store.capacities})
