"""Compiled units on disk, and other files that take long to make.

The name of a file is a hash of everything that decides its content: the text of every kernel that
the unit reaches, as it was when it was imported, the values those kernels take from their modules,
the layout of the structs, how kernels are compiled, and the versions and the processor. So a file
never goes stale: change a helper in another module, and the unit has another name.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
import warnings
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.machine import processor
from cortenforge.kernel.language.decorator import Kernel, body_of
from cortenforge.kernel.language.layout import LANES, StructLayout
from cortenforge.kernel.language.source import normal_form, parameters
from cortenforge.kernel.language.table import Table

MAGIC = b"cortenforge-kept-1\n"
#: the modules that turn a kernel into code; their text is part of every key
COMPILER_FILES = (
    "cpu/compile.py",
    "cpu/machine.py",
    "cpu/numba_fuse.py",
    "cpu/numba_lanes.py",
    "cpu/numba_structs.py",
    "cpu/numba_values.py",
    "language/fuse.py",
    "language/layout.py",
    "language/values.py",
)


def _compiler_text() -> bytes:
    folder = Path(__file__).parent.parent
    return hashlib.sha256(b"\0".join((folder / f).read_bytes() for f in COMPILER_FILES)).digest()


#: of the compiler as it is when this process starts
COMPILER_TEXT = _compiler_text()


def check_compiler() -> None:
    """Raise if the compiler was changed before this process came to import it."""
    if _compiler_text() != COMPILER_TEXT:
        raise CompilationError(
            f"the compiler's files in {Path(__file__).parent.parent} changed while this program "
            "ran, so nothing can be compiled for it any more; start the program again"
        )


def cache_folder() -> Path:
    """Where compiled units are kept: CORTENFORGE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("CORTENFORGE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "cortenforge"


def keeps_assets() -> bool:
    """Whether processed assets are kept, which CORTENFORGE_ASSET_CACHE=off forbids."""
    return os.environ.get("CORTENFORGE_ASSET_CACHE", "on") not in ("off", "0")


@functools.cache
def _toolchain() -> bytes:
    """What is the same for every unit on this machine."""
    digest = hashlib.sha256()
    versions = (sys.version, metadata.version("numba"), metadata.version("llvmlite"), processor())
    digest.update("\0".join(versions).encode())
    digest.update(f"{LANES} lanes".encode())
    digest.update(COMPILER_TEXT)
    return digest.digest()


def unit_key(unit: Kernel, *structs: StructLayout) -> str:
    """A name that changes whenever the unit's machine code could."""
    digest = hashlib.sha256(_toolchain())
    digest.update(f"{unit.name} {unit.entry}".encode())
    for struct in structs:
        digest.update(struct.signature().encode())
    for part in body_of(unit):
        digest.update(normal_form(part).encode())
        for name, value in sorted(part.names(), key=lambda pair: pair[0]):
            digest.update(f"{name}={_describe(value)};".encode())
    return digest.hexdigest()


def _describe(value: Any) -> str:
    """What a name from a kernel's module stands for."""
    if isinstance(value, Kernel):
        how = "unit" if value.unit else "inline"
        return f"kernel {value.name} {how} {value.lanes} {len(parameters(value))}"
    if isinstance(value, Table):
        return f"table {[_describe(one) for one in value.kernels]}"
    if isinstance(value, (bool, int, float, tuple)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"


def read_unit(key: str) -> bytes | None:
    """The object file kept under a key; None if there is none or it is damaged."""
    return read_kept(f"{key}.unit")


def write_unit(key: str, code: bytes) -> None:
    """Keep a compiled unit; a folder that cannot be written is reported once, not an error."""
    problem = write_kept(f"{key}.unit", code)
    if problem:
        _warn_unwritable(problem)


def read_kept(name: str) -> bytes | None:
    """What a file of the cache holds; None if there is none or it is damaged."""
    path = cache_folder() / name
    try:
        content = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    start = len(MAGIC) + hashlib.sha256().digest_size
    kept = content[start:]
    intact = content[:start] == MAGIC + hashlib.sha256(kept).digest()
    return kept if intact else None


def write_kept(name: str, content: bytes) -> str:
    """Write a file of the cache; returns what went wrong, if anything."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(MAGIC + hashlib.sha256(content).digest() + content)
        # other processes see all of the file or nothing
        os.replace(file.name, folder / name)
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    return ""


def prune_kept(suffix: str, most: int) -> None:
    """Delete the files of a kind that were not used for longest until the rest fits."""
    with contextlib.suppress(OSError):
        entries = [entry for entry in os.scandir(cache_folder()) if entry.name.endswith(suffix)]
        files = [(entry.stat(), entry.path) for entry in entries]
        total = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda file: file[0].st_mtime):
            if total <= most:
                break
            Path(path).unlink(missing_ok=True)
            total -= status.st_size


@functools.cache
def _warn_unwritable(reason: str) -> None:
    warnings.warn(
        f"compiled kernels cannot be kept ({reason}), so every start compiles them again; "
        "set CORTENFORGE_CACHE to a folder that can be written",
        RuntimeWarning,
        stacklevel=4,
    )


def cache_info() -> dict[str, Any]:
    """The cache folder, how many compiled units it holds and their size; size of kept assets."""
    folder = cache_folder()
    files = list(folder.glob("*.unit")) if folder.is_dir() else []
    assets = [*folder.glob("*.mesh"), *folder.glob("*.marks")] if folder.is_dir() else []
    return {
        "path": str(folder),
        "files": len(files),
        "bytes": sum(file.stat().st_size for file in files),
        "asset_files": len(assets),
        "asset_bytes": sum(file.stat().st_size for file in assets),
    }
