"""Deformables: a cloth over a ball by turns with MuJoCo's flex, large cloths, soft bodies, chains.

python -m benchmarks.deformables

Everything on one core, by the clock of the thread; least of several rounds. Prints tables, adds
the numbers to `benchmarks/results.json` and draws `docs/images/deformables_speed.png`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import cortenforge as cf
from benchmarks.criteria import all_met, deformable_criteria
from benchmarks.machine import RESULTS, ROOT
from cortenforge.cli.screen import Screen
from cortenforge.compare import mujoco_module

__all__ = ["FIGURE", "draw", "measure", "tables"]

FIGURE = ROOT / "docs" / "images" / "deformables_speed.png"
FLOOR = '<geom type="plane" size="5 5 1"/>'
#: a frame, and how many substeps it has
FRAME, SUBSTEPS = 1 / 60, 20
ROUNDS = 5
SIDES = (20, 28, 40, 57, 80, 100, 141, 200)

# ---------------------------------------------------------------------- a cloth over a ball

#: vertices along a side of a metre, Young's modulus [Pa], thickness [m], mass [kg]
SIDE, YOUNG, THICK, MASS = 40, 1e5, 1e-3, 0.5
BALL = '<geom name="ball" size=".25" pos="0 0 .5" friction=".5"/>'
#: seconds that are simulated, and how long a turn is
DRAPED, TURN = 2.0, 0.1
#: of all flexes here
RIM = '<contact selfcollide="none" friction=".5"/>'
ELASTIC = (
    f'{RIM}<elasticity young="{YOUNG}" poisson=".3" thickness="{THICK}" elastic2d="both"'
    ' damping="1e-2"/>'
)
#: MuJoCo's ways to make cloth: step, options, contact and elasticity
FLEXES = {
    "the same material, `discrete`": (FRAME, 'integrator="discrete" solver="CG"', ELASTIC),
    "the same material, `discrete`, shorter steps": (
        0.005,
        'integrator="discrete" solver="CG"',
        ELASTIC,
    ),
    "edge equalities, `Euler`": (
        0.005,
        'integrator="Euler" solver="CG"',
        f'{RIM}<edge equality="true" damping=".001" solref=".01 1"/>',
    ),
}


@dataclass(frozen=True)
class Drape:
    """A cloth over a ball: processor seconds a simulated second, and how far it hangs down.

    sag: how far vertices are below the top of the ball, their mean over the last tenth.
    """

    engine: str
    settings: str
    timestep: float
    seconds: float
    sag: float


class Ours:
    """A world of ours with the cloth."""

    name = "CortenForge"

    def __init__(self) -> None:
        text = f'<mujoco><option timestep="{FRAME}" softsubsteps="{SUBSTEPS}"/><worldbody>{BALL}'
        cloth = cf.Cloth.grid(
            SIDE, SIDE, young=YOUNG, poisson=0.3, thickness=THICK, density=MASS / THICK,
            friction=0.5, damping=1, radius=0.005, pos=(0, 0, 0.76),
        )  # fmt: skip
        model = cf.Model.from_mjcf(f"{text}</worldbody></mujoco>").with_deformables([cloth])
        self.data = model.make_data()
        self.data.step()
        self.settings, self.timestep = f"{SUBSTEPS} substeps", FRAME

    def begin(self) -> None:
        """Put the cloth back above the ball."""
        self.data.reset()

    def go(self, until: float) -> None:
        """Simulate up to a time."""
        while self.data.time < until - 1e-9:
            self.data.step()

    def heights(self) -> np.ndarray:
        """Of all vertices."""
        return np.array(self.data.softvert_pos)[:, 2]


class Theirs:
    """The same cloth as one of MuJoCo's flexes."""

    name = "MuJoCo"

    def __init__(self, settings: str) -> None:
        self.mujoco, self.settings = mujoco_module(), settings
        self.timestep, options, elasticity = FLEXES[settings]
        apart = 1 / (SIDE - 1)
        text = (
            f'<mujoco><option timestep="{self.timestep}" {options} tolerance="1e-6"/>'
            '<size memory="200M"/>'
            f'<worldbody>{BALL}<flexcomp name="cloth" type="grid" dim="2" count="{SIDE} {SIDE} 1"'
            f' spacing="{apart} {apart} 1" pos="0 0 .76" radius=".005" mass="{MASS}">'
            f"{elasticity}</flexcomp></worldbody></mujoco>"
        )
        self.model = self.mujoco.MjModel.from_xml_string(text)
        self.data = self.mujoco.MjData(self.model)

    def begin(self) -> None:
        """Put the cloth back above the ball."""
        self.mujoco.mj_resetData(self.model, self.data)

    def go(self, until: float) -> None:
        """Simulate up to a time."""
        while self.data.time < until - 1e-9:
            self.mujoco.mj_step(self.model, self.data)

    def heights(self) -> np.ndarray:
        """Of all vertices."""
        return np.array(self.data.flexvert_xpos)[:, 2]


