"""The cache on disk: compiled units, and other files that take long to make, such as models.

The name of a file is a hash of everything that determines its content: the source of every kernel
that the unit reaches, as imported, the module constants that these use, the layout of the structs,
the compiler's sources, versions of packages, and the processor. So no file becomes stale: after a
change of any of these, the unit has another name.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import json
import mmap
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cortenforge.errors import CompilationError
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.processor import processor
from cortenforge.kernel.load.folder import (
    OWN_FOLDER,
    cache_folder,
    prepare,
    refusal,
    shared_folder,
    shared_refusal,
    trusted,
    warn_once,
)

Bytes = bytes | memoryview

MAGIC = b"cortenforge-kept-2\n"
#: length of what is in front of the content of a file
HEADER = len(MAGIC) + hashlib.sha256().digest_size
#: first bytes of the files of all versions
FAMILY = b"cortenforge-kept-"
UNIT = ".unit"
#: the index of units, see `unit_index`
INDEX = ".index"
#: kinds of files, by the endings of their names
KINDS = {
    "units": (UNIT,),
    "indices": (INDEX,),
    "plain": (".plain",),
    "assets": (".mesh", ".marks"),
    "models": (".model",),
}
#: the ending of a file that is being written
UNFINISHED = ".part"
#: whether files of the shared folder are copied to the cache folder; see `cache_collected_in`
_collects = False
#: file of locks (see `claimed_for_making`), and how long a process waits for one
CLAIMS = "claims"
CLAIM_SECONDS = 60.0
NOT_KEPT = "compiled kernels are not kept, so every start compiles them again: {}"
NOT_SHARED = "the shared cache is not used: {}"
NO_COMPILER = (
    "{} has to be compiled, which takes packages that are not installed: pip install "
    "'cortenforge[compile]'"
)
#: the packages that compile
COMPILERS = ("numba", "llvmlite")
#: the modules that turn a kernel into machine code; their text is part of every key
COMPILER_FILES = (
    "cpu/compile.py",
    "cpu/elf.py",
    "cpu/libraries.py",
    "cpu/link_objects.py",
    "cpu/linked_code.py",
    "cpu/numba_bits.py",
    "cpu/numba_fuse.py",
    "cpu/numba_lanes.py",
    "cpu/numba_structs.py",
    "cpu/numba_values.py",
    "cpu/symbols.py",
    "cpu/targets.py",
    "language/conditions.py",
    "language/eights.py",
    "language/fuse.py",
    "language/layout.py",
    "language/uniform.py",
    "language/values.py",
)


def _compiler_text() -> bytes:
    folder = Path(__file__).parent.parent
    return hashlib.sha256(b"\0".join((folder / f).read_bytes() for f in COMPILER_FILES)).digest()


#: the compiler's sources, as of the start of this process
COMPILER_TEXT = _compiler_text()


def check_compiler() -> None:
    """Raise if the compiler was changed before this process came to import it."""
    if _compiler_text() != COMPILER_TEXT:
        raise CompilationError(
            f"the compiler's files in {Path(__file__).parent.parent} changed while this program "
            "ran, so nothing can be compiled for it any more; start the program again"
        )


def caches_assets() -> bool:
    """Whether processed assets are cached: not with CORTENFORGE_ASSET_CACHE=off."""
    return os.environ.get("CORTENFORGE_ASSET_CACHE", "on") not in ("off", "0")


@functools.cache
def toolchain() -> bytes:
    """The part of keys that is the same for all units: compiler, versions, processor."""
    digest = hashlib.sha256(processor().identity.encode())
    for package in COMPILERS:
        digest.update(b"\0" + version_text(package))
    digest.update(f"{LANES} lanes, pages of {mmap.PAGESIZE}".encode())
    digest.update(COMPILER_TEXT)
    return digest.digest()


def version_text(package: str) -> bytes:
    """The file with the version of a package, which is not imported: Numba takes half a second."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return b""
    for name in ("_version.py", "version.py", "__init__.py"):
        with contextlib.suppress(OSError):
            text = Path(found.origin).with_name(name).read_bytes()
            if b"version" in text:
                return text
    from importlib import metadata

    return metadata.version(package).encode()


def has_compiler() -> bool:
    """Whether kernels can be compiled here."""
    return all(importlib.util.find_spec(package) is not None for package in COMPILERS)


