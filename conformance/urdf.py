"""`python -m conformance.urdf FOLDER...`: URDF robots, array by array against MuJoCo.

Robots are all `.urdf` files below the folders given, or below those in the environment variable
CORTENFORGE_URDF, and among the public models. A good collection is the package
`example-robot-data`: `pip download --no-deps example-robot-data`, and unpack it.

MuJoCo knows no packages and no Collada meshes. It gets the same text with file names replaced by
the files that CortenForge finds; collisions with Collada meshes are taken out for both. A robot
whose inertia cannot exist is tried again with the compiler's help, for both.
"""

from __future__ import annotations

import argparse
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
from lxml import etree

import cortenforge as cf
from conformance.cases import ROOT, public_folder
from conformance.urdf_generate import MESHES, random_urdf
from cortenforge.cli.screen import Screen
from cortenforge.compare import compare_model
from cortenforge.compare.oracle import muted_warnings
from cortenforge.fields import PLACES
from cortenforge.grammar.node import Node
from cortenforge.read.urdf.packages import Packages
from cortenforge.spec.files import Library

__all__ = ["Outcome", "compare_random", "compare_robot", "main", "robots"]

PAGE = ROOT / "docs" / "urdf.md"
VARIABLE = "CORTENFORGE_URDF"
COLLADA = ".dae"
#: axes of nearly equal moments multiply rounding: one robot, a hand, is 5e-10 away
TOLERANCE = 1e-9
#: settings that make inertias possible; the second try of a robot that MuJoCo refuses
HELP = {"balanceinertia": "true", "boundmass": "1e-6", "boundinertia": "1e-6"}


@dataclass
class Outcome:
    """What became of one robot; `model` is None when it was refused."""

    name: str
    collection: str
    model: cf.Model | None = None
    differing: tuple[str, ...] = ()
    refused: str = ""  # by CortenForge
    refused_there: str = ""  # by MuJoCo
    notes: tuple[str, ...] = ()

    @property
    def equal(self) -> bool:
        return self.model is not None and not self.differing and not self.refused_there

    @property
    def ok(self) -> bool:
        """Equal, or refused by both engines, or more than MuJoCo can."""
        return not self.differing and (not self.refused or bool(self.refused_there))

    @property
    def result(self) -> str:
        if self.differing:
            text = "differs: " + ", ".join(self.differing[:4])
        elif self.refused:
            text = "refused by both: " if self.refused_there else "refused: "
            text += self.refused
        else:
            text = f"loads; MuJoCo refuses: {self.refused_there}" if self.refused_there else "equal"
        # whole paths say nothing elsewhere
        return "; ".join([re.sub(r"'[^']*/([^'/]*)'", r"'\1'", text), *self.notes])


def robots(folders: Iterable[str | Path] = ()) -> list[tuple[Path, str]]:
    """URDF files, each with its collection: the folder, below one of those given, that it is in.

    Without folders, those that the environment names, and the public models.
    """
    places = [Path(folder) for folder in folders]
    if not places:
        given = os.environ.get(VARIABLE, "")
        places = [Path(folder) for folder in given.split(os.pathsep) if folder]
        if (public := public_folder()) is not None:
            places.append(public)
    return [
        (file, file.relative_to(place).parts[0])
        for place in places
        for file in sorted(place.rglob("*.urdf"))
    ]


def compare_robot(file: Path, collection: str = "", *, helped: bool = False) -> Outcome:
    """Both engines on one file."""
    outcome = Outcome(_name(file), collection)
    try:
        text, left_out = _rewritten(file, HELP if helped else {})
    except (etree.XMLSyntaxError, OSError) as problem:
        outcome.refused = outcome.refused_there = f"cannot be parsed ({type(problem).__name__})"
        return outcome
    if left_out:
        outcome.notes += (f"{left_out} Collada collisions left out",)
    if helped:
        outcome.notes += ("with inertia balanced and bounded",)
    # the file itself, if nothing had to be changed for both
    source: str | Path = text if left_out or helped else file
    reference = _reference(text, outcome)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.MjcfWarning)
            outcome.model = cf.Model.from_urdf(source)
    except cf.UrdfError as error:
        outcome.refused = error.message
    if outcome.model is not None and reference is not None:
        rows = compare_model(outcome.model, reference, TOLERANCE)
        outcome.differing = tuple(row.name for row in rows if not row.ok and row.name not in PLACES)
    if not helped and "inertia" in outcome.refused_there:
        return compare_robot(file, collection, helped=True)
    return outcome


def _reference(text: str, outcome: Outcome) -> Any:
    try:
        with muted_warnings():
            return mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        outcome.refused_there = str(error).strip().splitlines()[0].removeprefix("Error: ")
        return None


def _name(file: Path) -> str:
    """The file's name, with the folder that describes the robot: files are often called robot."""
    above = [part for part in file.parts[:-1] if part not in ("urdf", "robots")]
    return f"{above[-1].removesuffix('_description')}/{file.stem}" if above else file.stem


