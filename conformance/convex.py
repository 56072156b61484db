"""Contacts of convex pairs against MuJoCo's: how many, how deep, in which direction, where.

Two geoms are put into random poses, sides on sides, almost so, and with one centre, at a depth or
distance that is drawn, with and without a margin. `python -m conformance.convex` takes 2,000 of
each a pair and prints the table of the docs. What differs from MuJoCo's answer has to be proven.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.proof import EXACT, fault, off_surfaces, shape_of
from cortenforge.compare import load_reference, mujoco_module

#: turns of both geoms: any; by quarters; by quarters and a little more; by quarters, and one centre
POSES = ("random", "aligned", "tilted", "concentric")
#: concentric poses are a quarter as many as others: several answers are as good there
FEWER = 4
MARGIN = 0.03
#: differences within which an answer is MuJoCo's: of distances, and of normals of round geoms
SAME_DEPTH, SAME_NORMAL = 1e-6, 1e-2
ROUND = {"sphere", "capsule", "ellipsoid"}
#: rounds of moving one geom until it is as deep as was drawn
ROUNDS = 15
FAR = 10.0


def _points(array: np.ndarray) -> str:
    return " ".join(f"{x:.6f}" for x in array.ravel())


def _blob() -> np.ndarray:
    """Forty points around an ellipsoid."""
    at = np.random.default_rng(0).normal(size=(40, 3))
    return at / np.linalg.norm(at, axis=1, keepdims=True) * (0.12, 0.1, 0.15)


def _prism() -> np.ndarray:
    angle = np.arange(6) * np.pi / 3
    ring = np.stack((0.1 * np.cos(angle), 0.1 * np.sin(angle)), axis=1)
    return np.array([(x, y, z) for x, y in ring for z in (-0.1, 0.1)])


CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
ASSETS = "".join(
    f'<mesh name="{name}" vertex="{_points(points)}"/>'
    for name, points in (
        ("blob", _blob()),
        ("cube", CORNERS * (0.1, 0.12, 0.08)),
        ("prism", _prism()),
    )
)
GEOMS = {
    "sphere": 'type="sphere" size=".08"',
    "capsule": 'type="capsule" size=".05 .1"',
    "ellipsoid": 'type="ellipsoid" size=".1 .06 .14"',
    "cylinder": 'type="cylinder" size=".09 .1"',
    "box": 'type="box" size=".1 .07 .12"',
    "blob": 'type="mesh" mesh="blob"',
    "cube": 'type="mesh" mesh="cube"',
    "prism": 'type="mesh" mesh="prism"',
}
PAIRS: tuple[tuple[str, str], ...] = (
    ("sphere", "ellipsoid"), ("sphere", "blob"), ("capsule", "ellipsoid"), ("capsule", "cylinder"),
    ("capsule", "blob"), ("capsule", "cube"), ("ellipsoid", "ellipsoid"),
    ("ellipsoid", "cylinder"), ("ellipsoid", "box"), ("ellipsoid", "blob"),
    ("cylinder", "cylinder"), ("cylinder", "box"), ("cylinder", "blob"), ("cylinder", "prism"),
    ("box", "blob"), ("box", "cube"), ("box", "prism"), ("blob", "blob"), ("cube", "cube"),
    ("blob", "prism"), ("prism", "prism"),
)  # fmt: skip


@dataclass
class Tally:
    """What a comparison came to; distances are those of the deepest contact, of equal numbers.

    more:     poses in which MuJoCo has fewer contacts.
    proven:   answers that differ from MuJoCo's and are right.
    unproven: what is wrong with the others.
    """

    poses: int = 0
    counted: int = 0
    more: int = 0
    dist: list[float] = field(default_factory=list)
    normal: list[float] = field(default_factory=list)
    pos: list[float] = field(default_factory=list)
    most: int = 0
    proven: int = 0
    unproven: list[str] = field(default_factory=list)

    @property
    def same(self) -> float:
        """Share of the poses with as many contacts as MuJoCo has."""
        return self.counted / self.poses

    def add(self, other: Tally) -> None:
        """Count another comparison, too."""
        self.poses += other.poses
        self.counted += other.counted
        self.more += other.more
        self.most = max(self.most, other.most)
        self.proven += other.proven
        for name in ("dist", "normal", "pos", "unproven"):
            getattr(self, name).extend(getattr(other, name))

    def share(self, name: str, tolerance: float) -> float:
        """Share of these poses in which a difference is within a tolerance."""
        return float(np.mean(np.array(getattr(self, name)) <= tolerance))


def scene(pair: tuple[str, str], margin: float = 0.0, flags: str = "", assets: str = ASSETS) -> str:
    """MJCF of two free geoms; a name that is no kind of geom is that of a mesh."""
    geoms = [GEOMS.get(kind, f'type="mesh" mesh="{kind}"') for kind in pair]
    bodies = "".join(
        f'<body><freejoint/><geom {geom} margin="{margin / 2}"/></body>' for geom in geoms
    )
    return (
        f"<mujoco><option><flag {flags}/></option><asset>{assets}</asset>"
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def _turn(pose: str, rng: np.random.Generator) -> np.ndarray:
    if pose == "random":
        quat = rng.normal(size=4)
        return quat / np.linalg.norm(quat)
    found = np.array([1.0, 0.0, 0.0, 0.0])
    for axis in range(3):
        found = _product(found, _about(np.eye(3)[axis], rng.integers(4) * np.pi / 2))
    if pose == "tilted":
        axis = rng.normal(size=3)
        found = _product(found, _about(axis / np.linalg.norm(axis), rng.uniform(0, 0.06)))
    return found


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    return np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * axis))


def _product(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    found = np.zeros(4)
    mujoco_module().mju_mulQuat(found, one, other)
    return found


def positions(
    reference: Any, theirs: Any, pose: str, count: int, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Positions of both geoms at drawn depths; with a margin, distances within it, too."""
    mujoco = mujoco_module()
    margin = float(reference.geom_margin.sum())
    for _ in range(count):
        way = rng.normal(size=3) if pose == "random" else np.eye(3)[rng.integers(3)]
        way = way / np.linalg.norm(way) * rng.choice([-1, 1])
        aside = rng.normal(size=3) * (0.0 if pose in ("random", "concentric") else 0.03)
        goal = rng.uniform(-0.02, 0.95 * margin) if margin else -(10 ** rng.uniform(-4, -1.3))
        theirs.qpos[3:7], theirs.qpos[10:14] = _turn(pose, rng), _turn(pose, rng)
        far = 0.6 if pose != "concentric" else rng.choice([0.0, 1e-9, 1e-4])
        for _round in range(ROUNDS if pose != "concentric" else 1):
            theirs.qpos[7:10] = way * far + aside
            mujoco.mj_kinematics(reference, theirs)
            dist = mujoco.mj_geomDistance(reference, theirs, 0, 1, FAR, None)
            far -= dist - goal
            if abs(dist - goal) < 1e-3 * abs(goal):
                break
        yield theirs.qpos.copy()


