"""`python -m conformance.corpus`: load public models with both engines, compare, take the time.

Writes `conformance/corpus.json`, from which `docs/build_corpus.py` makes a page. Models come from
the folder of public models and from Python packages that carry MJCF; a package is looked for in
CORTENFORGE_PACKAGES (or out/packages, where `make packages` puts them), then among those that are
installed. Packages are read, never imported.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
from rich.console import Console
from rich.progress import track

import cortenforge as cf
from benchmarks.load import without_cache
from conformance.cases import ROOT, packages_folder, public_cases, public_folder
from conformance.fieldwise import reason
from cortenforge.cli.screen import Screen
from cortenforge.compare import compare_model
from cortenforge.compare.oracle import muted_warnings

__all__ = ["Collection", "Entry", "Loaded", "collections", "load_both", "main"]

RESULTS = Path(__file__).with_name("corpus.json")
TOLERANCE = 1e-9
#: a model is loaded this often, without caches, and the fastest counts; slow ones are loaded once
ROUNDS = 3
SLOW = 2.0


@dataclass(frozen=True)
class Entry:
    """One model: a file, or text with its assets in memory."""

    name: str
    source: Path
    assets: dict[str, bytes] | None = None

    def ours(self) -> cf.Model:
        if self.assets is None:
            return cf.Model.from_mjcf(self.source)
        return cf.Model.from_mjcf(self.source.read_text(), self.assets)

    def theirs(self) -> Any:
        if self.assets is None:
            return mujoco.MjModel.from_xml_path(str(self.source))
        return mujoco.MjModel.from_xml_string(self.source.read_text(), self.assets)


@dataclass(frozen=True)
class Collection:
    """Models of one origin; `missing` says why there are none."""

    title: str
    version: str = ""
    entries: list[Entry] = field(default_factory=list)
    missing: str = ""


@dataclass
class Loaded:
    """What became of one model in both engines."""

    name: str
    mujoco_error: str = ""  # why MuJoCo does not load it
    refused: str = ""  # why CortenForge does not
    differing: list[str] = field(default_factory=list)
    fields: int = 0  # sizes, arrays, settings and lists of names that were compared
    nbody: int = 0
    nmesh: int = 0
    nflex: int = 0
    nplugin: int = 0
    ours_ms: float = 0.0
    theirs_ms: float = 0.0


# ---------------------------------------------------------------------- where models are


#: title, package, files in it
PACKAGES = (
    ("Gymnasium", "gymnasium", "envs/mujoco/assets/*.xml"),
    ("Gymnasium-Robotics", "gymnasium_robotics", "envs/**/*.xml"),
    ("dm_control, other than the suite", "dm_control", "[!s]*/**/*.xml"),
    ("Meta-World", "metaworld", "assets/**/*.xml"),
    ("robosuite", "robosuite", "models/**/*.xml"),
    ("MuJoCo Playground", "mujoco_playground", "**/*.xml"),
    ("Safety-Gymnasium", "safety_gymnasium", "**/*.xml"),
)
#: title and folder among the public models
PUBLIC = (
    ("Menagerie", "menagerie"),
    ("MuJoCo's models", "mujoco"),
    ("MuJoCo's models, brought to 4.0", "mujoco_migrated"),
    ("MuJoCo's test models", "mujoco_tests"),
    ("MJX's test models", "mjx_tests"),
)


def collections() -> Iterator[Collection]:
    """Everything that can be found, and a note for everything that cannot."""
    yield _suite()
    for title, package, pattern in PACKAGES:
        folder = _package(package)
        if folder is None:
            yield Collection(title, missing=f"package {package} is not there")
        else:
            files = sorted(folder.glob(pattern))
            entries = [Entry(str(file.relative_to(folder)), file) for file in files]
            yield Collection(title, _version(folder), entries)
    for title, name in PUBLIC:
        cases = [case for case in public_cases() if case.name.split("/")[0] == name]
        missing = "" if public_folder() else "no folder of public models"
        entries = [Entry(case.name.removeprefix(f"{name}/"), Path(case.source)) for case in cases]
        yield Collection(title, entries=entries, missing=missing)


def _suite() -> Collection:
    """dm_control's suite: as there, every model is a text that finds its files in memory."""
    title, package = "dm_control's suite", _package("dm_control")
    if package is None:
        return Collection(title, missing="package dm_control is not there")
    folder = package / "suite"
    shared = {f"./common/{file.name}": file.read_bytes() for file in folder.glob("common/*.xml")}
    entries = []
    for file in sorted(folder.glob("*.xml")):
        own = (folder / f"{file.stem}_assets").glob("*")
        assets = shared | {asset.name: asset.read_bytes() for asset in own}
        entries.append(Entry(file.name, file, assets))
    return Collection(title, _version(package), entries)


