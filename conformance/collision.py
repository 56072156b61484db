"""Contacts of two geoms against MuJoCo's, in random and in special poses.

Each pair of types has scenes of two bodies with drawn sizes, margins and gaps; each scene is put
into many poses: apart within the margin, touching, shallow, deep, aligned, parallel, concentric.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import cortenforge as cf
from cortenforge.compare import load_reference
from cortenforge.compare.oracle import mujoco_module
from cortenforge.enums import GeomType
from cortenforge.step.collision.families import CONVEX_PAIRS, FAMILY_OF, SDF_PAIRS

#: largest difference of a number of a contact
TOLERANCE = 1e-9
#: pairs with a routine of their own, by the names of both types; `conformance.terrain` has fields
PAIRS: tuple[tuple[str, str], ...] = tuple(
    (GeomType(one).name.lower(), GeomType(other).name.lower())
    for one, other in FAMILY_OF
    if (one, other) not in (*CONVEX_PAIRS, *SDF_PAIRS) and one != GeomType.HFIELD
)
#: what is compared of each contact
COLUMNS = (
    "dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp",
    "adhesion", "surfacevel",
)  # fmt: skip
EXACT = ("geom", "dim", "exclude", "efc_address", "geom1", "geom2", "flex", "elem", "vert")
POSES_A_SCENE = 40
#: how far poses are moved to see whether rounding decides (powers of ten), how often, and what
#: change is more than the move itself
NUDGE, NUDGES, MOVED = (-17, -10), 100, 1e-7


@dataclass
class Tally:
    """What a comparison came to.

    wrong:  poses whose contacts differ, with what differs.
    ties:   poses in which rounding decides, if only which corner comes first.
    counts: how many poses had how many contacts.
    """

    poses: int = 0
    ties: int = 0
    worst: float = 0.0
    counts: dict[int, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def scene(pair: tuple[str, str], rng: np.random.Generator) -> tuple[str, list[np.ndarray]]:
    """MJCF of two geoms, and the half extents of both; the first body is moved by hand."""
    sizes = [_size(kind, rng) for kind in pair]
    if rng.random() < 0.25 and pair[0] == pair[1]:
        sizes[1] = sizes[0]
    margin, gap = rng.choice([0.0, 0.02, 0.1]), rng.choice([0.0, 0.05])
    geoms = [
        f'<geom type="{kind}" {_shape(kind, size)} margin="{margin}" gap="{gap}"/>'
        for kind, size in zip(pair, sizes, strict=True)
    ]
    asset = ""
    if "mesh" in pair:
        asset = f'<asset><mesh name="mesh" vertex="{_vertices(sizes[1], rng)}"/></asset>'
    text = (
        f'<mujoco>{asset}<worldbody><body mocap="true">{geoms[0]}</body>'
        f"<body><freejoint/>{geoms[1]}</body></worldbody></mujoco>"
    )
    return text, [_extent(kind, size) for kind, size in zip(pair, sizes, strict=True)]


def _shape(kind: str, size: np.ndarray) -> str:
    """What the description says of a geom's shape."""
    return 'mesh="mesh"' if kind == "mesh" else f'size="{" ".join(f"{s:.17g}" for s in size)}"'


def _vertices(size: np.ndarray, rng: np.random.Generator) -> str:
    """A box, a prism with an irregular base, and with points that are no corners, or a blob."""
    kind = rng.integers(3)
    if kind == 0:
        points = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    elif kind == 1:
        angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 12))))
        ring = np.stack((np.cos(angle), np.sin(angle)), axis=1)
        points = np.array([(x, y, z) for x, y in (*ring, -ring[0]) for z in (-1, 1)])
        points = np.concatenate((points, 0.5 * points, [points[::2].mean(axis=0)]))
    else:
        points = rng.normal(size=(int(rng.integers(5, 60)), 3))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    return " ".join(f"{x:.6f}" for x in (points * size).ravel())


def _size(kind: str, rng: np.random.Generator) -> np.ndarray:
    if kind == "plane":
        return np.array([1.0, 1.0, 0.1])
    count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
    return np.exp(rng.uniform(np.log(0.05), np.log(0.6), count))


def _extent(kind: str, size: np.ndarray) -> np.ndarray:
    """Half of what a geom takes along each of its axes."""
    if kind == "plane":
        return np.zeros(3)
    if kind == "sphere":
        return np.full(3, size[0])
    if kind in ("capsule", "cylinder"):
        return np.array([size[0], size[0], size[1] + (size[0] if kind == "capsule" else 0.0)])
    return size


