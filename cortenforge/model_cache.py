"""Compiled models, cached on disk with kernels and meshes.

A model from a file has an entry, named by a hash of the path, the contents of the file and of files
in memory, the sources of this package, and the processor. The entry lists all other files that were
read, with hashes of their contents, and paths where no file was: it is used while all of these are
unchanged. Warnings of the load are listed, too, and given again.

Not cached are models that are strings, models loaded with `sandbox=True`, and models with
deformables. CORTENFORGE_MODEL_CACHE=off disables the cache; without a cache of assets
(CORTENFORGE_ASSET_CACHE=off) there is none of models.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortenforge import errors
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.processor import processor
from cortenforge.kernel.load.cache import (
    caches_assets,
    prune_cached,
    read_cached,
    version_text,
    write_cached,
)
from cortenforge.model import Model
from cortenforge.model.states.stored_model import described_model, restored_model, storable
from cortenforge.problems import Warned, give_warning
from cortenforge.read_files import (
    FileRecord,
    FileState,
    RealPaths,
    is_unchanged,
    open_regular,
    record_missing,
    record_state,
)

SUFFIX = ".model"
#: bytes of all entries, and of one
MOST_DISK = 2**30
LARGEST_ENTRY = 2**28
#: bytes of a model's own file that are read
LARGEST_FILE = 2**26
#: bytes of entries in memory
MOST_MEMORY = 2**28
#: folders of the package that loads do not depend on
OTHERS = {
    *("batch", "cli", "compare", "demo", "derive", "gpu", "images", "models", "render"),
    *("scene", "viewer", "wgsl", "write"),
}
#: packages that compute numbers of a model
PACKAGES = ("numpy", "scipy", "lxml", "PIL")


def caches_models() -> bool:
    """Whether models are cached: not with CORTENFORGE_MODEL_CACHE=off, or without assets."""
    return caches_assets() and os.environ.get("CORTENFORGE_MODEL_CACHE", "on") not in ("off", "0")


#: whether models are compiled again, and cached again
_renews: ContextVar[bool] = ContextVar("renews", default=False)
_lock = threading.Lock()
#: fields of meshes by name
Fields = dict[str, Any]
#: entries that this process has read: contents, and fields of meshes
_kept: OrderedDict[str, tuple[bytes, Fields]] = OrderedDict()


@dataclass(frozen=True)
class Entry:
    """An entry of the cache: its name, and the model's file with the hash of its contents."""

    name: str
    path: str
    digest: str

    def find(self) -> Model | None:
        """The model, if it is cached and its files are unchanged."""
        content, meshes = (None, {}) if _renews.get() else _read(self.name)
        if content is None:
            return None
        try:
            end = content.index(b"\n") + 1
            head = json.loads(content[:end])
            read = {path: FileState(*state) for path, state in head["read"].items()}
            missing = [os.fspath(path) for path in head["missing"]]
            warned = [(_category(name), str(text)) for name, text in head["warnings"]]
            if not _same_files(read, missing):
                return None
            memory, found = _with_meshes(head, memoryview(content)[end:], meshes)
            if found is None:
                return None
            model = restored_model(head["model"], memory, found)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            # what is no entry of this version is made again
            return None
        _remember(self.name, content, found)
        # those who record this load see what it depends on
        for path, state in read.items():
            record_state(path, state)
        for path in missing:
            record_missing(path)
        for category, text in warned:
            give_warning(text, category, stacklevel=3)
        return model

    def keep(
        self, model: Model, shapes: Sequence[Any], files: FileRecord, warned: list[Warned]
    ) -> None:
        """Cache a model that was loaded from these files.

        shapes: its meshes, which are cached already.
        """
        own = files.read.get(self.path)
        unchanged = files.consistent and own is not None and own.digest == self.digest
        if not (unchanged and storable(model)):
            return
        head, memory = _described(model, shapes)
        if sum(len(part) for part in memory) > LARGEST_ENTRY:
            return
        head |= {
            "read": files.read,
            "missing": sorted(files.missing),
            "warnings": [(category.__name__, text) for category, text in warned],
        }
        forget_kept(self.name)
        # a folder that cannot be written is reported where compiled code is written
        if not write_cached(self.name, json.dumps(head).encode() + b"\n", *memory):
            prune_cached(SUFFIX, MOST_DISK)


