"""The result of compilation: sizes, arrays, options, statistics, visual settings, names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.soft import Deformable

Settings = dict[str, Any]


@dataclass
class CompiledModel:
    """A model as plain numbers, under MuJoCo's names and in MuJoCo's shapes.

    `arrays` holds every Model array (int32, float64, uint8 for flags, float32 for colours),
    `vis` one dictionary per group of mjVisual, `names` one list per object type ("" if unnamed),
    `softs` the deformables that some of the arrays were made of, `shapes` the meshes as they are
    cached.
    """

    sizes: dict[str, int] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    opt: Settings = field(default_factory=dict)
    stat: Settings = field(default_factory=dict)
    vis: dict[str, Settings] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    softs: list[Deformable] = field(default_factory=list)
    shapes: list[Any] = field(default_factory=list)
