"""Runs all parts in an environment of their own, and writes the report.

python -m conformance.clients [PART ...] [--steps N] [--again]

Results are kept in out/clients as they come, so that a run that was stopped goes on where it was;
`--again` forgets them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.progress import Progress

ROOT = Path(__file__).parents[2]
HOME = ROOT / "out" / "clients"
REPORT = HOME / "report.json"
#: what clients are compared with, and what they need; they pin other versions of `mujoco`, so that
#: they are installed without what they ask for
NEEDED = (
    "mujoco==4.0.0", "gymnasium==1.4.0", "imageio", "absl-py", "dm-env", "dm-tree", "glfw",
    "labmaze", "lxml", "pyopengl", "pyparsing", "protobuf", "requests", "scipy", "tqdm",
    "pettingzoo", "Jinja2", "numba", "trimesh", "pillow", "rich", "typer", "termcolor",
    "opencv-python-headless", "h5py", "packaging", "pynput", "qpsolvers[quadprog]", "mink",
)  # fmt: skip
#: part -> package, and module that it needs
PARTS = {
    "gymnasium": ("gymnasium==1.4.0", "gymnasium"),
    "dm_control": ("dm_control==1.0.50", "dm_control"),
    "composer": ("dm_control==1.0.50", "dm_control"),
    "gymnasium-robotics": ("gymnasium-robotics==1.4.2", "gymnasium_robotics"),
    "metaworld": ("metaworld==3.1.1", "metaworld"),
    "robosuite": ("robosuite==1.5.2", "robosuite"),
}


def python() -> Path:
    """The interpreter of the environment, which is made if it is not there."""
    found = HOME / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not found.exists():
        venv.create(HOME / "venv", with_pip=True)
        install(found, *NEEDED)
        for package, _ in PARTS.values():
            install(found, "--no-deps", package)
    return found


def install(interpreter: Path, *packages: str) -> bool:
    """Install packages; whether they could be had."""
    command = [str(interpreter), "-m", "pip", "install", "--quiet", *packages]
    return subprocess.run(command, check=False).returncode == 0


def lines_of(interpreter: Path, *arguments: str) -> Iterator[dict[str, Any]]:
    """The results that a module of this folder prints, as it prints them."""
    command = [str(interpreter), "-m", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MUJOCO_GL": "glfw"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                yield json.loads(line)


def results(interpreter: Path, part: str, steps: int) -> list[dict[str, Any]]:
    """Results of a part; none if its package could not be had."""
    module = PARTS[part][1]
    tried = subprocess.run(
        [str(interpreter), "-c", f"import importlib.util as u; assert u.find_spec('{module}')"],
        capture_output=True,
        check=False,
    )
    if tried.returncode:
        print(f"{part}: skipped, the package {PARTS[part][0]} could not be installed")
        return []
    file = HOME / f"{part}-{steps}.jsonl"
    # those of Gymnasium take a minute together, and are compared with one recording
    found = [] if part == "gymnasium" else kept_rows(file)
    for row in found:
        print(f"  {sentence(row)} (kept)")
    with file.open("a", encoding="utf-8") as kept, Progress() as progress:
        bar = progress.add_task(part, total=None)
        for row in rows_of(interpreter, part, steps, [row["task"] for row in found]):
            if "tasks" in row:
                progress.update(bar, total=row["tasks"])
                continue
            progress.console.print(f"  {sentence(row)}", markup=False, highlight=False)
            progress.advance(bar)
            found.append(row)
            print(json.dumps(row), file=kept, flush=True)
    return found


def rows_of(interpreter: Path, part: str, steps: int, known: list[str]) -> Iterator[dict[str, Any]]:
    """What the tasks of a part print, but those that are known."""
    given = ("--steps", str(steps))
    if part != "gymnasium":
        return lines_of(interpreter, "conformance.clients.run", part, *given, "--without", *known)
    file = str(HOME / "gymnasium.npz")
    list(lines_of(interpreter, "conformance.clients.twice", "real", file, *given))
    return lines_of(interpreter, "conformance.clients.twice", "ours", file, *given)


def kept_rows(file: Path) -> list[dict[str, Any]]:
    """Results of an earlier run, without tasks that failed."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.endswith("}")]
    return [row for row in rows if not row.get("failed")]


def sentence(row: dict[str, Any]) -> str:
    """A result in words."""
    if row.get("failed"):
        return f"{row['task']}: {row['failed']}"
    if "obs" in row:
        ends = "the same ends" if row["same_ends"] else "OTHER ENDS"
        return f"{row['task']}: observations {row['obs']:.1e}, rewards {row['reward']:.1e}, {ends}"
    text = f"{row['task']}: {row['steps']} steps, at most {row['worst']:.1e} apart"
    if row["beyond"]:
        text += f" ({row['where']}); steps beyond the bound: {row['beyond']}; {row['rows']}"
    if row["ties"]:
        text += f"; other contacts in {sum(row['ties'].values())} steps ({row['contacts']})"
    if row["unfinished"]:
        text += (
            f"; {row['unfinished']} steps in which solvers stop at their tolerance, at most "
            f"{row['by_tolerance']:.1e} apart: from the solution, ours {row['ours_from_end']:.1e}, "
            f"MuJoCo's {row['theirs_from_end']:.1e}"
        )
    if row["unloaded"]:
        text += f"; MuJoCo cannot load the model: {row['unloaded'][0]}"
    return text


def passed(row: dict[str, Any]) -> bool:
    """Whether a task ran, and agreed wherever MuJoCo could take part."""
    if row.get("failed"):
        return False
    return row["close"] and row["same_ends"] if "obs" in row else not row["beyond"]


def main() -> None:
    """Run parts, print their results, write the report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--again", action="store_true", help="forget results of earlier runs")
    given = parser.parse_args()
    HOME.mkdir(parents=True, exist_ok=True)
    interpreter = python()
    if given.again:
        for file in HOME.glob("*.jsonl"):
            file.unlink()
    report = {}
    for part in given.parts or list(PARTS):
        print(part)
        report[part] = results(interpreter, part, given.steps)
        good = sum(map(passed, report[part]))
        print(f"{part}: {good} of {len(report[part])} run and agree")
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