class Both:
    """A pair in both engines, and alone with one contact."""

    def __init__(self, pair: tuple[str, str], margin: float, assets: str = ASSETS) -> None:
        text = scene(pair, margin, assets=assets)
        self.round = not ROUND.isdisjoint(pair)
        self.data, self.reference = cf.Model.from_mjcf(text).make_data(), load_reference(text)
        self.theirs = mujoco_module().MjData(self.reference)
        alone = scene(pair, margin, 'multiccd="disable"', assets)
        self.alone = cf.Model.from_mjcf(alone).make_data()

    def collide(self, qpos: np.ndarray) -> None:
        """Contacts of both engines."""
        self.data.qpos[:] = qpos
        self.data.collide()
        mujoco_module().mj_collision(self.reference, self.theirs)

    def differs(self) -> bool:
        """Whether there are other contacts than MuJoCo's, or the deepest is another."""
        ours, theirs = self.data.contact, self.theirs.contact
        if len(ours) != len(theirs) or not len(ours):
            return len(ours) != len(theirs)
        turned = float(np.linalg.norm(ours.frame[0, :3] - theirs.frame[0, :3]))
        apart = abs(float(np.min(ours.dist)) - float(np.min(theirs.dist)))
        return apart > SAME_DEPTH or (self.round and turned > SAME_NORMAL)

    def fault(self) -> str:
        """What is wrong with our contacts; "" if they are right.

        The contact that a pair has without several is the nearest way apart, and the several are on
        both surfaces.
        """
        self.alone.qpos[:] = self.data.qpos
        self.alone.collide()
        shapes = [shape_of(self.reference, self.data, g) for g in range(2)]
        hints = np.array(self.theirs.contact.frame).reshape(-1, 9)[:, :3]
        found = fault(*shapes, self.alone.contact, hints)
        off = off_surfaces(*shapes, self.data.contact)
        return found or (f"several contacts are {off:.2g} off the surfaces" if off > EXACT else "")


def compare_pair(
    pair: tuple[str, str],
    pose: str,
    count: int,
    *,
    margin: float = 0.0,
    seed: int = 0,
    assets: str = ASSETS,
) -> Tally:
    """Find the contacts of a pair in many poses with both engines."""
    both, tally = Both(pair, margin, assets), Tally()
    rng = np.random.default_rng(seed)
    for qpos in positions(both.reference, both.theirs, pose, count, rng):
        both.collide(qpos)
        _count(tally, both.data, both.theirs)
        if both.differs():
            wrong = both.fault()
            tally.proven += not wrong
            tally.unproven += [f"{'-'.join(pair)}: {wrong}, qpos {qpos.tolist()}"] if wrong else []
    return tally


def _count(tally: Tally, data: cf.Data, theirs: Any) -> None:
    tally.poses += 1
    tally.most = max(tally.most, data.ncon)
    if data.ncon != theirs.ncon:
        tally.more += data.ncon > theirs.ncon
        return
    tally.counted += 1
    if not data.ncon:
        return
    ours, other = data.contact, theirs.contact
    tally.dist.append(abs(float(np.min(ours.dist)) - float(np.min(other.dist))))
    tally.normal.append(float(np.linalg.norm(ours.frame[0, :3] - other.frame[0, :3])))
    apart = np.linalg.norm(ours.pos[:, None] - other.pos[None], axis=2)
    tally.pos.append(float(apart.min(axis=0).max()))


def main() -> int:
    """Print a line for each pair; 1 if an answer that differs is not proven."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(
        "| pair | contacts at most | poses | as many | distance to 1e-6 | normal to 1e-2 "
        "| proven otherwise |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    unproven = []
    for pair in PAIRS:
        found = Tally()
        for pose in POSES:
            taken = count if pose != "concentric" else count // FEWER
            found.add(compare_pair(pair, pose, taken))
            found.add(compare_pair(pair, pose, taken, margin=MARGIN, seed=1))
        print(
            f"| {'-'.join(pair)} | {found.most} | {found.poses:,} | {found.same:.1%} "
            f"| {found.share('dist', SAME_DEPTH):.1%} | {found.share('normal', SAME_NORMAL):.1%} "
            f"| {found.proven:,} |",
            flush=True,
        )
        unproven += found.unproven
    print(*unproven, sep="\n")
    return 1 if unproven else 0


if __name__ == "__main__":
    raise SystemExit(main())
