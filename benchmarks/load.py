"""`python -m benchmarks.load`: how long models take to load, against MuJoCo.

Prints a table of robots that have meshes or textures, of all public models (`--public`), or of
files, and writes `benchmarks/load.json` for the public ones. Each number is the best of some rounds
by turns, in one process that has loaded the model before, so that kernels are compiled and loaded.

first:     MuJoCo with an empty cache of assets; ours with an empty cache folder and nothing in
           memory. What ours keeps for later loads is written meanwhile.
uncached:  ours with all caches off: nothing is read and nothing is kept.
from disk: ours with nothing in memory, as a new process that finds the model on disk.
again:     both as they are after these. MuJoCo's cache has processed meshes and textures, and looks
           at the dates of their files; ours has compiled models, and looks at status or contents.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import mujoco
from rich.console import Console
from rich.progress import track
from rich.table import Table

import cortenforge as cf
from benchmarks.machine import ROOT, machine
from benchmarks.subjects import menagerie_file
from conformance.cases import packages_folder, public_folder
from cortenforge import model_cache
from cortenforge.cli.screen import Screen
from cortenforge.compile.assets.random_marks import marked_pixels
from cortenforge.compile.mesh import cache as mesh_cache
from cortenforge.errors import CortenForgeError

__all__ = ["LoadTime", "load_time", "main", "measure", "robots", "table_of"]

RESULTS = ROOT / "benchmarks" / "load.json"
#: variables of the environment that say where and whether something is kept
VARIABLES = (
    "CORTENFORGE_CACHE",
    "CORTENFORGE_SHARED_CACHE",
    "CORTENFORGE_ASSET_CACHE",
    "CORTENFORGE_MODEL_CACHE",
)
#: robots with meshes or textures, in MuJoCo's Menagerie
MENAGERIE = {
    "G1": "unitree_g1/g1.xml",
    "panda": "franka_emika_panda/panda.xml",
    "shadow hand": "shadow_hand/right_hand.xml",
    "cassie": "agility_cassie/cassie.xml",
    "allegro": "wonik_allegro/right_hand.xml",
    "crazyflie": "bitcraze_crazyflie_2/cf2.xml",
}
#: a quadruped with a skin, in dm_control
DOG = "dm_control/suite/dog.xml"


@dataclass(frozen=True)
class LoadTime:
    """Milliseconds to load one model, the best of some rounds."""

    model: str
    theirs_first: float
    theirs_again: float
    ours_first: float
    ours_uncached: float
    ours_from_disk: float
    ours_again: float

    @property
    def first(self) -> float:
        """How many times as long as MuJoCo a first load takes."""
        return self.ours_first / self.theirs_first

    @property
    def again(self) -> float:
        """How many times as long as MuJoCo a later load takes."""
        return self.ours_again / self.theirs_again


def load_time(path: Path, rounds: int = 3, name: str = "") -> LoadTime:
    """Load a model with both engines, the first time and again."""
    best = dict.fromkeys((row for row in LoadTime.__annotations__ if row != "model"), float("inf"))

    def timed(what: str, load: Callable[[str], object]) -> None:
        start = time.perf_counter()
        load(str(path))
        best[what] = min(best[what], 1e3 * (time.perf_counter() - start))

    ours, theirs = cf.Model.from_mjcf, mujoco.MjModel.from_xml_path
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with without_cache():
            # compiles and loads kernels
            ours(str(path))
        for _ in range(rounds):
            mujoco.mj_clearCache(mujoco.mj_getCache())
            timed("theirs_first", theirs)
            timed("theirs_again", theirs)
            with without_cache():
                timed("ours_uncached", ours)
            with tempfile.TemporaryDirectory() as folder, _caches(CORTENFORGE_CACHE=folder):
                timed("ours_first", ours)
                _forget()
                timed("ours_from_disk", ours)
                timed("ours_again", ours)
    return LoadTime(name or path.name, **best)


def _forget() -> None:
    """Drop what this process keeps of models and assets."""
    model_cache.forget_kept()
    mesh_cache.forget_kept()
    marked_pixels.cache_clear()


def without_cache() -> contextlib.AbstractContextManager[None]:
    """Context in which nothing is read from a cache or kept in one."""
    return _caches(CORTENFORGE_ASSET_CACHE="off")


@contextlib.contextmanager
def _caches(**chosen: str) -> Iterator[None]:
    """Context in which only these variables are set, and nothing is in memory."""
    before = {name: os.environ.pop(name, None) for name in VARIABLES}
    os.environ.update(chosen)
    _forget()
    try:
        yield
    finally:
        _forget()
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def robots() -> dict[str, Path | None]:
    """The bundled humanoid and robots by name; None where this machine lacks one."""
    dog = packages_folder() / DOG
    return {
        "humanoid": Path(cf.models.find("humanoid")),
        **{name: menagerie_file(path) for name, path in MENAGERIE.items()},
        "dog": dog if dog.is_file() else None,
    }


def measure(console: Console, rounds: int = 5) -> dict[str, object]:
    """Loads of robots, and which of them this machine lacks."""
    found = {name: path for name, path in robots().items() if path is not None}
    times = [
        load_time(path, rounds, name)
        for name, path in track(list(found.items()), "loading", console=console)
    ]
    missing = [name for name, path in robots().items() if path is None]
    return {"rows": [asdict(one) for one in times], "missing": missing}


def table_of(times: Sequence[LoadTime]) -> Table:
    """Loads as a table."""
    table = Table(title=f"loading, ms (MuJoCo {mujoco.__version__})", title_justify="left")
    table.add_column("model", overflow="fold")
    for column in ("MuJoCo first", "ours", "ratio", "uncached", "from disk"):
        table.add_column(column, justify="right")
    for column in ("MuJoCo again", "ours", "ratio"):
        table.add_column(column, justify="right")
    for one in times:
        first = (one.theirs_first, one.ours_first), (one.ours_uncached, one.ours_from_disk)
        again = (one.theirs_again, one.ours_again)
        texts = [[f"{number:.1f}" for number in pair] for pair in (*first, again)]
        ratios = f"{one.first:.2f}", f"{one.again:.2f}"
        table.add_row(one.model, *texts[0], ratios[0], *texts[1], *texts[2], ratios[1])
    table.caption = (
        "first: MuJoCo's cache of assets and our cache folder are empty, and are filled; "
        "again: the same process; uncached: ours without caches; from disk: as a new process"
    )
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, help="files instead of robots")
    parser.add_argument("--public", action="store_true", help="all public models, and write")
    parser.add_argument("--meshes", action="store_true", help="only public models with meshes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console = Screen()
    public = options.public or options.meshes
    known = {name: path for name, path in robots().items() if path is not None}
    named = {str(path): path for path in options.models} or (
        _public(meshes=options.meshes) if public else known
    )
    times = []
    for name, path in track(list(named.items()), "loading", console=console):
        try:
            times.append(load_time(path, options.rounds, name))
        except (CortenForgeError, ValueError):
            console.print(f"{name} is refused by one of the engines")
    console.print(table_of(times))
    if options.write and public and not options.models:
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
