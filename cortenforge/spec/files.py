"""Bytes of model files: regular files of sensible size, from disk or from memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from cortenforge.disk import kind_of_file
from cortenforge.errors import ArgumentError, Location, MjcfError
from cortenforge.read_files import FileState, is_recording, record_missing, record_state

LARGEST_FILE = 64 * 1024 * 1024
STRING_LABEL = "<string>"


@dataclass(frozen=True)
class Source:
    """One file's bytes, the name it is reported under, and the place that identifies it.

    `line` is the line on which `data` begins, which is not 1 when leading blank lines were cut.
    """

    data: bytes
    label: str
    identity: str
    folder: str
    line: int = 1

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Library:
    """Where files may come from: a dictionary in memory, and the disk around a model.

    With `sandbox`, nothing outside of `root` is read: the folder of the model itself, unless it
    is a model that another one attaches. `main` is the model's own file.
    """

    folder: str
    assets: Mapping[str, bytes] = field(default_factory=dict)
    sandbox: bool = False
    root: str | None = None
    main: str = STRING_LABEL

    def of(self, source: Source) -> Library:
        """The files of a model that this one attaches."""
        root = self.folder if self.root is None else self.root
        return Library(source.folder, self.assets, self.sandbox, root, source.label)

    def find(self, name: str, including_folder: str, where: Location) -> Source:
        """The included file: from memory, from the model's folder, or beside the includer."""
        data = self._from_memory(name, including_folder)
        if data is not None:
            label, content = data
            if len(content) > LARGEST_FILE:
                raise _too_large(label, where)
            return Source(content, label, f"memory:{label}", os.path.dirname(label))
        for folder in dict.fromkeys((self.folder, including_folder)):
            path = os.path.join(folder, name)
            self._check_inside(path, name, where)
            if _exists(path):
                return read_from_disk(path, where)
        looked = os.path.join(self.folder, name)
        raise MjcfError(f"there is no file '{looked}'", where, attribute="file", got=name)

    def in_memory(self, name: str) -> bool:
        """True when a file of an asset comes from the dictionary."""
        return self.key(name) is not None

    def key(self, name: str) -> str | None:
        """Under which name the dictionary has a file of an asset; None if it is not there."""
        found = self._from_memory(name, self.folder)
        return None if found is None else found[0]

    def resolved(self, name: str) -> str:
        """The path under which a file of an asset is known: from the model's folder on."""
        return os.path.normpath(os.path.join(self.folder, name.replace("\\", "/")))

    def locate(self, folder: str, file: str, where: Location) -> str:
        """Name of an asset's file below the model's folder.

        Of an included file: first as in the model itself, then below the includer's folder, with
        the compiler's `folder` and without it. MuJoCo looks in the same places, in the last one
        if the model's path is absolute.
        """
        name = os.path.join(folder, file)
        path = os.path.join(self.folder, name)
        if where.script or where.file == self.main or os.path.isabs(file):
            return name
        hidden = self.sandbox and not self._allows(path)
        if hidden or self.in_memory(name) or _exists(path):
            return name
        home = os.path.normpath(self.folder or ".")
        beside = os.path.relpath(os.path.dirname(where.file) or ".", home)
        nested = os.path.normpath(os.path.join(folder, beside, file))
        bare = os.path.normpath(os.path.join(beside, file))
        found = (one for one in (nested, bare) if _exists(os.path.join(self.folder, one)))
        return next(found, nested)

    def asset(self, name: str, where: Location, attribute: str = "file") -> Source:
        """A file of an asset, from memory or from the model's folder."""
        data = self._from_memory(name, self.folder)
        if data is not None:
            label, content = data
            if len(content) > LARGEST_FILE:
                raise _too_large(label, where)
            return Source(content, label, f"memory:{label}", os.path.dirname(label))
        path = os.path.join(self.folder, name)
        self._check_inside(path, name, where, attribute)
        if not _exists(path):
            raise MjcfError(f"there is no file '{path}'", where, attribute=attribute, got=name)
        return read_from_disk(path, where)

    def _from_memory(self, name: str, including_folder: str) -> tuple[str, bytes] | None:
        known = {_normalized_name(key): key for key in self.assets}
        for candidate in (name, os.path.join(including_folder, name)):
            key = known.get(_normalized_name(candidate))
            if key is not None:
                return key, _memory_bytes(self.assets, key)
        # MuJoCo's own in-memory files are found by their last part too, in any case
        last = PurePosixPath(_normalized_name(name)).name.lower()
        same = [key for normal, key in known.items() if PurePosixPath(normal).name.lower() == last]
        return (same[0], _memory_bytes(self.assets, same[0])) if len(same) == 1 else None

    def _allows(self, path: str) -> bool:
        return is_in_folder(path, self.folder if self.root is None else self.root)

    def _check_inside(self, path: str, name: str, where: Location, attribute: str = "file") -> None:
        if self.sandbox and not self._allows(path):
            raise MjcfError(
                f"'{path}' is outside the model's folder, and sandbox=True forbids that",
                where,
                attribute=attribute,
                got=name,
            )