def unit_key(digest: str) -> str:
    """Key of a unit in the cache: a hash of its digest and of the toolchain."""
    return hashlib.sha256(toolchain() + digest.encode()).hexdigest()


@dataclass(frozen=True)
class UnitNote:
    """A note stored with the code of a unit, for users."""

    name: str
    target: str
    seconds: float


def read_unit(key: str) -> bytes | None:
    """Linked code stored under a key; None if it is missing or damaged."""
    kept = read_cached(key + UNIT)
    return None if kept is None else kept.partition(b"\n")[2]


def write_unit(key: str, code: bytes, note: UnitNote) -> None:
    """Store a compiled unit; a folder that cannot be written is a warning, given once."""
    heading = json.dumps(asdict(note)).encode() + b"\n"
    problem = write_cached(key + UNIT, heading + code)
    if problem:
        warn_once(NOT_KEPT.format(problem))


def read_note(key: str) -> UnitNote | None:
    """The note on the unit stored under a key; None if it is missing or damaged."""
    kept = read_cached(key + UNIT)
    try:
        return kept and UnitNote(**json.loads(kept.partition(b"\n")[0]))  # type: ignore[return-value]
    except (ValueError, TypeError):
        return None


def read_cached(name: str) -> bytes | None:
    """Content of a file of the cache, or of the shared cache; None if it is missing or damaged."""
    folder, shared = cache_folder(), shared_folder()
    kept, problem = None, refusal(folder)
    if not problem:
        kept = _checked(folder / name)
    if kept is None and shared is not None:
        kept = _read_shared(shared / name)
        if _collects and kept is not None:
            write_cached(name, kept)
    if kept is None and problem:
        warn_once(NOT_KEPT.format(problem))
    return kept


def holds_unit(key: str) -> bool:
    """Whether the cache folder itself has an undamaged file of a unit."""
    return _checked(cache_folder() / (key + UNIT)) is not None


def _read_shared(path: Path) -> bytes | None:
    problem = shared_refusal(path.parent)
    if problem:
        warn_once(NOT_SHARED.format(problem))
        return None
    return _checked(path, shared=True)


def _checked(path: Path, *, shared: bool = False) -> bytes | None:
    """Content of a file without its header; None if it is missing, damaged, or not trusted."""
    heading, kept = _content(path, shared)
    return kept if heading == MAGIC + _checksum(path.name, kept) else None


def _content(path: Path, shared: bool) -> tuple[bytes, bytes]:
    """Header and rest of a regular file; empty if it is missing or owned by others."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as file:
            if not trusted(os.fstat(file.fileno()), shared=shared):
                return b"", b""
            content = file.read(HEADER), file.read()
    except OSError:
        return b"", b""
    # least recently used first; nothing is deleted on a read-only disk
    with contextlib.suppress(OSError):
        os.utime(path)
    return content


def _checksum(name: str, *parts: Bytes) -> bytes:
    """Checksum of a file's name and content, so that a renamed file is not used."""
    digest = hashlib.sha256(name.encode() + b"\0")
    for part in parts:
        digest.update(part)
    return digest.digest()


def write_cached(name: str, *parts: Bytes) -> str:
    """Write a file of the cache, in parts; returns a message if that failed, else ""."""
    folder = cache_folder()
    problem = prepare(folder)
    if problem:
        return problem
    try:
        import tempfile

        handle, temporary = tempfile.mkstemp(dir=folder, suffix=UNFINISHED)
        try:
            with open(handle, "wb") as file:
                for part in (MAGIC, _checksum(name, *parts), *parts):
                    file.write(part)
            # other processes see all of the file or nothing
            os.replace(temporary, folder / name)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        return f"{folder}: {error.strerror or error}; {OWN_FOLDER}"
    return ""


@contextlib.contextmanager
def claimed_for_making(key: str) -> Iterator[None]:
    """Context in which one process makes a file; others wait for it, at most CLAIM_SECONDS.

    The lock is on one byte of a common file, chosen by the key, and ends with its process. Without
    file locks, each process makes the file itself.
    """
    with contextlib.ExitStack() as open_files:
        with contextlib.suppress(OSError, ImportError):
            import fcntl

            folder = cache_folder()
            if not prepare(folder):
                file = open_files.enter_context(open(folder / CLAIMS, "ab"))
                byte = int(key[:15], 16)
                deadline = time.monotonic() + CLAIM_SECONDS
                while time.monotonic() < deadline:
                    try:
                        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
                        break
                    except BlockingIOError:
                        time.sleep(0.02)
        yield


