"""The fields of a model that follow from its meshes, for the cache of models.

A large mesh has a file in the cache of meshes and is stored as its key, a small one as its bytes.
Boxes of bodies stand in front of those of meshes in the same fields, and are stored as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cortenforge.compile.mesh.arrays import ROWS
from cortenforge.compile.mesh.cache import find_kept, is_large, remember
from cortenforge.compile.mesh.shape import Arrays, Shape
from cortenforge.compile.mesh.stored_shape import restored_shape, stored_shape
from cortenforge.compile.pack.field_arrays import MODEL_FIELDS_BY_NAME, concatenated_field

BOXES = ("bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb")
#: fields of a model that are rows of its meshes
MESH_FIELDS = (*(f"mesh_{name}" for name in ROWS), *BOXES)


def stored_meshes(
    shapes: Sequence[Shape], boxes: Mapping[str, np.ndarray]
) -> tuple[dict[str, Any], list[bytes | memoryview]]:
    """(description, bytes in parts) of a model's meshes; boxes: the model's fields BOXES."""
    listed, parts = [], []
    for shape in shapes:
        own = [] if is_large(shape) else stored_shape(shape)
        listed.append((shape.key, sum(map(len, own))))
        parts += own
    count = len(boxes["bvh_depth"]) - sum(len(shape.arrays["bvh_depth"]) for shape in shapes)
    parts += [boxes[name][:count].tobytes() for name in BOXES]
    return {"shapes": listed, "boxes": count, "bytes": sum(map(len, parts))}, parts


def restored_meshes(described: Any, memory: memoryview) -> Arrays | None:
    """MESH_FIELDS by name; None if a mesh is not in the cache any more."""
    shapes = []
    for key, count in described["shapes"]:
        shape = find_kept(str(key), in_files=not count)
        if shape is None and count:
            # a copy is aligned
            shape = restored_shape(str(key), bytes(memory[:count]))
            if shape is not None:
                remember(shape)
        if shape is None:
            return None
        shapes.append(shape.arrays)
        memory = memory[count:]
    arrays = {
        f"mesh_{name}": concatenated_field(f"mesh_{name}", [one[name] for one in shapes])
        for name in ROWS
    }
    for name in BOXES:
        field = MODEL_FIELDS_BY_NAME[name]
        row = field.shape_for({str(field.shape[0]): int(described["boxes"])})
        end = int(np.prod(row)) * field.dtype.itemsize
        first = np.frombuffer(memory[:end], field.dtype).reshape(row)
        arrays[name] = np.concatenate([first, *(one[name] for one in shapes)])
        memory = memory[end:]
    return arrays
