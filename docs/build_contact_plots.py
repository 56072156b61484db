"""Draw the plots of docs/constraints.md, from simulations.

python docs/build_contact_plots.py [softness] [friction] [solvers]    all plots, or those named
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.cli.plot import DARK, LINE_COLOURS_OF_PLOTS, RUST, SAND, STEEL, matplotlib_pyplot
from cortenforge.enums import Disable, Solver

IMAGES = Path(__file__).parent / "images"
GRAVITY = 9.81
#: MuJoCo's default
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)

BALL = """
<mujoco><option timestep="{step}" cone="elliptic"/><worldbody>
<geom type="plane" size="1 1 1" priority="-1"/>
<body pos="0 0 {height}"><joint type="slide" axis="0 0 1"/>
<geom size=".1" mass="1" condim="1" solref="{solref}" solimp="{solimp}"/></body>
</worldbody></mujoco>
"""
BLOCK = """
<mujoco><option cone="{cone}" gravity="{down} 0 {press}"/><worldbody>
<geom type="plane" size="0 0 1" friction="{mu} 0 0"/>
<body pos="0 0 .0999"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
<joint type="slide" axis="0 0 1"/><geom type="box" size=".2 .2 .1" friction="{mu} 0 0"/></body>
</worldbody></mujoco>
"""
#: a box of 0.2 kg between two pads that press with 10 N each
PINCH = """
<mujoco><default><joint damping="5"/></default><worldbody>
<body pos="-.07 0 0"><joint name="left" type="slide" axis="1 0 0"/>
<geom type="box" size=".02 .03 .03" mass=".1"/></body>
<body pos=".07 0 0"><joint name="right" type="slide" axis="-1 0 0"/>
<geom type="box" size=".02 .03 .03" mass=".1"/></body>
<body name="box"><freejoint/><geom type="box" size=".05 .05 .05" mass=".2"/></body>
</worldbody><actuator><motor joint="left"/><motor joint="right"/></actuator></mujoco>
"""


def words(numbers: Any) -> str:
    return " ".join(f"{x:g}" for x in numbers)


def ball(height: float, solref: Any, solimp: Any = SOLIMP, step: float = 0.001) -> cf.Data:
    text = BALL.format(height=height, solref=words(solref), solimp=words(solimp), step=step)
    return cf.Model.from_mjcf(text).make_data()


# ---------------------------------------------------------------------- solref and solimp


def softness(figure: Any) -> None:
    left, middle, right = figure.subplots(1, 3)
    curves = (
        ((0.9, 0.95, 0.001, 0.5, 2), "default"),
        ((0.5, 0.95, 0.003, 0.5, 2), "0.5 0.95 0.003"),
        ((0.2, 0.98, 0.003, 0.2, 4), "0.2 0.98 0.003 0.2 4"),
    )
    _impedance(left, curves)
    _rest(middle)
    _drops(right)


def _impedance(panel: Any, curves: Any) -> None:
    """Impedance d of the rows, from balls held at a depth."""
    panel.set_title("impedance by depth")
    depths = np.linspace(0, 0.004, 81)[1:]
    for (solimp, name), colour in zip(curves, LINE_COLOURS_OF_PLOTS, strict=False):
        data, found = ball(0.1, (0.02, 1), solimp), []
        for depth in depths:
            data.qpos[0] = -depth
            data.forward()
            found.append(data.efc_KBIP[0, 2])
        panel.plot(1e3 * depths, found, color=colour, label=name)
    panel.set_xlabel("depth [mm]")
    panel.set_ylabel("d")
    panel.set_ylim(0, 1)
    panel.legend(title="solimp", loc="lower right", alignment="left")


def _rest(panel: Any) -> None:
    """Simulated depths at rest, on the predicted curve."""
    panel.set_title("depth at rest, ball on a floor")
    impedances = np.linspace(0.3, 0.99, 60)
    for timeconst, colour in ((0.04, SAND), (0.02, RUST), (0.01, DARK)):
        rest = []
        for d in impedances:
            solimp = (d, d, 0.001, 0.5, 2)
            depth = cf.contact.static_depth((timeconst, 1), solimp, mass=1, force=GRAVITY)
            rest.append(depth)
        panel.semilogy(impedances, 1e3 * np.array(rest), color=colour, label=f"{timeconst:g} s")
        for d in (0.4, 0.6, 0.8, 0.9, 0.95, 0.98):
            data = ball(0.1, (timeconst, 1), (d, d, 0.001, 0.5, 2))
            data.step(2000)
            panel.plot(d, -1e3 * data.qpos[0], "o", color=colour, ms=4.5, mfc="white")
    panel.set_xlabel("d, the same at every depth")
    panel.set_ylabel("depth [mm]; o simulated")
    panel.legend(title="time constant", loc="lower left", alignment="left")


def _drops(panel: Any) -> None:
    panel.set_title("a ball dropped from 30 cm")
    half = cf.contact.from_physical(stiffness=20_000, mass=1, restitution=0.7)
    cases: list[tuple[Any, Any, str]] = [
        ((0.02, 1), SOLIMP, "0.02 1, default"),
        ((0.1, 1), SOLIMP, "0.1 1, slow"),
        ((0.02, 0.2), SOLIMP, "0.02 0.2, springy"),
        (half.solref, half.solimp, "from_physical, e = 0.7"),
    ]
    for (solref, solimp, name), colour in zip(cases, (RUST, SAND, STEEL, DARK), strict=True):
        data, heights = ball(0.4, solref, solimp, step=0.0005), []
        for _ in range(500):
            heights.append(data.qpos[0] + 0.3)
            data.step(4)
        panel.plot(0.002 * np.arange(500), 100 * np.array(heights), color=colour, label=name)
    panel.axhline(0, color=STEEL, lw=0.6)
    panel.set_xlabel("time [s]")
    panel.set_ylabel("height of the lowest point [cm]")
    panel.set_ylim(-10, 42)
    panel.legend(title="solref", loc="upper right", alignment="left", fontsize=8.5)


# ---------------------------------------------------------------------- friction


def friction(figure: Any) -> None:
    left, middle, right = figure.subplots(1, 3)
    _slopes(left)
    _directions(middle)
    _creep(right)


def _block(cone: str, mu: float, slope: float = 0.0) -> cf.Data:
    down, press = GRAVITY * np.sin(slope), -GRAVITY * np.cos(slope)
    text = BLOCK.format(cone=cone, mu=mu, down=down, press=press)
    return cf.Model.from_mjcf(text).make_data()


def _slopes(panel: Any) -> None:
    """Acceleration of a block on slopes of many angles."""
    panel.set_title("a block on a slope")
    angles = np.radians(np.arange(0, 61, 5))
    fine = np.linspace(0, np.pi / 3, 200)
    for mu, colour in ((0.2, SAND), (0.5, RUST), (1.0, DARK)):
        exact = np.maximum(0, np.sin(fine) - mu * np.cos(fine))
        panel.plot(np.degrees(fine), GRAVITY * exact, color=colour, label=f"{mu:g}")
        for cone, mark in (("pyramidal", "s"), ("elliptic", "o")):
            found = []
            for angle in angles:
                data = _block(cone, mu, angle)
                data.step(2000)
                found.append(data.qvel[0] / data.time)
            size = 6.5 if mark == "s" else 3
            panel.plot(np.degrees(angles), found, mark, color=colour, ms=size, mfc="white")
    panel.set_xlabel("slope [degrees]; squares pyramid, dots ellipse")
    panel.set_ylabel("mean of 4 s [m/s²]; lines g (sin - mu cos)")
    panel.legend(title="friction", loc="upper left", alignment="left")


def _directions(panel: Any) -> None:
    """Friction over mu N for a block sliding at an angle to the tangents of its contacts."""
    panel.set_title("friction by direction of sliding")
    angles = np.radians(np.arange(0, 91, 3))
    for cone, colour in (("pyramidal", RUST), ("elliptic", DARK)):
        found = []
        for angle in angles:
            data = _block(cone, 0.5)
            data.step(200)
            ahead = np.array([np.cos(angle), np.sin(angle), 0])
            data.qvel[:] = 2 * ahead
            data.forward()
            found.append(-(data.qacc @ ahead) / (0.5 * (GRAVITY + data.qacc[2])))
        panel.plot(np.degrees(angles), found, "o-", color=colour, ms=4, mfc="white", label=cone)
    panel.set_xlabel("direction [degrees]")
    panel.set_ylabel("share of mu N against the motion")
    panel.set_ylim(0, 1.1)
    panel.legend(title="cone", loc="lower left", alignment="left")


def _creep(panel: Any) -> None:
    """How far a pinched box sinks over time."""
    panel.set_title("a pinched box sinks")
    cases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("default", {}),
        ("elliptic", {"cone": 1}),
        ("elliptic, impratio 10", {"cone": 1, "impratio": 10}),
        ("elliptic, noslip", {"cone": 1, "noslip_iterations": 20}),
    )
    for (name, options), colour in zip(cases, (RUST, SAND, STEEL, "#3d7a68"), strict=True):
        panel.loglog(*_sinking(lambda opt, o=options: [setattr(opt, *pair) for pair in o.items()]),
                     color=colour, label=name)  # fmt: skip
    panel.loglog(*_sinking(None), color=DARK, lw=2.2, label="grasp preset")
    panel.set_xlabel("time [s]")
    panel.set_ylabel("sunk by [um]")
    panel.set_ylim(1e-5, 1e9)
    panel.legend(loc="upper left", fontsize=8.5)


def _sinking(change: Callable[[Any], Any] | None) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the depth in micrometres that the box has sunk since the pads settled."""
    model = cf.Model.from_mjcf(PINCH)
    if change is None:
        cf.contact.grasp(model)
    else:
        change(model.opt)
    data = model.make_data()
    data.ctrl[:] = 10
    data.step(500)
    start, rows = float(data.qpos[4]), []
    for _ in range(500):
        data.step(5)
        rows.append((data.time - 1, 1e6 * (start - data.qpos[4])))
    return tuple(np.array(rows).T)  # type: ignore[return-value]