def _rewritten(file: Path, settings: dict[str, str]) -> tuple[str, int]:
    """Text with whole paths of files and these settings; collisions that were taken out."""
    root = etree.parse(str(file), etree.XMLParser(remove_comments=True)).getroot()
    compiler = root.find("mujoco/compiler")
    given = {} if compiler is None else dict(compiler.attrib)
    folder = os.path.abspath(file.parent / str(given.get("meshdir", given.get("assetdir", ""))))
    stripped = given.get("strippath") == "true"
    packages = Packages(Library(str(file.parent)))
    left_out = 0
    for mesh in list(root.iter("mesh")):
        name = str(mesh.get("filename", ""))
        shape = mesh.getparent().getparent() if mesh.getparent() is not None else None
        if name.lower().endswith(COLLADA) and shape is not None and shape.tag == "collision":
            shape.getparent().remove(shape)
            left_out += 1
        elif not stripped:
            mesh.set("filename", _whole(name, folder, packages))
    if stripped or settings:
        _set(root, settings | ({"meshdir": folder} if stripped else {}))
    return etree.tostring(root, encoding="unicode"), left_out


def _whole(name: str, folder: str, packages: Packages) -> str:
    """The path of a mesh; a name that leads nowhere stays, and is refused by both engines."""
    mesh = Node("mesh", cf.errors.Location(), {"filename": name})
    try:
        return os.path.join(folder, packages.locate(name.replace("\\", "/"), mesh))
    except cf.UrdfError:
        return name


def _set(root: Any, settings: dict[str, str]) -> None:
    section = root.find("mujoco")
    if section is None:
        section = etree.SubElement(root, "mujoco")
    compiler = section.find("compiler")
    if compiler is None:
        compiler = etree.SubElement(section, "compiler")
    compiler.attrib.update(settings)


def compare_random(first: int, count: int) -> Iterator[Outcome]:
    """Random robots."""
    for seed in range(first, first + count):
        text = random_urdf(seed)
        outcome = Outcome(f"seed {seed}", "random")
        with warnings.catch_warnings(), muted_warnings():
            warnings.simplefilter("ignore", cf.MjcfWarning)
            outcome.model = cf.Model.from_urdf(text, MESHES)
            reference = mujoco.MjModel.from_xml_string(text, MESHES)
        rows = compare_model(outcome.model, reference)
        outcome.differing = tuple(row.name for row in rows if not row.ok)
        yield outcome


def table(outcomes: Sequence[Outcome]) -> str:
    """Collections, then robots, in Markdown."""
    lines = ["| from | files | equal | refused by both | other |", "|---|---:|---:|---:|---:|"]
    for name in dict.fromkeys(one.collection for one in outcomes):
        some = [one for one in outcomes if one.collection == name]
        equal = sum(one.equal for one in some)
        both = sum(bool(one.refused and one.refused_there) for one in some)
        lines.append(f"| {name} | {len(some)} | {equal} | {both} | {len(some) - equal - both} |")
    lines += [
        "",
        "| robot | from | bodies | dofs | geoms | meshes | arrays |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for one in outcomes:
        sizes = ("nbody", "nv", "ngeom", "nmesh")
        numbers = [str(one.model.sizes[size]) if one.model else "" for size in sizes]
        lines.append(f"| {one.name} | {one.collection} | {' | '.join(numbers)} | {one.result} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare robots, then random ones; exit status 1 when any differs."""
    parser = argparse.ArgumentParser(prog="python -m conformance.urdf", description=__doc__)
    parser.add_argument("folders", nargs="*", help="folders with URDF files")
    parser.add_argument("--random", type=int, default=200, help="random robots")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    options = parser.parse_args(arguments)
    console = Screen()
    found = robots(options.folders)
    if not found:
        console.print(f"[yellow]no robots[/]: name folders, or set {VARIABLE}")
    outcomes = []
    for file, collection in found:
        outcomes.append(compare_robot(file, collection))
        told = f"{outcomes[-1].name}: {outcomes[-1].result}"
        console.print(told, highlight=False, soft_wrap=True)
    drawn = list(compare_random(0, options.random))
    for one in (one for one in drawn if not one.equal):
        console.print(f"{one.name}: {one.result}", highlight=False, soft_wrap=True)
    equal, differing = sum(one.equal for one in outcomes), [o for o in outcomes if not o.ok]
    console.print(
        f"{len(outcomes)} robots: {equal} equal, {len(differing)} differ; "
        f"{len(drawn)} random ones: {sum(not one.equal for one in drawn)} differ"
    )
    if options.write and outcomes:
        text = re.sub(
            r"(<!-- robots -->\n).*?(?=<!-- /robots -->)",
            lambda match: match[1] + table(outcomes) + "\n",
            PAGE.read_text(),
            flags=re.DOTALL,
        )
        PAGE.write_text(text)
    return 1 if differing or any(not one.equal for one in drawn) else 0


if __name__ == "__main__":
    raise SystemExit(main())