def _described(
    model: Model, shapes: Sequence[Any]
) -> tuple[dict[str, Any], list[bytes | memoryview]]:
    """(description, bytes in parts) of a model; meshes are stored by themselves."""
    if not shapes:
        described, memory = described_model(model)
        return {"model": described}, memory
    from cortenforge.compile.mesh.stored_meshes import BOXES, MESH_FIELDS, stored_meshes

    meshes, parts = stored_meshes(shapes, {name: getattr(model, name) for name in BOXES})
    described, memory = described_model(model, MESH_FIELDS)
    return {"model": described, "meshes": meshes}, [*parts, *memory]


def _with_meshes(
    head: Mapping[str, Any], memory: memoryview, known: Fields
) -> tuple[memoryview, Fields | None]:
    """(bytes of a model, fields of its meshes); None if a mesh is not cached any more."""
    if "meshes" not in head:
        return memory, {}
    memory, meshes = memory[head["meshes"]["bytes"] :], memory[: head["meshes"]["bytes"]]
    if known:
        return memory, known
    from cortenforge.compile.mesh.stored_meshes import restored_meshes

    return memory, restored_meshes(head["meshes"], meshes)


@contextmanager
def renewing_entries() -> Iterator[None]:
    """Context in which models are compiled, as if they were not cached, and cached again."""
    token = _renews.set(True)
    try:
        yield
    finally:
        _renews.reset(token)


def _read(name: str) -> tuple[bytes | None, Fields]:
    with _lock:
        found = _kept.get(name)
    return (read_cached(name), {}) if found is None else found


def _remember(name: str, content: bytes, meshes: Fields) -> None:
    with _lock:
        _kept[name] = content, meshes
        _kept.move_to_end(name)
        total = sum(map(_size, _kept.values()))
        while total > MOST_MEMORY:
            total -= _size(_kept.popitem(last=False)[1])


def _size(kept: tuple[bytes, Fields]) -> int:
    content, meshes = kept
    return len(content) + sum(int(array.nbytes) for array in meshes.values())


def forget_kept(name: str | None = None) -> None:
    """Forget an entry, or all, in memory."""
    with _lock:
        if name is None:
            _kept.clear()
        else:
            _kept.pop(name, None)


def entry_of(source: Any, assets: Any) -> Entry | None:
    """The entry of a model; None if it is not cached."""
    if not caches_models() or not isinstance(source, str | os.PathLike):
        return None
    path = os.fspath(source)
    if not isinstance(path, str) or path.lstrip("\ufeff \t\r\n").startswith("<"):
        return None
    try:
        with open_regular(path) as file:
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            return None
        memory = [
            part
            for name, given in (assets or {}).items()
            for part in (name, bytes(memoryview(given)))
        ]
        names = (path, os.path.abspath(path), os.path.realpath(path))
        digest = hashlib.sha256(_version())
        for part in (*names, data, *memory):
            content = part.encode() if isinstance(part, str) else part
            digest.update(f"{len(content)};".encode())
            digest.update(content)
    except (OSError, ValueError, TypeError, AttributeError):
        # what is wrong with it is said by those who read the model
        return None
    if not _version():
        return None
    return Entry(digest.hexdigest() + SUFFIX, names[1], hashlib.sha256(data).hexdigest())


def _same_files(read: Mapping[str, FileState], missing: list[str]) -> bool:
    """Whether all files are as they were, and none appeared where none was."""
    if any(os.path.lexists(path) for path in missing):
        return False
    real_paths = RealPaths()
    return all(is_unchanged(path, state, real_paths) for path, state in read.items())


def _category(name: str) -> type[Warning]:
    found: type[Warning] = getattr(errors, name)
    if not issubclass(found, Warning):
        raise ValueError(f"{name} is no warning")
    return found


@functools.cache
def _version() -> bytes:
    """Hash of everything besides files that loads depend on: sources, packages, processor.

    Empty if sources were changed since this process imported the package: it may have imported
    them before.
    """
    imported = sys.modules["cortenforge"]._imported_at
    folder = Path(__file__).parent
    digest = hashlib.sha256(f"{processor().identity}, {LANES} lanes".encode())
    for package in PACKAGES:
        digest.update(b"\0" + version_text(package))
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder)
        if OTHERS.isdisjoint(place.parts):
            status = path.stat()
            if max(status.st_mtime, status.st_ctime) > imported:
                return b""
            digest.update(f"\0{place}\0".encode() + path.read_bytes())
    return digest.digest()