def drapes(rounds: int) -> list[Drape]:
    """Ours and MuJoCo's, by turns of a tenth of a second; the least time of each turn counts."""
    engines: list[Ours | Theirs] = [Ours(), *(Theirs(settings) for settings in FLEXES)]
    count = round(DRAPED / TURN)
    taken = np.full((len(engines), count), np.inf)
    sags = np.zeros(len(engines))
    for _ in range(rounds):
        for engine in engines:
            engine.begin()
        for turn in range(count):
            for k, engine in enumerate(engines):
                start = time.thread_time()
                engine.go((turn + 1) * TURN)
                taken[k, turn] = min(taken[k, turn], time.thread_time() - start)
        sags = np.array([0.75 - engine.heights().mean() for engine in engines])
    return [
        Drape(engine.name, engine.settings, engine.timestep, float(used.sum() / DRAPED), float(sag))
        for engine, used, sag in zip(engines, taken, sags, strict=True)
    ]


# ---------------------------------------------------------------------- frames


@dataclass(frozen=True)
class Frames:
    """A deformable alone: milliseconds of a frame of 1/60 s."""

    name: str
    vertices: int
    elements: int
    substeps: int
    ms: float


def sheet(side: int, pinned: str | None = "left", young: float = YOUNG) -> cf.Cloth:
    """A cloth of so many vertices a side, whose cells are those of 100 on two metres."""
    wide = 2.0 * (side - 1) / 99
    settings = {"pinned": pinned} if pinned else {}
    return cf.Cloth.grid(
        side, side, size=(wide, wide), young=young, poisson=0.3, density=500, thickness=1e-3,
        damping=1, pos=(0, 0, 2), **settings,
    )  # fmt: skip


def frames_of(
    body: cf.Deformable, name: str, frames: int = 30, things: str = FLOOR, substeps: int = SUBSTEPS
) -> Frames:
    """What a frame costs while the body moves: the least of some runs of frames."""
    text = f'<mujoco><option timestep="{FRAME}" softsubsteps="{substeps}" softsleep="0"/>'
    model = cf.Model.from_mjcf(f"{text}<worldbody>{things}</worldbody></mujoco>")
    data = model.with_deformables([body]).make_data()
    data.step(10)
    ms = 1e3 * least(lambda: data.step(frames)) / frames
    return Frames(name, len(body.rest), len(body.cells), substeps, ms)


