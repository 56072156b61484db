"""Cache of built meshes, in memory and on disk.

A mesh is kept under a hash of everything that determines it: the bytes of its file or its inline
numbers, the model's request, and the text of the modules that build meshes, so nothing goes stale.
Files are in the folder of compiled kernels; CORTENFORGE_ASSET_CACHE=off disables the cache, on disk
and in memory.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from cortenforge.compile.mesh.shape import Shape
from cortenforge.compile.mesh.stored_shape import restored_shape, stored_shape
from cortenforge.kernel.load.cache import caches_assets, prune_cached, read_cached, write_cached

SUFFIX = ".mesh"
# meshes of fewer triangles are not written: that takes longer than their later loads gain
FEWEST_FACES = 2000
MOST_MEMORY = 256 * 2**20
MOST_DISK = 2**30
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


def find_kept(key: str, *, in_files: bool = True) -> Shape | None:
    """The cached mesh of a key, if there is one, in memory or in a file."""
    if not caches_assets():
        return None
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    content = read_cached(key + SUFFIX) if in_files else None
    shape = None if content is None else restored_shape(key, content)
    if shape is not None:
        remember(shape)
    return shape


def keep_meshes(shapes: list[Shape], for_each: Callable[..., Iterable[object]] = map) -> None:
    """Cache meshes in memory, and larger ones on disk.

    for_each: `map`, or that of a pool of threads, which write.
    """
    if not caches_assets():
        return
    for shape in shapes:
        remember(shape)
    large = [shape for shape in shapes if is_large(shape)]
    if large:
        list(for_each(_write, large))
        prune_cached(SUFFIX, MOST_DISK)


def is_large(shape: Shape) -> bool:
    """Whether a mesh has a file of its own."""
    return len(shape.arrays["face"]) >= FEWEST_FACES


def _write(shape: Shape) -> None:
    write_cached(shape.key + SUFFIX, *stored_shape(shape))


def forget_kept() -> None:
    """Clear the cache in memory."""
    with _lock:
        _kept.clear()


def remember(shape: Shape) -> None:
    """Cache a mesh in memory."""
    for array in shape.arrays.values():
        array.setflags(write=False)
    with _lock:
        _kept[shape.key] = shape
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
