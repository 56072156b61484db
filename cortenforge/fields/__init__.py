"""What exists: every array of Model and Data, declared once.

Allocation, struct layouts, attributes, state vectors, docs and type stubs all come from here.
"""

from __future__ import annotations

from cortenforge.fields.data_fields import DERIVED, INPUT, LOCKSTEP, PLASTIC, SCRATCH, STATE
from cortenforge.fields.field import Field, rows
from cortenforge.fields.model_actuator import ACTUATOR
from cortenforge.fields.model_asset import ASSET, ASSET_SIZES, PLACES
from cortenforge.fields.model_bvh import BOUNDS
from cortenforge.fields.model_mesh import MESH, MESH_SIZES
from cortenforge.fields.model_sensor import SENSOR
from cortenforge.fields.model_shape import SHAPE
from cortenforge.fields.model_skin import SKIN, SKIN_SIZES
from cortenforge.fields.model_tree import OPTION, STATISTIC, TREE
from cortenforge.fields.model_tree import SIZES as TREE_SIZES
from cortenforge.fields.model_wiring import WIRING
from cortenforge.kernel.language.layout import StructLayout

__all__ = [
    "DATA_FIELDS",
    "DATA_LAYOUT",
    "ENGINE",
    "LANE_FIELDS",
    "MODEL_FIELDS",
    "MODEL_LAYOUT",
    "PLACES",
    "SIZES",
    "Field",
]

#: what the engine keeps for itself in a Model; MuJoCo has no such fields
ENGINE: tuple[Field, ...] = rows(
    "engine",
    "model",
    ("contacts_possible", "byte", "", "Whether any two geoms could touch, by MuJoCo's filters."),
    ("dof_runlength", "int", "nv", "How many dofs the factor of M handles at once with this one."),
)
SIZES: dict[str, str] = {**TREE_SIZES, **ASSET_SIZES, **MESH_SIZES, **SKIN_SIZES}
MODEL_FIELDS: tuple[Field, ...] = (
    *OPTION,
    *STATISTIC,
    *TREE,
    *SHAPE,
    *MESH,
    *SKIN,
    *ASSET,
    *BOUNDS,
    *WIRING,
    *ACTUATOR,
    *SENSOR,
    *ENGINE,
)
DATA_FIELDS: tuple[Field, ...] = (*STATE, *INPUT, *PLASTIC, *DERIVED, *SCRATCH)


def _layout(name: str, sizes: dict[str, str], fields: tuple[Field, ...]) -> StructLayout:
    words: list[tuple[str, str, tuple[int, ...], bool]] = [
        (size, "size", (), True) for size in sizes
    ]
    words += [(f.name, f.kind, f.trailing, f.is_scalar) for f in fields if f.in_kernels]
    return StructLayout(name, words, constant=name == "Model")


MODEL_LAYOUT = _layout("Model", SIZES, MODEL_FIELDS)
DATA_LAYOUT = _layout("Data", {}, DATA_FIELDS)

#: what kernels of eight worlds see: every real of Data has lanes; integers stay with single worlds
LANE_FIELDS: tuple[Field, ...] = tuple(f for f in DATA_FIELDS if f.dtype.kind == "f") + LOCKSTEP
