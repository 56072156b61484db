"""What the `mujoco` package has, as data; docs/build_mujoco_tables.py writes `tables.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

TABLES: dict[str, Any] = json.loads(
    Path(__file__).with_name("tables.json").read_text(encoding="utf-8")
)
#: name of a struct -> its fields: (type in C, extents of an array), or fields of a struct in it
STRUCTS: dict[str, dict[str, Any]] = TABLES["structs"]
#: name of a function -> its parameters: (name, type) or (name, type, default)
FUNCTIONS: dict[str, list[list[str]]] = TABLES["functions"]
#: numbers of new structs that are not zero
DEFAULTS: dict[str, dict[str, Any]] = TABLES["defaults"]

#: types in C, as NumPy has them; enumerations are integers
DTYPES: dict[str, type] = {
    "mjtNum": np.float64,
    "double": np.float64,
    "float": np.float32,
    "mjtByte": np.uint8,
    "mjtBool": np.bool_,
    "char": np.int8,
    "unsigned char": np.uint8,
    "mjtSize": np.int64,
    "size_t": np.uint64,
    "uint64_t": np.uint64,
    "uintptr_t": np.uint64,
    "unsigned int": np.uint32,
}


def dtype_of(declared: str) -> type:
    """NumPy's type for a type in C."""
    return DTYPES.get(declared, np.int32)


def extents_of(entry: list[Any]) -> list[int | str]:
    """Extents of a field; none for a number."""
    return list(entry[1]) if len(entry) > 1 else []


def is_size(entry: Any) -> bool:
    """Whether a field of a model is one of its sizes."""
    return bool(entry == ["mjtSize"])