def _package(name: str) -> Path | None:
    """Folder of a package."""
    folder = packages_folder() / name
    if folder.is_dir():
        return folder
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _version(package: Path) -> str:
    """Version of a package, from the folder that pip writes beside it."""
    for folder in package.parent.glob("*.dist-info"):
        tops = folder / "RECORD"
        if tops.is_file() and f"\n{package.name}/" in "\n" + tops.read_text(errors="replace"):
            return folder.name.removesuffix(".dist-info").rpartition("-")[2]
    return ""


# ---------------------------------------------------------------------- both engines


def load_both(entry: Entry, rounds: int = ROUNDS) -> Loaded:
    """Load a model with both engines, compare every field, and take the time."""
    found = Loaded(entry.name)
    with warnings.catch_warnings(), muted_warnings():
        warnings.simplefilter("ignore", cf.MjcfWarning)
        try:
            reference, found.theirs_ms = _timed(entry.theirs, rounds)
        except ValueError as error:
            found.mujoco_error = " ".join(str(error).split())
            return found
        for size in ("nbody", "nmesh", "nflex", "nplugin"):
            setattr(found, size, int(getattr(reference, size)))
        try:
            model, found.ours_ms = _timed(entry.ours, rounds)
        except cf.MjcfError as error:
            found.refused = reason(error)
            return found
    compared = compare_model(model, reference, TOLERANCE)
    found.fields = len(compared)
    found.differing = [str(diff) for diff in compared if not diff.ok]
    return found


def _timed(load: Callable[[], Any], rounds: int) -> tuple[Any, float]:
    """What is loaded, and the milliseconds of the fastest load."""
    best, result = float("inf"), None
    for _ in range(rounds):
        with without_cache():
            began = time.perf_counter()
            result = load()
            best = min(best, time.perf_counter() - began)
        if best > SLOW:
            break
    return result, 1e3 * best


# ---------------------------------------------------------------------- the whole corpus


def main(arguments: Sequence[str] | None = None) -> int:
    """Load everything; exit status 1 when a model differs."""
    parser = argparse.ArgumentParser(prog="python -m conformance.corpus", description=__doc__)
    parser.add_argument("--only", default="", help="part of the titles of collections to load")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="loads of each model")
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    options = parser.parse_args(arguments)
    console = Screen()
    report = []
    for collection in collections():
        if options.only.lower() not in collection.title.lower():
            continue
        if collection.missing:
            console.print(f"[yellow]{collection.title} skipped[/]: {collection.missing}")
        bar = track(collection.entries, description=f"{collection.title:34}", console=console)
        loaded = [load_both(entry, options.rounds) for entry in bar]
        _print(console, loaded)
        report.append(
            {
                "title": collection.title,
                "version": collection.version,
                "missing": collection.missing,
                "models": [_plain(one) for one in loaded],
            }
        )
    if options.write and not options.only:
        header = {"mujoco": mujoco.__version__, "tolerance": TOLERANCE, "rounds": options.rounds}
        RESULTS.write_text(json.dumps(header | {"collections": report}, indent=1) + "\n")
        console.print(f"wrote {RESULTS.relative_to(ROOT)}")
    return int(any(one["differing"] for part in report for one in part["models"]))


def _print(console: Console, loaded: list[Loaded]) -> None:
    for one in loaded:
        if one.differing:
            console.print(f"[red]{one.name} differs[/]: {'; '.join(one.differing[:3])}")
        elif one.refused:
            console.print(f"{one.name} refused: {one.refused}", highlight=False)


def _plain(one: Loaded) -> dict[str, Any]:
    """For a report that says nothing of this machine: no folders, times to three digits."""
    hidden = re.compile(r"'?/[^' ]*/([^/' ]+)'?")
    return vars(one) | {
        "mujoco_error": hidden.sub(r"\1", one.mujoco_error),
        "refused": hidden.sub(r"\1", one.refused),
        "ours_ms": float(f"{one.ours_ms:.3g}"),
        "theirs_ms": float(f"{one.theirs_ms:.3g}"),
    }


if __name__ == "__main__":
    raise SystemExit(main())
