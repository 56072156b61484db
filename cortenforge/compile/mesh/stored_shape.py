"""Meshes as bytes, for the cache: what is not quickly made again from the rest.

Of a tree, only the order of its leaves is stored. Its shape follows from their number, boxes from
the vertices; they are four fifths of a mesh, and are made as fast as they are read.
"""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import Any

import numpy as np

from cortenforge.compile.mesh.arrays import ROWS
from cortenforge.compile.mesh.shape import Arrays, Shape
from cortenforge.compile.pack.bvh import leaf_order, ordered_face_tree
from cortenforge.model.changes.hulls import support_cell_directions

#: arrays of numbers start at multiples of so many bytes
ALIGNMENT = 8
#: arrays that are made again
DERIVED = ("vert", "bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb")
#: arrays of indices that are often those of vertices, or zero
FACES = ("facenormal", "facetexcoord")
SAME, ZERO = "same", "zero"
#: arrays that every mesh has, and those that index rows of others
NEEDED = frozenset({*ROWS, "extrema", "toward", "exact", "order"} - {"vert"})
ROWS_OF = {
    "face": "exact",
    "facenormal": "normal",
    "polyvert": "exact",
    "polymap": "polynormal",
    "order": "face",
}


def stored_shape(shape: Shape) -> list[bytes | memoryview]:
    """Parts of a mesh's bytes: a line of JSON that describes the arrays, then these."""
    arrays = {name: array for name, array in shape.arrays.items() if name not in DERIVED}
    arrays["order"] = leaf_order(shape.arrays)
    as_faces = {}
    for name in FACES:
        if np.array_equal(arrays[name], arrays["face"]):
            as_faces[name] = SAME
        elif not arrays[name].any():
            as_faces[name] = ZERO
    listed = {
        name: np.ascontiguousarray(array) for name, array in arrays.items() if name not in as_faces
    }
    listed = dict(sorted(listed.items(), key=lambda one: -one[1].itemsize))
    head = {name: getattr(shape, name) for name in _numbers()}
    head["faces"] = as_faces
    head["arrays"] = [(name, array.dtype.str, array.shape) for name, array in listed.items()]
    line = json.dumps(head)
    line += " " * (-(len(line) + 1) % ALIGNMENT) + "\n"
    return [line.encode(), *(one.reshape(-1).view(np.uint8).data for one in listed.values())]


def restored_shape(key: str, content: bytes | memoryview) -> Shape | None:
    """The mesh of a key from its bytes; None if they are no mesh."""
    try:
        return _restored(key, memoryview(content))
    except Exception:  # damage has no one kind of error; the mesh is made again
        return None


def _restored(key: str, content: memoryview) -> Shape | None:
    # a line is much shorter
    end = bytes(content[: 2**16]).index(b"\n") + 1
    head = json.loads(bytes(content[:end]))
    as_faces, arrays = head.pop("faces"), {}
    for name, kind, shape in head.pop("arrays"):
        arrays[name] = np.frombuffer(content, kind, math.prod(shape), end).reshape(shape)
        end += arrays[name].nbytes
    for name in FACES:
        if name in as_faces:
            face = arrays["face"]
            arrays[name] = face if as_faces[name] == SAME else np.zeros_like(face)
    numbers: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in head.items()
    }
    shape = Shape(arrays=arrays, key=key, **numbers)
    return _complete(shape) if end == len(content) and _is_sound(shape) else None


def _complete(shape: Shape) -> Shape:
    """Make the arrays that were not stored."""
    exact, face = shape.arrays["exact"], shape.arrays["face"]
    shape.arrays["vert"] = exact.astype(np.float32)
    shape.arrays |= ordered_face_tree(exact, face, shape.arrays.pop("order"))
    return shape


def _numbers() -> list[str]:
    return [one.name for one in fields(Shape) if one.name not in ("arrays", "key")]


def _is_sound(shape: Shape) -> bool:
    """Whether a mesh has everything that is stored, and its indices are in range."""
    usual, arrays = Shape(), shape.arrays
    if not arrays.keys() >= NEEDED:
        return False
    for name in _numbers():
        value, before = getattr(shape, name), getattr(usual, name)
        if np.shape(value) != np.shape(before):
            return False
    return _types_fit(arrays) and all(
        arrays[name].dtype.kind == "i"
        and arrays[name].min(initial=0) >= 0
        and arrays[name].max(initial=-1) < len(arrays[rows])
        for name, rows in ROWS_OF.items()
    )


def _types_fit(arrays: Arrays) -> bool:
    """Whether arrays that kernels read have their types and lengths."""
    hull = int(arrays["graph"][0]) if len(arrays["graph"]) else 1
    rows = {"exact": np.float64, "face": np.int32, "order": np.int32}
    toward = arrays["toward"]
    return (
        all(arrays[name].dtype == kind for name, kind in rows.items())
        and arrays["exact"].shape[1:] == arrays["face"].shape[1:] == (3,)
        and arrays["order"].shape == arrays["face"].shape[:1]
        and (toward.dtype.kind, toward.shape) == ("i", (len(support_cell_directions()),))
        and toward.min() >= 0
        and toward.max() < hull
    )