def prune_cached(suffix: str, most: int) -> None:
    """Delete the least recently used files of a kind until the rest is not larger than `most`."""
    with contextlib.suppress(OSError):
        entries = [entry for entry in os.scandir(cache_folder()) if entry.name.endswith(suffix)]
        files = [(entry.stat(), entry.path) for entry in entries]
        total = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda file: file[0].st_mtime):
            if total <= most:
                break
            Path(path).unlink(missing_ok=True)
            total -= status.st_size


def cache_info() -> dict[str, Any]:
    """The cache folder, how many files of each kind it holds, and their bytes.

    `files` and `bytes` are of compiled units, `plain_` of kernels as plain Python, `asset_` of
    meshes and skies, `model_` of compiled models; `shared` is the folder that is only read, or
    None.
    """
    sizes = {kind: _sizes(*suffixes) for kind, suffixes in KINDS.items()}
    shared = shared_folder()
    return {
        "path": str(cache_folder()),
        "files": len(sizes["units"]),
        "bytes": sum(sizes["units"]),
        "plain_files": len(sizes["plain"]),
        "plain_bytes": sum(sizes["plain"]),
        "asset_files": len(sizes["assets"]),
        "asset_bytes": sum(sizes["assets"]),
        "model_files": len(sizes["models"]),
        "model_bytes": sum(sizes["models"]),
        "shared": None if shared is None else str(shared),
    }


def _sizes(*suffixes: str) -> list[int]:
    """Sizes of the files of some kinds in a folder; empty if the folder is missing."""
    found = []
    with contextlib.suppress(OSError):
        for entry in os.scandir(cache_folder()):
            if entry.name.endswith(suffixes):
                with contextlib.suppress(FileNotFoundError):  # others delete, too
                    found.append(entry.stat(follow_symlinks=False).st_size)
    return found


def clear_cache() -> int:
    """Delete all files of the cache, and no other files in its folder; returns their number.

    Running programs are not affected: they have loaded their units, and make missing files again.
    Files that are being written stay. Raises OSError where files cannot be deleted.
    """
    folder = cache_folder()
    ours = [entry for entry in os.scandir(folder) if _is_ours(entry)] if folder.is_dir() else []
    for entry in ours:
        Path(entry.path).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        (folder / CLAIMS).unlink()
    return len(ours)


def _is_ours(entry: os.DirEntry[str]) -> bool:
    """Whether a file belongs to the cache, by name and first bytes, and is not being written."""
    suffixes = (UNFINISHED, *(suffix for kind in KINDS.values() for suffix in kind))
    if not entry.name.endswith(suffixes) or not entry.is_file(follow_symlinks=False):
        return False
    with contextlib.suppress(OSError), open(entry.path, "rb") as file:
        beginning = file.read(len(MAGIC))
        age = time.time() - os.fstat(file.fileno()).st_mtime
        known = beginning.startswith(FAMILY) or not beginning
        return known and (not entry.name.endswith(UNFINISHED) or age > CLAIM_SECONDS)
    return False


@contextlib.contextmanager
def cache_collected_in(folder: Path) -> Iterator[None]:
    """Context in which all files that are made or read go to another folder.

    Afterwards other users may read it, as far as the umask allows, and only the owner can write.
    """
    global _collects
    before, usual = os.environ.copy(), cache_folder().resolve()
    os.environ["CORTENFORGE_CACHE"] = str(folder.resolve())
    if not shared_refusal(usual):
        os.environ["CORTENFORGE_SHARED_CACHE"] = str(usual)
    _collects = True
    try:
        yield
        _open_to_readers(folder)
    finally:
        _collects = False
        os.environ.clear()
        os.environ.update(before)


def _open_to_readers(folder: Path) -> None:
    mask = os.umask(0o077)
    os.umask(mask)
    folder.chmod(stat.S_IMODE(folder.stat().st_mode) | 0o755 & ~mask)
    for entry in os.scandir(folder):
        if _is_ours(entry):
            os.chmod(entry.path, 0o644 & ~mask)