# ---------------------------------------------------------------------- solvers


#: columns and rows of walls
WALLS = ((1, 1), (2, 2), (2, 4), (2, 6), (4, 6), (6, 6), (9, 6), (13, 6))


def wall(columns: int, rows: int) -> str:
    """A brick wall in one island; each brick rests on two."""
    bodies = []
    for row in range(rows):
        for column in range(columns - row % 2):
            x = 0.42 * column + 0.21 * (row % 2)
            bodies.append(
                f'<body pos="{x:.3f} 0 {0.0999 + 0.1998 * row:.4f}"><freejoint/>'
                '<geom type="box" size=".2 .1 .1" density="300"/></body>'
            )
    floor = '<geom type="plane" size="0 0 1"/>'
    return f"<mujoco><worldbody>{floor}{''.join(bodies)}</worldbody></mujoco>"


def solvers(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    counts, found = [], {solver: [] for solver in Solver}
    for columns, rows in WALLS:
        contacts, measured = _measure(cf.Model.from_mjcf(wall(columns, rows)))
        counts.append(contacts)
        for solver, numbers in measured.items():
            found[solver].append(numbers)
            print(contacts, solver.name, *numbers)
    for solver, colour in ((Solver.PGS, SAND), (Solver.CG, RUST), (Solver.NEWTON, DARK)):
        iterations, seconds = np.array(found[solver]).T
        left.loglog(counts, iterations, "o-", color=colour, ms=4, label=solver.name)
        right.loglog(counts, 1e3 * seconds, "o-", color=colour, ms=4, label=solver.name)
    left.set_title("iterations, brick walls, tolerance 1e-8")
    left.set_ylabel("iterations of an evaluation")
    left.set_ylim(1, 2000)
    right.set_title("time of an evaluation")
    right.set_ylabel("[ms], one core")
    for panel in (left, right):
        panel.set_xlabel("contacts, all in one island")
        panel.legend(loc="upper left")


def _measure(model: cf.Model) -> tuple[int, dict[Solver, tuple[float, float]]]:
    """Number of contacts, and the mean iterations and time of each solver, from states of a
    shaken wall; without a warm start, with which there is little left to solve."""
    model.opt.iterations = 10_000
    data, found = model.make_data(), {solver: [] for solver in Solver}
    data.step(100)
    resting, contacts = data.get_state(), 0
    model.opt.disableflags |= int(Disable.WARMSTART)
    rng = np.random.default_rng(0)
    for _ in range(4):
        data.set_state(resting)
        data.qvel[:] = 0.05 * rng.normal(size=model.nv)
        for solver in Solver:
            found[solver].append(_evaluate(data, solver))
        contacts = max(contacts, data.ncon)
    means = {solver: tuple(np.mean(rows, axis=0)) for solver, rows in found.items()}
    return contacts, means  # type: ignore[return-value]


def _evaluate(data: cf.Data, solver: Solver) -> tuple[int, float]:
    """Iterations and the shortest time."""
    data.model.opt.solver = int(solver)
    best, tries = np.inf, 3 if solver == Solver.PGS else 12
    for _ in range(tries):
        begin = time.thread_time()
        data.forward()
        best = min(best, time.thread_time() - begin)
    return int(data.solver_niter.max()), best


# ---------------------------------------------------------------------- all of it

PLOTS = {"softness": softness, "friction": friction, "solvers": solvers}


def chosen(names: list[str]) -> Iterator[tuple[str, Callable[[Any], None]]]:
    for name in names or PLOTS:
        yield name, PLOTS[name]


def main(names: list[str]) -> None:
    """Draw and write the figures."""
    plt = matplotlib_pyplot()
    for name, draw in chosen(names):
        width = 9 if name == "solvers" else 13
        figure = plt.figure(figsize=(width, 3.9), layout="constrained", facecolor="white")
        draw(figure)
        figure.savefig(IMAGES / f"contact_{name}.png", dpi=90)
        plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1:])
