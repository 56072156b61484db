"""Ahead-of-time compilation of kernels: all of the package, or those that some models need."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import cortenforge.compile.constants.inverse_inertia_kernels
import cortenforge.compile.mesh.mesh_distance
import cortenforge.compile.pack.bvh_kernels
import cortenforge.query.linkers  # noqa: F401 - linkers are registered by their import
from cortenforge.batch.program import expanded_lanes, shared_lanes
from cortenforge.derive.linkers import linear_system_linker
from cortenforge.errors import ArgumentError, CompilationError
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.reach import Reach, Shared
from cortenforge.kernel.load.cache import cache_collected_in, holds_unit
from cortenforge.kernel.load.folder import prepare, writable
from cortenforge.kernel.load.link import Linker, linkers
from cortenforge.model import Model
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.render.linkers import render_linker
from cortenforge.step.engine import ENGINE

#: linkers, each with units to load
Needed = list[tuple[Linker, list[Kernel]]]


def warmup(needed: Needed | None = None, *, progress: bool = True) -> int:
    """Compile needed units that are not in the cache; returns the number of needed units.

    needed: by default, all units of the package.
    Raises a CompilationError for all units that do not compile, once all others are compiled.
    """
    count = 0
    failures: list[CompilationError] = []
    for linker, units in every_linker() if needed is None else needed:
        count += len(units)
        failures += _load_what_compiles(linker, units, progress=progress)
    if failures:
        listed = "\n".join(str(error) for error in failures)
        raise CompilationError(
            f"{len(failures)} of {count} kernels did not compile; all others are ready\n{listed}"
        )
    return count


def _load_what_compiles(
    linker: Linker, units: list[Kernel], *, progress: bool
) -> list[CompilationError]:
    """Load the units of a linker that compile; returns the errors of the others."""
    failures: list[CompilationError] = []
    while True:
        try:
            linker.load(units, progress=progress)
            return failures
        except CompilationError as error:
            rest = [unit for unit in units if unit.name != error.unit]
            if len(rest) == len(units):
                raise
            layout = " and ".join(struct.name for struct in linker.structs)
            failures.append(CompilationError(f"in the layout {layout}: {error}", error.unit))
            units = rest


def warmup_into(
    folder: str | os.PathLike[str],
    needed: Needed | None = None,
    *,
    progress: bool = True,
    more: Callable[[], object] | None = None,
) -> int:
    """Collect units in a folder, to be used as CORTENFORGE_SHARED_CACHE; returns their number.

    Units that are in the cache are copied, others compiled; those of a shipped image are needed in
    neither. Files that `more` reads or makes, such as meshes of models, are collected as well.
    needed: by default, all units of the package.
    Raises ArgumentError where the folder cannot be used or written.
    """
    target, count = Path(folder), 0
    problem = prepare(target)
    if problem or not writable(target):
        raise ArgumentError(problem or f"{target} cannot be written")
    with cache_collected_in(target):
        for linker, units in every_linker() if needed is None else needed:
            linker.keep(units, progress=progress)
            here = [unit for unit in units if not linker.is_shipped(unit)]
            lost = sum(not holds_unit(linker.key(unit)) for unit in here)
            if lost:
                raise ArgumentError(f"{target}: {lost} compiled units could not be written")
            count += len(units)
        if more is not None:
            more()
    return count


def every_linker() -> Needed:
    """Every linker of the engine, with all units that it can load."""
    return linkers()


def needed_by(
    models: Iterable[Model],
    *,
    batch: bool = False,
    randomize: bool = False,
    derivatives: bool = False,
    render: bool = False,
) -> Needed:
    """Units that some models need for calls of their Data, and for what else is chosen.

    batch:       steps of a BatchSim.
    randomize:   steps of a BatchSim whose worlds have parameters of their own.
    derivatives: derivatives of a step.
    render:      pictures.
    """
    chosen = {ENGINE.home}
    chosen |= {shared_lanes().home} if batch or derivatives else set()
    chosen |= {expanded_lanes().home} if randomize else set()
    chosen |= {linear_system_linker().home} if derivatives else set()
    chosen |= {render_linker().home} if render else set()
    every = list(models)
    found = linkers(lambda linker, roots: reached_by(every, linker, roots))
    return [
        (linker, units) for linker, units in found if linker.home.removesuffix(".worlds") in chosen
    ]


def reached_by(models: Iterable[Model], linker: Linker, roots: list[Kernel]) -> Reach:
    """Units that entries reach with some models; all units of structs other than a Model's."""
    known = (linker.structs[0].of_one or linker.structs[0]).entries.keys()
    if not MODEL_LAYOUT.entries.keys() <= known:
        return linker.reach(roots)
    reach = Reach(lanes=linker.worlds is not None, replaced=linker.replaced)
    for model in models:
        plain = plain_model(model)
        differs = linker.structs[0] is not MODEL_LAYOUT
        entries = [root for root in roots if root.entry]
        reach.units |= linker.reach(entries, Shared(plain) if differs else plain).units
    return reach