def least(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Least processor time of a few calls, in seconds."""
    taken = []
    for _ in range(rounds):
        start = time.thread_time()
        call()
        taken.append(time.thread_time() - start)
    return min(taken)


def growth() -> list[Frames]:
    """Cloths of more and more vertices, each as fine as the others."""
    return [
        frames_of(sheet(side), "cloth that swings", max(3, min(60, 150_000 // side**2)))
        for side in SIDES
    ]


def others() -> list[Frames]:
    """A large cloth over a ball, soft bodies that fall on a floor, a chain that swings."""
    ball = '<geom size=".7" pos="0 0 1.29"/>'
    stiff = sheet(100, young=1e6)
    found = [
        frames_of(stiff, "cloth that swings, Young 1e6 Pa", 30, substeps=60),
        frames_of(sheet(100, None), "cloth over a ball", 30, ball),
    ]
    for count in (6, 12, 24):
        body = cf.SoftBody.box(count, (0.5, 0.5, 0.5), material="soft_tissue", pos=(0, 0, 0.3))
        found.append(frames_of(body, "soft body on a floor", 20))
    chain = cf.CapsuleChain.line((0, 0, 2), (2, 0, 2), 100, young=1e7, pinned="first")
    return [*found, frames_of(chain, "chain that swings, Young 1e7 Pa", 60, substeps=150)]


# ---------------------------------------------------------------------- all of it


def measure(rounds: int = 2) -> dict[str, Any]:
    """Everything, as plain numbers."""
    return {
        "drapes": [asdict(one) for one in drapes(rounds)],
        "growth": [asdict(one) for one in growth()],
        "others": [asdict(one) for one in others()],
    }


def tables(found: dict[str, Any]) -> list[Table]:
    """Numbers for the terminal."""
    race = Table("engine", "settings", "step, ms", "s a simulated second", "sag, m", "ratio")
    ours = found["drapes"][0]["seconds"]
    for row in found["drapes"]:
        race.add_row(
            row["engine"], row["settings"], f"{1e3 * row['timestep']:.2f}",
            f"{row['seconds']:.3f}", f"{row['sag']:.3f}", f"{row['seconds'] / ours:.1f}",
        )  # fmt: skip
    sizes = Table("deformable", "vertices", "elements", "ms a frame", "us a vertex")
    for row in [*found["growth"], *found["others"]]:
        each = 1e3 * row["ms"] / row["vertices"]
        numbers = (f"{row['vertices']:,}", f"{row['elements']:,}", f"{row['ms']:.2f}")
        sizes.add_row(row["name"], *numbers, f"{each:.2f}")
    return [race, sizes]


def draw(results: dict[str, Any]) -> None:
    """Milliseconds of a frame against vertices, both axes logarithmic."""
    from benchmarks.growth import by_powers
    from cortenforge.cli.plot import RUST, STEEL, matplotlib_pyplot

    plt = matplotlib_pyplot()
    rows = results["deformables"]["growth"]
    vertices, times = ([row[key] for row in rows] for key in ("vertices", "ms"))
    figure, panel = plt.subplots(figsize=(7.2, 5.0), layout="constrained")
    panel.plot(vertices, times, "o-", color=RUST, lw=2.0, label="cloth")
    line = [times[0] * n / vertices[0] for n in vertices]
    panel.plot(vertices, line, ":", color=STEEL, lw=1.2, label="in proportion to vertices")
    panel.axhline(1e3 * FRAME, color=STEEL, lw=1.0, ls="--")
    panel.annotate("real time at 60 frames a second", (vertices[0], 1e3 * FRAME), (0, 4),
                   textcoords="offset points", color=STEEL, fontsize=9)  # fmt: skip
    by_powers(panel, vertices)
    panel.set_xlabel("vertices of a cloth, as fine however large it is")
    panel.set_ylabel(f"milliseconds a frame of 1/60 s, {SUBSTEPS} substeps")
    panel.set_title("Cost of a cloth")
    panel.legend(frameon=False, loc="lower right")
    text = f"One core of {results['machine']['processor']}, float64."
    figure.supxlabel(text, fontsize=7.5, color=STEEL, x=0.01, ha="left")
    figure.savefig(FIGURE, dpi=140, facecolor="white")
    plt.close(figure)


def main(arguments: Sequence[str]) -> int:
    """Measure, print, write; 1 if something is too slow."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deformables", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="times that the cloth falls")
    parser.add_argument("--no-write", dest="write", action="store_false", help="only print")
    chosen = parser.parse_args(arguments)
    console: Console = Screen()
    found = measure(chosen.rounds)
    for table in tables(found):
        console.print(table)
    if chosen.write and RESULTS.exists():
        results = json.loads(RESULTS.read_text())
        results["deformables"] = found
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        draw(results)
        for path in (RESULTS, FIGURE):
            console.print(f"wrote {path.relative_to(ROOT)}")
    return 0 if all_met(deformable_criteria(found), console) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
