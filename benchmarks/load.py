"""`python -m benchmarks.load`: how long models take to load, against MuJoCo.

Prints a table of the public models (with `--meshes`, of those with meshes) and writes
`benchmarks/load.json`. First loads are compared with first loads: MuJoCo's own cache of assets is
cleared, and ours is switched off. The second pair is a load in a process that has loaded the model
before; between them is a load in a new process that finds processed meshes on disk. Kernels are
compiled before anything is measured.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import mujoco
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from benchmarks.machine import ROOT, machine
from conformance.cases import public_folder
from cortenforge.cli.screen import Screen
from cortenforge.compile.assets.random_marks import marked_pixels
from cortenforge.compile.mesh import cache as mesh_cache
from cortenforge.errors import CortenForgeError

__all__ = ["LoadTime", "load_time", "main", "without_cache"]

RESULTS = ROOT / "benchmarks" / "load.json"
SWITCH = "CORTENFORGE_ASSET_CACHE"


@dataclass(frozen=True)
class LoadTime:
    """Milliseconds to load one model, the best of some rounds."""

    model: str
    theirs_first: float
    theirs_again: float
    ours_first: float
    ours_from_disk: float
    ours_again: float

    @property
    def ratio(self) -> float:
        """How many times as long as MuJoCo a first load takes, without any cache."""
        return self.ours_first / self.theirs_first


def load_time(path: Path, rounds: int = 3, name: str = "") -> LoadTime:
    """Load a model with both engines, the first time and again."""
    best = dict.fromkeys(
        ("theirs_first", "theirs_again", "ours_first", "ours_from_disk", "ours_again"), float("inf")
    )

    def timed(what: str, load: Callable[[str], object]) -> None:
        start = time.perf_counter()
        load(str(path))
        best[what] = min(best[what], 1e3 * (time.perf_counter() - start))

    ours, theirs = cf.Model.from_mjcf, mujoco.MjModel.from_xml_path
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # compiles kernels and fills the folder of kept meshes
        ours(str(path))
        for _ in range(rounds):
            with without_cache():
                timed("theirs_first", theirs)
            timed("theirs_again", theirs)
            with without_cache():
                timed("ours_first", ours)
            _forget()
            timed("ours_from_disk", ours)
            timed("ours_again", ours)
    return LoadTime(name or path.name, **best)


def _forget() -> None:
    """Drop what this process keeps of assets."""
    mesh_cache.forget_kept()
    marked_pixels.cache_clear()


@contextlib.contextmanager
def without_cache() -> Iterator[None]:
    """Load as if for the first time: neither engine keeps what it made of assets."""
    mujoco.mj_clearCache(mujoco.mj_getCache())
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "off"
    _forget()
    try:
        yield
    finally:
        os.environ.pop(SWITCH)
        if before is not None:
            os.environ[SWITCH] = before


def _table(times: Sequence[LoadTime]) -> Table:
    table = Table(title=f"loading, ms (MuJoCo {mujoco.__version__})", title_justify="left")
    table.add_column("model", overflow="fold")
    for column in ("MuJoCo", "ours", "ratio", "from disk", "MuJoCo again", "ours again"):
        table.add_column(column, justify="right")
    for one in times:
        numbers = (one.theirs_first, one.ours_first, one.ours_from_disk)
        first, ours, disk = (f"{number:.1f}" for number in numbers)
        again = (f"{one.theirs_again:.1f}", f"{one.ours_again:.1f}")
        table.add_row(one.model, first, ours, f"{one.ratio:.1f}", disk, *again)
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, help="files instead of the public models")
    parser.add_argument("--meshes", action="store_true", help="only public models with meshes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console = Screen()
    named = {str(path): path for path in options.models} or _public(meshes=options.meshes)
    times = []
    for name, path in track(list(named.items()), "loading", console=console):
        try:
            times.append(load_time(path, options.rounds, name))
        except (CortenForgeError, ValueError):
            console.print(f"{name} is refused by one of the engines")
    console.print(_table(times))
    if options.write and not options.models:
        results = {"machine": machine(), "mujoco": mujoco.__version__, "rounds": options.rounds}
        rows = [asdict(one) for one in times]
        RESULTS.write_text(json.dumps({**results, "models": rows}, indent=1) + "\n")
        console.print(f"wrote {RESULTS.relative_to(ROOT)}")
    return 0


def _public(*, meshes: bool) -> dict[str, Path]:
    folder = public_folder()
    if folder is None:
        return {}
    rows = json.loads((folder / "index.json").read_text())
    return {row["path"]: folder / row["path"] for row in rows if row["nmesh"] or not meshes}


if __name__ == "__main__":
    raise SystemExit(main())
