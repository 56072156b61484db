"""Distance fields against exact distances, and what MuJoCo makes of the same poses.

The field is a ring, whose distance is known: a circle with a radius around it. So its distance from
another geom is that of the circle from the geom, less the radius, as long as the circle itself is
outside; the nearest place of the circle is searched for in one angle.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from cortenforge.compare import load_reference
from cortenforge.compare.oracle import mujoco_module, muted_warnings

#: the ring, and what it is thrown at
RING, THICK = 0.35, 0.15
SHAPES = {
    "plane": 'type="plane" size="1 1 1"',
    "sphere": 'type="sphere" size=".12"',
    "capsule": 'type="capsule" size=".06 .15"',
    "ellipsoid": 'type="ellipsoid" size=".1 .15 .06"',
    "cylinder": 'type="cylinder" size=".1 .12"',
    "box": 'type="box" size=".1 .15 .08"',
    "mesh": 'type="mesh" mesh="block"',
    "hfield": 'type="hfield" hfield="flat"',
}
#: shapes that have a distance to be asked for, in the place of some that have none
TWINS = {"mesh": SHAPES["box"], "hfield": SHAPES["plane"]}
ASSETS = """<mesh name="block" vertex="-.1 -.15 -.08 .1 -.15 -.08 -.1 .15 -.08 .1 .15 -.08
                                       -.1 -.15 .08 .1 -.15 .08 -.1 .15 .08 .1 .15 .08"/>
  <hfield name="flat" nrow="5" ncol="4" size="3 3 1 3"/>"""
FIELD = 'type="sdf" mesh="ring"'
PLUGIN = '<plugin instance="ring"/>'
KINDS = (*SHAPES, "ring")
#: poses are as deep as this, and as far apart as the margin
DEEPEST = 0.06
ANGLES = np.linspace(0, 2 * np.pi, 121)
#: how often angles around the nearest place are looked at, each time sixty times as near
ZOOMS = 5
#: moves towards a drawn distance
ROUNDS = 6


def scene(kind: str, margin: float = 0.0) -> str:
    """MJCF of a free ring and a geom that is placed by hand."""
    other = f"<geom {SHAPES[kind]}/>" if kind in SHAPES else f"<geom {FIELD}>{PLUGIN}</geom>"
    if kind in TWINS:
        other += f'<geom {TWINS[kind]} contype="0" conaffinity="0"/>'
    return f"""<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="ring">
      <config key="radius1" value="{RING}"/><config key="radius2" value="{THICK}"/>
      </instance></plugin></extension>
      <asset><mesh name="ring">{PLUGIN}</mesh>{ASSETS}</asset>
      <worldbody><body><freejoint/>
      <geom name="ring" {FIELD} margin="{margin}">{PLUGIN}</geom></body>
      <body mocap="true">{other}</body></worldbody></mujoco>"""


def exact_distance(data: cf.Data, beyond: float = np.inf) -> float:
    """Distance of the ring, which is geom 0, from geom 1 or its twin; rough if it is large."""
    last = data.model.ngeom - 1
    turn, other = (data.geom_xmat[g].reshape(3, 3) for g in (0, last))
    offset = data.geom_xpos[0] - data.geom_xpos[last]

    def above(angle: np.ndarray) -> np.ndarray:
        flat = np.stack((RING * np.cos(angle), RING * np.sin(angle), 0 * angle), axis=-1)
        found: np.ndarray = data.model.sdf_at(last, (flat @ turn.T + offset) @ other).distance
        return found

    angles = ANGLES
    for _zoom in range(ZOOMS):
        found = above(angles)
        if found.min() - THICK > beyond:
            break
        nearest, step = angles[int(np.argmin(found))], angles[1] - angles[0]
        angles = np.linspace(nearest - step, nearest + step, len(ANGLES))
    return float(found.min()) - THICK


def tossed(
    data: cf.Data, rng: np.random.Generator, poses: int
) -> Iterator[tuple[float, np.ndarray]]:
    """Random poses in which both touch or almost do: exact distances, and the turn of geom 1.

    The ring is moved along a drawn direction until its distance is about a drawn one.
    """
    margin = float(data.model.geom_margin[0])
    while poses:
        turn = rng.normal(size=(2, 4))
        turn /= np.linalg.norm(turn, axis=1)[:, None]
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        place, goal = rng.uniform(-0.3, 0.3, 3), rng.uniform(-0.9 * DEEPEST, margin)
        data.mocap_quat[0] = turn[1]
        exact = np.inf
        for _round in range(ROUNDS):
            data.qpos[:] = np.r_[place, turn[0]]
            data.collide()
            exact = exact_distance(data, margin + 0.01)
            if -DEEPEST < exact < margin:
                poses -= 1
                yield exact, turn[1]
                break
            place = place + way * (goal - exact)


@dataclass
class Tally:
    """Errors of the deepest contact, how many contacts, and MuJoCo's depth as a part of it."""

    errors: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    missed: int = 0
    theirs: list[float] = field(default_factory=list)
    their_counts: list[int] = field(default_factory=list)
    their_missed: int = 0


def compare_pair(kind: str, poses: int, seed: int = 0) -> Tally:
    """A ring against one type in many poses, with both engines."""
    mujoco = mujoco_module()
    load_plugins()
    text = scene(kind)
    data, reference = cf.load_model(text).make_data(), load_reference(text)
    theirs = mujoco.MjData(reference)
    tally = Tally()
    for exact, turn in tossed(data, np.random.default_rng(seed), poses):
        theirs.qpos[:], theirs.mocap_quat[0] = data.qpos, turn
        mujoco.mj_kinematics(reference, theirs)
        with muted_warnings():
            mujoco.mj_collision(reference, theirs)
        tally.counts.append(data.ncon)
        tally.their_counts.append(theirs.ncon)
        tally.missed += data.ncon == 0
        tally.their_missed += theirs.ncon == 0
        if data.ncon:
            tally.errors.append(float(np.min(data.contact.dist)) - exact)
        if theirs.ncon:
            tally.theirs.append(float(np.min(theirs.contact.dist)) / exact)
    return tally


def load_plugins() -> None:
    """MuJoCo's library of distance fields, if it is not loaded yet."""
    mujoco = mujoco_module()
    if "_loaded" not in globals():
        folder = Path(mujoco.__file__).parent / "plugin"
        for library in folder.glob("*sdf_plugin.*"):
            mujoco.mj_loadPluginLibrary(str(library))
        globals()["_loaded"] = True


def row(kind: str, found: Tally) -> str:
    """A line of the table in docs/collision.md."""
    error = np.abs(found.errors)
    cells: list[Any] = [
        f"{kind}-sdf" if kind in SHAPES else "sdf-sdf",
        f"{len(found.counts):,}",
        f"{np.mean(found.counts):.1f}",
        found.missed,
        f"{np.mean(error < 1e-9):.1%}",
        f"{np.mean(error < 1e-6):.1%}",
        f"{error.max():.0e}",
        f"{np.mean(found.their_counts):.1f}",
        found.their_missed,
        f"{np.median(found.theirs):.0%}" if found.theirs else "",
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Print a line for each type."""
    poses = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for kind in sys.argv[2:] or KINDS:
        print(row(kind, compare_pair(kind, poses)), flush=True)


if __name__ == "__main__":
    main()
