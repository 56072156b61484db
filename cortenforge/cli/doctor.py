"""`cortenforge doctor`: is this machine ready, and what to do where it is not."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import importlib.util
import os
import platform
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.table import Table

from cortenforge.cli.screen import results, titled

if TYPE_CHECKING:
    from cortenforge.kernel.load.cache import UnitNote

PACKAGES = ("numpy", "scipy", "lxml", "trimesh", "pillow", "rich", "typer")
COMPILERS = ("numba", "llvmlite")
#: bytes of reals of a humanoid with contact on a device (`GpuBatchSim.bytes_per_world`), rounded
HUMANOID_BYTES = 140_000
Level = Literal["ok", "note", "problem"]
#: images with which batches can be more than 5% slower than code for exactly one processor
SLOWER_IN_LANES = ("x86-64-v3", "windows-x86-64-v3")
OWN_CODE = (
    "CORTENFORGE_UNITS=own compiles for exactly this processor, with pip install "
    "'cortenforge[compile]'; batches can be some 15% faster then, a single world is as fast"
)
MARKS = {"ok": "[green]✓[/]", "note": "[yellow]–[/]", "problem": "[red]✗[/]"}


@dataclass(frozen=True)
class Finding:
    """One line of the report; a note is something optional, a problem stops or slows the work."""

    subject: str
    found: str
    level: Level = "ok"
    remedy: str = ""
    detail: str = ""


def doctor(
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Compile times, and what drivers say.")
    ] = False,
) -> None:
    """Check processor, packages, compiled kernels and GPU; one remedy for each problem."""
    findings = [finding for check in CHECKS for finding in check()]
    table = Table(title="cortenforge doctor", title_justify="left", title_style="bold")
    table.add_column("", width=1)
    table.add_column("what", style="bold")
    table.add_column("found", overflow="fold")
    for finding in findings:
        table.add_row(MARKS[finding.level], finding.subject, escape(finding.found))
    results.print(table)
    for finding in findings:
        if finding.remedy:
            line = f"{MARKS[finding.level]} {finding.subject}: {escape(finding.remedy)}"
            results.print(line, soft_wrap=True)
    if verbose:
        _show_details(findings)
    if any(finding.level == "problem" for finding in findings):
        raise typer.Exit(1)


def _show_details(findings: list[Finding]) -> None:
    for finding in findings:
        if finding.detail:
            results.print(f"{finding.subject}: {escape(finding.detail)}", soft_wrap=True)
    notes = _notes()
    table = titled("compile times of what is in the cache", "unit", "target", "seconds")
    for note in sorted(notes, key=lambda note: -note.seconds):
        table.add_row(note.name, note.target, f"{note.seconds:.2f}")
    table.add_section()
    for target in sorted({note.target for note in notes}):
        seconds = [note.seconds for note in notes if note.target == target]
        table.add_row(f"all of {target}", f"{len(seconds)} units", f"{sum(seconds):.2f}")
    results.print(table)


def _notes() -> list[UnitNote]:
    """What is kept about each compiled unit of the engine."""
    from cortenforge.kernel.load.cache import read_note
    from cortenforge.warmup import every_linker

    keys = [linker.key(unit) for linker, units in every_linker() for unit in units]
    return [note for key in keys if (note := read_note(key))]


def _processor() -> Iterable[Finding]:
    from cortenforge.kernel.load.cores import usable_cores
    from cortenforge.kernel.load.shipped import targets_here

    name, known = _cpu_name(), ", ".join(targets_here())
    yield Finding("processor", f"{name} ({known})" if known else name)
    yield Finding("threads", f"{usable_cores()} usable of {os.cpu_count()}")


def _cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()


def _python() -> Iterable[Finding]:
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield Finding("python", found)
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        yield Finding(
            "compiler",
            "off: kernels run as plain Python, hundreds of times slower",
            "problem",
            "unset NUMBA_DISABLE_JIT",
        )


def _packages() -> Iterable[Finding]:
    from cortenforge import __version__

    yield Finding("cortenforge", __version__)
    for name in PACKAGES:
        try:
            yield Finding(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Finding(name, "missing", "problem", f"pip install {name}")
    for name in COMPILERS:
        try:
            yield Finding(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            remedy = "pip install 'cortenforge[compile]' to compile kernels of your own"
            yield Finding(name, "not installed", "note", remedy)


def _shipped() -> Iterable[Finding]:
    """Which compiled kernels came with the package, and why they are not used if they are not."""
    from cortenforge.errors import CompilationError
    from cortenforge.step.engine import ENGINE

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            folder = ENGINE.linker.image_folder
        except CompilationError as error:
            yield Finding("images", str(error), "problem", "unset CORTENFORGE_UNITS")
            return
    if folder is not None:
        found = f"kernels compiled for {folder.name}, in {folder}"
        remedy = OWN_CODE if folder.name in SLOWER_IN_LANES else ""
        yield Finding("images", found, "note" if remedy else "ok", remedy)
    elif said:
        reason, _, remedy = str(said[0].message).rpartition("; ")
        yield Finding("images", reason, "note", remedy)
    else:
        chosen = os.environ.get("CORTENFORGE_UNITS")
        why = "CORTENFORGE_UNITS=own" if chosen == "own" else "none for this processor"
        yield Finding("images", f"not used ({why}): kernels are compiled here", "ok")


def _cache() -> Iterable[Finding]:
    from cortenforge.kernel import cache_info
    from cortenforge.kernel.load.folder import refusal, shared_refusal, writable

    info, (cold, total) = cache_info(), _cold_units()
    folder = Path(info["path"])
    refused, _, remedy = refusal(folder).partition("; ")
    if refused:
        yield Finding("cache", refused, "problem" if cold else "note", remedy)
    elif writable(folder):
        yield Finding("cache", f"{folder}, writable, {info['bytes'] / 1e6:.1f} MB")
    elif cold:
        yield Finding(
            "cache",
            f"{folder}, not writable: kernels are compiled at every start",
            "problem",
            "set CORTENFORGE_CACHE to a folder that can be written",
        )
    else:
        yield Finding("cache", f"{folder}, only read")
    if info["shared"] is not None:
        refused, _, remedy = shared_refusal(Path(info["shared"])).partition("; ")
        level: Level = "problem" if refused else "ok"
        yield Finding("shared cache", refused or f"{info['shared']}, only read", level, remedy)
    if cold:
        yield Finding(
            "kernels",
            f"{cold} of {total} still to compile",
            "note",
            "cortenforge warmup compiles them now (otherwise the first step does)",
        )
    else:
        yield Finding("kernels", f"warm, all {total} compiled")


def _cold_units() -> tuple[int, int]:
    """How many units of the engine are not compiled yet, and how many there are."""
    from cortenforge.warmup import every_linker

    ready = [linker.is_ready(unit) for linker, units in every_linker() for unit in units]
    return ready.count(False), len(ready)


def _optional() -> Iterable[Finding]:
    for name, purpose, extra in (
        ("mujoco", "`compare` and the ratio of `bench`", "test"),
        ("matplotlib", "plots", "plot"),
        ("viser", "`view`", "viewer"),
    ):
        try:
            yield Finding(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            remedy = f"pip install 'cortenforge[{extra}]' for {purpose}"
            yield Finding(name, "not installed", "note", remedy)


def _gpu() -> Iterable[Finding]:
    if importlib.util.find_spec("wgpu") is None:
        yield Finding(
            "gpu",
            "unknown, wgpu is not installed",
            "note",
            "pip install 'cortenforge[gpu]' for batches on a GPU",
        )
        return
    with _drivers_aside() as said:
        try:
            adapters = _wgpu().gpu.enumerate_adapters_sync()
            found = [Finding("gpu", _adapter_summary(adapter)) for adapter in adapters]
        except Exception as error:  # a driver can fail in any way, and the report must go on
            found = [Finding("gpu", f"wgpu failed: {error}", "note", "check the graphics driver")]
    if not found:
        found = [Finding("gpu", "no adapter", "note", "install a Vulkan, Metal or DX12 driver")]
    yield dataclasses.replace(found[0], detail="\n".join(said))
    yield from found[1:]


def _adapter_summary(adapter: Any) -> str:
    """Name of an adapter, its limit for one binding, and how many humanoids fit one."""
    binding = adapter.limits["max-storage-buffer-binding-size"]
    return (
        f"{adapter.summary}; {binding / 2**20:,.0f} MiB a binding: "
        f"{binding // HUMANOID_BYTES:,} humanoids with contact a chunk"
    )


def _wgpu() -> Any:
    return importlib.import_module("wgpu")


@contextlib.contextmanager
def _drivers_aside() -> Iterator[list[str]]:
    """Collect what C libraries write to standard error, as lines that are there at the end."""
    said: list[str] = []
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(before, 2)
            os.close(before)
            file.seek(0)
            said += file.read().decode(errors="replace").splitlines()


CHECKS: tuple[Callable[[], Iterable[Finding]], ...] = (
    _processor,
    _python,
    _packages,
    _shipped,
    _cache,
    _optional,
    _gpu,
)
