"""Engines: the fields and capacities of a Data, and the kernel that takes its step.

There is one engine, ENGINE. Another one, with more fields and a step of its own, is how a stage is
tried out (`tests/step/test_toy_stage.py` shows the way).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Mapping
from typing import Any, cast

from cortenforge.errors import ArgumentError
from cortenforge.fields import (
    CAPACITIES,
    DATA_FIELDS,
    MODEL_LAYOUT,
    Field,
    data_layout,
)
from cortenforge.kernel.language.decorator import Kernel, units
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, register
from cortenforge.step import run, stages  # noqa: F401 - kernels are registered by their import
from cortenforge.step.collision import pair_counts  # noqa: F401
from cortenforge.step.integrate import joint_positions  # noqa: F401
from cortenforge.step.pipeline import step
from cortenforge.step.queries import inertia, jacobian, object_motion  # noqa: F401


class Engine:
    """Fields of Data, sizes that may grow, and the kernel that takes one step."""

    def __init__(
        self,
        name: str,
        fields: Iterable[Field],
        capacities: Mapping[str, tuple[int, str]],
        *,
        step: Kernel,
        home: str = "",
    ) -> None:
        """
        capacities: name -> where it begins, and what it counts.
        step:       takes the place of `step.pipeline:step`, for every target.
        home:       `module:name.linker` of the engine, for processes that compile; "" for none.
        """
        self.name, self.home = name, home
        self.fields = tuple(fields)
        self.capacities = dict(capacities)
        self.step = step
        self.layout: StructLayout = data_layout(name, self.fields, self.capacities)
        self.by_name = {field.name: field for field in self.fields}

    @property
    def replaced(self) -> dict[str, Kernel]:
        """Kernels of this engine that stand in for others, by those others' names."""
        return {} if self.step is step else {step.name: self.step}

    @functools.cached_property
    def linker(self) -> Linker:
        """Loads and compiles the units of a step for one world."""
        made = Linker(MODEL_LAYOUT, self.layout, replaced=self.replaced)
        made.home = self.home
        return made

    def __reduce__(self) -> Any:
        if not self.home:
            raise ArgumentError(
                f"the engine {self.name!r} is not at the top level of a module: not picklable"
            )
        return _engine_at, (self.home,)

    @property
    def first_capacities(self) -> dict[str, int]:
        """What a new Data has room for."""
        return {name: first for name, (first, _) in self.capacities.items()}


def _engine_at(home: str) -> Engine:
    """The engine whose linker has a home."""
    module, _, path = home.partition(":")
    return cast("Engine", getattr(importlib.import_module(module), path.split(".")[0]))


HOME = "cortenforge.step.engine:ENGINE.linker"
ENGINE = Engine("Data", DATA_FIELDS, CAPACITIES, step=step, home=HOME)
register(HOME, units)
