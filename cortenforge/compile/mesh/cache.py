"""Cache of built meshes, in memory and on disk.

A mesh is kept under a hash of everything that determines it: the bytes of its file or its inline
numbers, the model's request, and the text of the modules that build meshes, so nothing goes stale.
Files are in the folder of compiled kernels; CORTENFORGE_ASSET_CACHE=off disables the cache, on disk
and in memory.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from cortenforge.compile.mesh.arrays import ROWS
from cortenforge.compile.mesh.shape import Shape
from cortenforge.kernel.load.cache import caches_assets, prune_cached, read_cached, write_cached
from cortenforge.model.changes.hulls import support_cell_directions

SUFFIX = ".mesh"
# meshes of fewer triangles are not written: that takes longer than their later loads gain
FEWEST_FACES = 2000
MOST_MEMORY = 256 * 2**20
MOST_DISK = 2**30
#: arrays that every mesh has, and those that index rows of others
NEEDED = frozenset({*ROWS, "extrema", "toward", "bvh_child", "bvh_nodeid", "bvh_aabb", "bvh_depth"})
ROWS_OF = {"face": "vert", "facenormal": "normal", "polyvert": "vert", "polymap": "polynormal"}
#: modules elsewhere in the package that meshes depend on
MODULES = (
    "compile/pack/bvh.py",
    "compile/pack/bvh_kernels.py",
    "compile/elements/body_inertia.py",
    "model/changes/hulls.py",
    "spec/rotation.py",
)

_lock = threading.Lock()
_kept: OrderedDict[str, Shape] = OrderedDict()


def mesh_key(parts: Iterable[bytes | np.ndarray | str]) -> str:
    """Hash of the parts of a mesh and of the code that builds it."""
    digest = hashlib.sha256(_version())
    for part in parts:
        if isinstance(part, np.ndarray):
            data = np.ascontiguousarray(part).data
        else:
            data = memoryview(part.encode() if isinstance(part, str) else part)
        digest.update(f"{data.nbytes};".encode())
        digest.update(data)
    return digest.hexdigest()


def find_kept(key: str) -> Shape | None:
    """The cached mesh of a key, if there is one."""
    if not caches_assets():
        return None
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    content = read_cached(key + SUFFIX)
    if content is None:
        return None
    try:
        shape = _decoded(content)
    except Exception:  # damage has no one kind of error; the mesh is made again
        return None
    if not _is_sound(shape):
        return None
    _remember(key, shape)
    return shape


def keep_meshes(shapes: dict[str, Shape]) -> None:
    """Cache meshes in memory, and larger ones on disk."""
    if not caches_assets():
        return
    written = False
    for key, shape in shapes.items():
        _remember(key, shape)
        if len(shape.arrays["face"]) >= FEWEST_FACES:
            write_cached(key + SUFFIX, _encoded(shape))
            written = True
    if written:
        prune_cached(SUFFIX, MOST_DISK)


def forget_kept() -> None:
    """Clear the cache in memory."""
    with _lock:
        _kept.clear()


def _remember(key: str, shape: Shape) -> None:
    shape.exact = None
    for array in shape.arrays.values():
        array.setflags(write=False)
    with _lock:
        _kept[key] = shape
        total = sum(_size(one) for one in _kept.values())
        while total > MOST_MEMORY:
            total -= _size(_kept.popitem(last=False)[1])


def _size(shape: Shape) -> int:
    return sum(array.nbytes for array in shape.arrays.values())


@functools.cache
def _version() -> bytes:
    """Hash of the code that builds meshes."""
    # not before: it imports a reader of mails
    from importlib import metadata

    folder = Path(__file__).parent
    versions = f"numpy {np.__version__}, scipy {metadata.version('scipy')}"
    digest = hashlib.sha256(versions.encode())
    for path in (*sorted(folder.glob("*.py")), *(folder.parents[1] / name for name in MODULES)):
        digest.update(path.read_bytes())
    return digest.digest()


def _encoded(shape: Shape) -> bytes:
    """A line of JSON that describes the arrays, then their bytes."""
    arrays = shape.arrays
    head = {
        one.name: getattr(shape, one.name)
        for one in fields(Shape)
        if one.name not in ("arrays", "exact")
    }
    head["arrays"] = [(name, array.dtype.str, array.shape) for name, array in arrays.items()]
    line = json.dumps(head).encode() + b"\n"
    return b"".join([line, *(np.ascontiguousarray(array).tobytes() for array in arrays.values())])


def _decoded(content: bytes) -> Shape:
    end = content.index(b"\n") + 1
    head = json.loads(content[:end])
    arrays = {}
    for name, kind, shape in head.pop("arrays"):
        count = math.prod(shape)
        arrays[name] = np.frombuffer(content, kind, count, end).reshape(shape)
        end += arrays[name].nbytes
    numbers: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in head.items()
    }
    return Shape(arrays=arrays, **numbers)


def _is_sound(shape: Shape) -> bool:
    """Whether a mesh from disk is complete and its indices are in range."""
    usual, arrays = Shape(), shape.arrays
    if not arrays.keys() >= NEEDED:
        return False
    for one in fields(Shape):
        value, before = getattr(shape, one.name), getattr(usual, one.name)
        if isinstance(before, float | tuple) and np.shape(value) != np.shape(before):
            return False
    hull = int(arrays["graph"][0]) if len(arrays["graph"]) else 1
    toward = arrays["toward"]
    if toward.shape != (len(support_cell_directions()),) or toward.dtype.kind != "i":
        return False
    if toward.min() < 0 or toward.max() >= hull:
        return False
    return all(
        arrays[name].dtype.kind == "i"
        and arrays[name].min(initial=0) >= 0
        and arrays[name].max(initial=-1) < len(arrays[rows])
        for name, rows in ROWS_OF.items()
    )