def in_memory(assets: Any) -> dict[str, bytes]:
    """Files that a caller has in memory, by name; None for none.

    Raises ArgumentError for what is no dictionary of names and bytes.
    """
    if assets is None:
        return {}
    if not isinstance(assets, Mapping):
        raise ArgumentError(
            f"assets: expected a dictionary of names and bytes, got {type(assets).__name__}"
        )
    for key in assets:
        if not isinstance(key, str):
            raise ArgumentError(f"assets: expected names of files, got {key!r}"[:300])
        _memory_bytes(assets, key)
    return dict(assets)


def _memory_bytes(assets: Mapping[str, Any], key: str) -> bytes:
    """What a file in memory holds; the dictionary of a Spec may have changed since."""
    try:
        return bytes(memoryview(assets[key]))
    except TypeError:
        kind = type(assets[key]).__name__
        hint = "; text becomes bytes by .encode()" if kind == "str" else ""
        raise ArgumentError(f"assets[{key!r}]: expected bytes, got {kind}{hint}"[:300]) from None


def is_in_folder(path: str, folder: str) -> bool:
    """True when a path, with every link followed, lies in a folder."""
    if not folder:
        return False
    real_folder, real_path = os.path.realpath(folder), os.path.realpath(path)
    return os.path.commonpath([real_folder, real_path]) == real_folder


def read_from_disk(path: str, where: Location) -> Source:
    """Read a regular file of limited size; others are refused before they are opened."""
    try:
        data = _regular_content(path, where)
    except MjcfError:
        record_missing(path)
        raise
    source = Source(data, path, os.path.realpath(path), os.path.dirname(path))
    if is_recording():
        record_state(path, FileState(len(data), source.digest, source.identity))
    return source


def _regular_content(path: str, where: Location) -> bytes:
    try:
        _check_regular(os.stat(path), path, where)
        # a pipe put in the file's place meanwhile must not block us
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            _check_regular(os.fstat(file.fileno()), path, where)
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise MjcfError(f"cannot read '{path}': {reason}", where) from None
    if len(data) > LARGEST_FILE:
        raise _too_large(path, where)
    return data


def _check_regular(status: os.stat_result, path: str, where: Location) -> None:
    if kind := kind_of_file(status):
        raise MjcfError(f"'{path}' is {kind}, not a model file", where)
    if status.st_size > LARGEST_FILE:
        raise _too_large(path, where)


def _too_large(path: str, where: Location) -> MjcfError:
    return MjcfError(
        f"'{path}' is larger than the limit of {LARGEST_FILE // 2**20} MB for a model file", where
    )


def _exists(path: str) -> bool:
    try:
        found = os.path.lexists(path)
    except ValueError:
        return False
    if not found:
        record_missing(path)
    return found


def _normalized_name(name: str) -> str:
    return os.path.normpath(name.replace("\\", "/"))