def poses(extents: list[np.ndarray], rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Poses of both bodies: position and quaternion of each."""
    for _ in range(POSES_A_SCENE):
        first = _turn(rng)
        second = _turn(rng) if rng.random() < 0.5 else _product(first, _aligned(rng))
        way = rng.normal(size=3) if rng.random() < 0.5 else rng.permutation([0.0, 0.0, 1.0])
        way *= rng.choice([-1, 1]) / np.linalg.norm(way)
        most = np.linalg.norm(extents[0]) + np.linalg.norm(extents[1])
        along = float(np.abs(way) @ extents[0] + np.abs(way) @ extents[1])
        far = rng.choice(
            [
                rng.uniform(0.0, most + 0.3),  # anywhere
                along + rng.choice([0.0, 0.01, 0.08, -0.001, -0.03]),  # faces at a small distance
                0.0 if rng.random() < 0.3 else rng.uniform(0.0, along),  # deep
            ]
        )
        place = rng.uniform(-1.0, 1.0, 3)
        yield np.concatenate((place, first, place + _rotated(first, way * far), second))


def _turn(rng: np.random.Generator) -> np.ndarray:
    """A random orientation, or none."""
    if rng.random() < 0.2:
        return np.array([1.0, 0.0, 0.0, 0.0])
    quat = rng.normal(size=4)
    return quat / np.linalg.norm(quat)


def _aligned(rng: np.random.Generator) -> np.ndarray:
    """A quarter turn about an axis, or none; sometimes not quite."""
    axis = rng.permutation([1.0, 0.0, 0.0])
    angle = rng.integers(0, 4) * np.pi / 2 + rng.choice([0.0, 0.0, 1e-3, 0.05, rng.uniform(0, 3)])
    return np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * axis))


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate(([w], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])))


def _rotated(quat: np.ndarray, vector: np.ndarray) -> np.ndarray:
    twice = 2 * np.cross(quat[1:], vector)
    return vector + quat[0] * twice + np.cross(quat[1:], twice)


class Both:
    """One scene in both engines."""

    def __init__(self, source: str | Path) -> None:
        self.model = cf.Model.from_mjcf(source)
        self.data = self.model.make_data()
        self.reference = load_reference(source)
        self.mujoco = mujoco_module()
        self.theirs = self.mujoco.MjData(self.reference)

    def collide(self) -> None:
        """Contacts in the states that both have."""
        self.data.collide()
        self.mujoco.mj_kinematics(self.reference, self.theirs)
        self.mujoco.mj_comPos(self.reference, self.theirs)
        self.mujoco.mj_collision(self.reference, self.theirs)

    def put(self, pose: np.ndarray) -> None:
        """A pose of two bodies, the first of them moved by hand."""
        for side in (self.data, self.theirs):
            side.mocap_pos[0], side.mocap_quat[0], side.qpos[:] = pose[:3], pose[3:7], pose[7:]

    def is_tie(self, pose: np.ndarray, rng: np.random.Generator) -> bool:
        """Whether rounding decides here: next to this pose, MuJoCo has other contacts itself.

        Whoever decides, the deepest contact is as deep.
        """
        before = contact_rows(self.theirs.contact)
        ours = contact_rows(self.data.contact)
        if same_sets(before, ours):
            return True
        if len(before) and len(ours) and abs(before[:, 0].min() - ours[:, 0].min()) > MOVED:
            return False
        for _ in range(NUDGES):
            nudge = 10 ** rng.uniform(*NUDGE, 7) * rng.choice([-1, 1], 7)
            self.theirs.qpos[:] = pose[7:] + nudge
            self.mujoco.mj_kinematics(self.reference, self.theirs)
            self.mujoco.mj_collision(self.reference, self.theirs)
            after = contact_rows(self.theirs.contact)
            if after.shape != before.shape or np.max(np.abs(after - before), initial=0.0) > MOVED:
                return True
        return False


def same_sets(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether the same rows are in another order."""
    if ours.shape != theirs.shape:
        return False
    gaps = np.max(np.abs(ours[:, None] - theirs[None]), axis=2, initial=0.0)
    nearest = np.argmin(gaps, axis=1) if len(ours) else np.zeros(0, int)
    close = gaps[np.arange(len(ours)), nearest] <= TOLERANCE
    return bool(np.all(close)) and len(set(nearest.tolist())) == len(ours)


def contact_rows(contacts: Any) -> np.ndarray:
    """Distance, place and normal of each contact, and whether it pushes."""
    count = len(contacts)
    places = np.asarray(contacts.pos).reshape(count, 3)
    normals = np.asarray(contacts.frame).reshape(count, 9)[:, :3]
    return np.column_stack((contacts.dist, places, normals, contacts.exclude))


def difference(ours: Any, theirs: Any, tolerance: float = TOLERANCE) -> tuple[float, str]:
    """How far two lists of contacts are apart, in order; and what is wrong beyond numbers."""
    if len(ours) != len(theirs):
        return np.inf, f"{len(ours)} contacts, MuJoCo {len(theirs)}"
    if not len(ours):
        return 0.0, ""
    for name in EXACT:
        if not np.array_equal(getattr(ours, name), getattr(theirs, name)):
            return np.inf, f"{name} {getattr(ours, name)}, MuJoCo {getattr(theirs, name)}"
    worst, where = 0.0, ""
    for name in COLUMNS:
        gap = float(np.max(np.abs(getattr(ours, name) - getattr(theirs, name))))
        # nan counts as far apart
        if not gap <= worst:
            worst, where = gap, f"{name} by {gap:.3g}"
    return worst, where if worst > tolerance else ""


def compare_pair(pair: tuple[str, str], count: int, seed: int = 0) -> Tally:
    """At least so many poses of a pair of types."""
    rng = np.random.default_rng([seed, *map(ord, "".join(pair))])
    tally = Tally()
    while tally.poses < count:
        text, extents = scene(pair, rng)
        both = Both(text)
        for pose in poses(extents, rng):
            both.put(pose)
            both.collide()
            found = len(both.theirs.contact)
            gap, what = difference(both.data.contact, both.theirs.contact)
            if what and both.is_tie(pose, rng):
                gap, what = 0.0, ""
                tally.ties += 1
            tally.poses += 1
            tally.counts[found] = tally.counts.get(found, 0) + 1
            tally.worst = max(tally.worst, gap if np.isfinite(gap) else 0.0)
            if what:
                tally.wrong.append(f"pose {tally.poses}: {what}")
    return tally


#: what a geom of a crowd may be; all pairs of these are known
CROWD = ("sphere", "capsule", "box")


def crowd(seed: int, kinds: tuple[str, ...] = CROWD) -> str:
    """MJCF of bodies that overlap, with all that decides which pairs touch, and how."""
    rng = np.random.default_rng([seed, 77])
    bodies = "".join(_branch(rng, f"b{n}", kinds, depth=0) for n in range(int(rng.integers(3, 7))))
    names = [f"b{n}" for n in range(3)]
    flags = [
        f'{name}="{"disable" if name != "override" else "enable"}"'
        for name in ("filterparent", "midphase", "override")
        if rng.random() < 0.2
    ]
    excluded = f'<exclude body1="{names[0]}" body2="{names[1]}"/>' if rng.random() < 0.5 else ""
    pairs = "".join(
        f'<pair geom1="{a}g0" geom2="{b}g0" margin="{rng.choice([0, 0.05])}" '
        f'condim="{rng.choice([1, 3, 4, 6])}" {_some(rng, "gap=.03", "adhesion=2")} '
        f"{_some(rng, 'solreffriction=.01 .5', 'friction=.3 .4 .1 0 0')}/>"
        for a, b in (("b1", "b0"), ("b0", "b2"))
        if rng.random() < 0.5
    )
    floor = "".join(
        f'<geom type="plane" size="1 1 .1" {_traits(rng)}/>' if rng.random() < 0.7 else ""
        for _ in range(2)
    )
    still = f'<geom type="box" size=".2 .1 .1" pos="{_numbers(rng, 0.3)}" {_traits(rng)}/>'
    options = (
        '<option o_margin=".02" o_solref=".03 1.1" o_friction="1 .9 .01 .02 0" '
        f'o_solimp=".8 .9 .01 .4 2"><flag {" ".join(flags)}/></option>'
    )
    contact = f"<contact>{excluded}{pairs}</contact>"
    text = f"<mujoco>{options}<worldbody>{floor}{still}{bodies}</worldbody>{contact}</mujoco>"
    # with the override, MuJoCo loses contacts in the gap of bodies with several geoms
    return text if "override" not in " ".join(flags) else re.sub(r' gap="[^"]*"', "", text)


def _some(rng: np.random.Generator, *attributes: str) -> str:
    """Some of these attributes, `name=value` each."""
    chosen = [a.split("=", 1) for a in attributes if rng.random() < 0.3]
    return " ".join(f'{name}="{value}"' for name, value in chosen)


def _numbers(rng: np.random.Generator, scale: float) -> str:
    return " ".join(f"{x:.4f}" for x in rng.uniform(-scale, scale, 3))


def _traits(rng: np.random.Generator) -> str:
    """What decides with whom a geom touches, and with which parameters."""
    return _some(
        rng,
        "margin=.03",
        "gap=.02",
        f"priority={rng.integers(0, 2)}",
        f"solmix={rng.choice([0, 0.5, 2])}",
        f"condim={rng.choice([1, 4, 6])}",
        "friction=.2 .01 .3",
        f"solref={rng.choice(['.05 1', '-100 -2'])}",
        "solimp=.5 .8 .02",
        "adhesion=1.5",
        "surfacevel=.1 .2 .3 .4 .5 .6",
        f"contype={rng.integers(0, 4)}",
        f"conaffinity={rng.integers(0, 4)}",
    )


def _branch(rng: np.random.Generator, name: str, kinds: tuple[str, ...], depth: int) -> str:
    """A body with geoms, and perhaps another one that hangs on it, or is welded to it."""
    geoms = ""
    for n in range(int(rng.integers(1, 4))):
        size = " ".join(f"{x:.4f}" for x in rng.uniform(0.04, 0.15, 3))
        geoms += (
            f'<geom name="{name}g{n}" type="{rng.choice(kinds)}" size="{size}" '
            f'pos="{_numbers(rng, 0.1)}" euler="{_numbers(rng, 90)}" {_traits(rng)}/>'
        )
    joint = rng.choice(["<joint/>", '<joint type="ball"/>', ""])
    if depth == 0:
        joint = "<freejoint/>"
    inner = _branch(rng, f"{name}c", kinds, depth + 1) if depth < 2 and rng.random() < 0.6 else ""
    at = _numbers(rng, 0.3 if depth == 0 else 0.15)
    return f'<body name="{name}" pos="{at}">{joint}{geoms}{inner}</body>'


def compare_crowd(seed: int, states: int = 4) -> tuple[int, list[str]]:
    """Contacts of a crowd in random states: how many there were, and what was wrong."""
    return compare_states(Both(crowd(seed)), seed, states)


def compare_states(both: Both, seed: int, states: int) -> tuple[int, list[str]]:
    """Contacts of a model at rest, at its first keyframes and in random states."""
    rng = np.random.default_rng(seed)
    model = both.model
    places = [model.qpos0, *model.key_qpos[:3]]
    for n in range(states):
        velocity = rng.normal(size=model.nv) * (0.05 if n == 0 else 0.2)
        places.append(model.integrate_pos(model.qpos0, velocity, 1.0))
    found, wrong = 0, []
    for n, qpos in enumerate(places):
        both.data.qpos[:] = both.theirs.qpos[:] = qpos
        both.collide()
        _, what = difference(both.data.contact, both.theirs.contact)
        found += len(both.theirs.contact)
        if what and not same_sets(
            contact_rows(both.data.contact), contact_rows(both.theirs.contact)
        ):
            wrong.append(f"seed {seed}, state {n}: {what}")
    return found, wrong


def main(poses_a_pair: int = 2000, crowds: int = 200) -> int:
    """All pairs, and crowds; 1 if anything differs."""
    table = Table("what", "poses", "contacts", "ties", "largest difference", "wrong")
    wrong: list[str] = []
    for pair in PAIRS:
        tally = compare_pair(pair, poses_a_pair)
        contacts = sum(found * count for found, count in tally.counts.items())
        numbers = (tally.poses, contacts, tally.ties, f"{tally.worst:.2g}", len(tally.wrong))
        table.add_row("-".join(pair), *map(str, numbers))
        wrong += [f"{'-'.join(pair)}: {what}" for what in tally.wrong]
    results = [compare_crowd(seed) for seed in range(crowds)]
    differing = [what for _, found in results for what in found]
    contacts = sum(found for found, _ in results)
    table.add_row(f"{crowds} crowds", "", str(contacts), "", "", str(len(differing)))
    wrong += differing
    console = Console()
    console.print(table, *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
