"""How a Data runs kernels: compiled, or as plain Python when Numba's JIT is switched off."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel.language.decorator import Kernel, units
from cortenforge.kernel.language.plain import PlainStruct, jit_is_off
from cortenforge.kernel.load.link import Call
from cortenforge.step import pipeline, status
from cortenforge.step.program import linker

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


@functools.cache
def _unit(name: str) -> Kernel:
    return next(unit for unit in units() if unit.name == name)


class Runner:
    """Calls compiled units by address."""

    UNSUPPORTED = status.UNSUPPORTED
    NOT_POSITIVE = status.NOT_POSITIVE

    @property
    def step(self) -> Callable[[ctypes.c_int64], int]:
        return linker().function(pipeline.step)

    @property
    def forward(self) -> Callable[[ctypes.c_int64], int]:
        return linker().function(pipeline.run_forward)

    def unit(self, name: str) -> Callable[[int, int], Any]:
        """Any unit of a step, by name."""
        return linker().function(_unit(name))

    def check(self) -> None:
        """Raise what went wrong while a unit was compiled during a call."""
        failure, linker().failure = linker().failure, None
        if failure is not None:
            raise failure


class PlainRunner(Runner):
    """Runs the same kernels as Python functions; addresses are ignored."""

    def __init__(self, model: Model, data: Data) -> None:
        self._m = PlainStruct(MODEL_LAYOUT, {**model._store.arrays, **model.sizes})
        self._d = PlainStruct(DATA_LAYOUT, data._store.arrays)

    @property
    def step(self) -> Callable[[ctypes.c_int64], int]:
        return lambda call: pipeline.step(self._m, self._d, Call.from_address(call.value).count)

    @property
    def forward(self) -> Callable[[ctypes.c_int64], int]:
        return lambda call: pipeline.run_forward(
            self._m, self._d, Call.from_address(call.value).count
        )

    def unit(self, name: str) -> Callable[[int, int], Any]:
        return lambda _m, _d: _unit(name)(self._m, self._d)

    def check(self) -> None:
        """Plain Python raises by itself."""


def runner(model: Model, data: Data) -> Runner:
    """What runs the kernels of a Data."""
    return PlainRunner(model, data) if jit_is_off() else Runner()
