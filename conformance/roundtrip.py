"""`python -m conformance.roundtrip`: save every model, load it again, compare bit by bit.

A description is written to a folder of its own and loaded from there, by CortenForge and by
MuJoCo.  Here every array, name, option, statistic and visual setting must have the same bits; in
MuJoCo the model of the written file must be that of the original.  All seeds are fixed.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from conformance.cases import Case, handmade_cases, public_cases, random_cases
from cortenforge.cli.screen import Screen
from cortenforge.compare import load_reference
from cortenforge.compile import compile_spec
from cortenforge.fields import PLACES
from cortenforge.model.access.compiled import CompiledModel

__all__ = ["Trip", "changed_fields", "changed_in_mujoco", "main", "trip"]

#: MuJoCo keeps what it worked out itself to the last digits, on either side of a trip
TOLERANCE = 1e-9
#: names of files, and what counts their characters, differ in another folder
ELSEWHERE = frozenset((*PLACES, "npaths"))


@dataclass
class Trip:
    """What one source of models gave."""

    title: str
    same: list[str] = field(default_factory=list)
    changed: dict[str, list[str]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def changed_fields(before: CompiledModel, after: CompiledModel) -> list[str]:
    """Everything in which two compiled models are not the same, bit by bit."""
    found = [name for name in before.arrays if not _same(before.arrays[name], after.arrays[name])]
    for part in ("opt", "stat"):
        a, b = getattr(before, part), getattr(after, part)
        found += [f"{part}.{name}" for name in a if not _same(a[name], b[name])]
    for group, settings in before.vis.items():
        other = after.vis[group]
        found += [
            f"vis.{group}.{name}" for name in settings if not _same(settings[name], other[name])
        ]
    for part in ("names", "sizes"):
        a, b = getattr(before, part), getattr(after, part)
        found += [f"{part}.{name}" for name in a if a[name] != b[name] and name not in ELSEWHERE]
    return [name for name in found if name not in ELSEWHERE]


def _same(a: Any, b: Any) -> bool:
    x, y = np.asarray(a), np.asarray(b)
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def changed_in_mujoco(before: Any, after: Any) -> list[str]:
    """Numeric fields in which two models of MuJoCo differ by more than rounding."""
    found = []
    for owner in ("", "opt", "stat"):
        a, b = (getattr(model, owner) if owner else model for model in (before, after))
        for name in (name for name in dir(a) if not name.startswith("_")):
            if name in ELSEWHERE or name in ("names", "nbuffer"):
                continue
            x, y = getattr(a, name), getattr(b, name)
            if isinstance(x, int | float | np.ndarray) and not _close(x, y):
                found.append(f"{owner}.{name}".lstrip("."))
    return found


def _close(a: Any, b: Any) -> bool:
    x, y = np.asarray(a), np.asarray(b)
    if x.shape != y.shape:
        return False
    if x.size == 0 or not np.issubdtype(x.dtype, np.floating):
        return bool(np.array_equal(x, y))
    scale = max(1.0, float(np.max(np.abs(x))))
    return bool(np.max(np.abs(x - y)) <= TOLERANCE * scale)


def trip(case: Case, folder: Path, *, mujoco: bool) -> list[str]:
    """What changes when a model is saved to a folder and loaded from there."""
    spec = cf.Spec.from_mjcf(case.source)
    saved = folder / "saved.xml"
    before = compile_spec(spec)
    spec.save(saved)
    found = changed_fields(before, compile_spec(cf.Spec.from_mjcf(saved)))
    if mujoco:
        pair = load_reference(case.source), load_reference(saved)
        found += [f"MuJoCo: {name}" for name in changed_in_mujoco(*pair)]
    return found


def sweep(title: str, cases: Iterable[Case], *, foreign: bool, mujoco: bool) -> Trip:
    """Save and reload every model of one source; foreign models may be refused at first."""
    result = Trip(title)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.MjcfWarning)
        for case in cases:
            try:
                if foreign:
                    cf.Spec.from_mjcf(case.source).compile()
            except cf.MjcfError:
                result.refused.append(case.name)
                continue
            found = trip(case, Path(folder), mujoco=mujoco)
            if found:
                result.changed[case.name] = found
            else:
                result.same.append(case.name)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sweep; exit status 1 when anything changes."""
    parser = argparse.ArgumentParser(prog="python -m conformance.roundtrip", description=__doc__)
    parser.add_argument("--models", type=int, default=500, help="random models")
    parser.add_argument("--no-mujoco", dest="mujoco", action="store_false", help="only ours")
    options = parser.parse_args(arguments)
    console = Screen()
    table = Table("models", "the same", "changed", "refused before")
    sources = {
        "public models": public_cases(),
        "hand-made models": handmade_cases(),
        "random models": list(random_cases(0, options.models)),
    }
    worst = 0
    for title, cases in sources.items():
        bar = track(cases, title, console=console)
        result = sweep(title, bar, foreign=title == "public models", mujoco=options.mujoco)
        table.add_row(title, *(str(len(x)) for x in (result.same, result.changed, result.refused)))
        for name, found in result.changed.items():
            console.print(f"{name}: {', '.join(found)}")
        worst = max(worst, len(result.changed))
    console.print(table)
    return int(worst > 0)


if __name__ == "__main__":
    raise SystemExit(main())
