"""Contacts of height fields with convex geoms against MuJoCo's, prism by prism.

A geom is put above and into a rough field that is turned and has oblong cells, beside its borders
and on a level field; at distances within the margin, touching, shallow and deep.
`python -m conformance.terrain` takes thousands of poses a pair and prints the table of the docs.

Where the centre of a geom has sunk below the surface, contacts are others than MuJoCo's on purpose:
these poses are counted, and tests of their own hold what is said of them. Without margin and gap,
depths of boxes and meshes in MuJoCo 4.0.0 are not the least, since its search ends too early
there; a gap of a nanometre is enough to see what it finds otherwise.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from conformance.collision import Both
from conformance.convex import ASSETS, GEOMS
from conformance.proof import hull_of, least_overlap, overlap, shape_of

#: distances from the surface, as drawn, of each kind of pose
POSES = {
    "apart": (0.0, 0.03), "touching": (-1e-5, 1e-5), "shallow": (-0.02, 0.0),
    "deep": (-0.08, -0.02), "level": (-0.02, 0.01), "beside": (-0.05, 0.02),
}  # fmt: skip
ROWS, COLUMNS, SIZE = 9, 13, (0.9, 0.5, 0.12, 0.25)
MARGIN, GAP, NANOMETRE = 0.015, 0.02, 1e-9
#: deep ellipsoids take more than the 35 iterations of a model that says nothing
ITERATIONS = 100
#: rounds of lowering a geom until it is where it was drawn
ROUNDS = 8
#: a contact is MuJoCo's if it is as deep and points the same way
SAME_DEPTH, SAME_NORMAL = 1e-6, 1e-2
#: directions along which prisms that are far away are found to be so
SAMPLES = 500


@dataclass
class Tally:
    """What a comparison came to.

    sunk:     poses with a centre below the surface, left out of all else.
    counted:  poses with as many contacts as MuJoCo has.
    dist, normal, pos: differences of all contacts of these, in order.
    proven:   contacts that differ from MuJoCo's, and poses with another number, that are right.
    unproven: those that are not shown to be.
    """

    poses: int = 0
    sunk: int = 0
    counted: int = 0
    most: int = 0
    dist: list[float] = field(default_factory=list)
    normal: list[float] = field(default_factory=list)
    pos: list[float] = field(default_factory=list)
    proven: int = 0
    unproven: list[str] = field(default_factory=list)

    @property
    def same(self) -> float:
        """Share of the poses with as many contacts as MuJoCo has."""
        return self.counted / max(1, self.poses - self.sunk)

    def share(self, name: str, tolerance: float) -> float:
        """Share of the contacts in which a difference is within a tolerance."""
        return float(np.mean(np.array(getattr(self, name)) <= tolerance))

    def add(self, other: Tally) -> None:
        """Count another comparison, too."""
        self.most = max(self.most, other.most)
        for name in ("poses", "sunk", "counted", "dist", "normal", "pos", "proven", "unproven"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def elevations(rng: np.random.Generator, *, level: bool = False) -> np.ndarray:
    """A rough field, or one that is level but for a corner: all of it level would be at zero."""
    if not level:
        return rng.uniform(0, 1, (ROWS, COLUMNS))
    heights = np.zeros((ROWS, COLUMNS))
    heights[0, 0] = 1
    return heights


def scene(kind: str, heights: np.ndarray, margin: float, gap: float) -> str:
    """MJCF of a turned height field and a free geom."""
    numbers = " ".join(f"{x:.6f}" for x in heights.ravel())
    size = " ".join(map(str, SIZE))
    return (
        f'<mujoco><option ccd_iterations="{ITERATIONS}"/><asset>{ASSETS}'
        f'<hfield name="field" nrow="{len(heights)}" ncol="{len(heights[0])}" size="{size}" '
        f'elevation="{numbers}"/></asset><worldbody>'
        '<geom name="field" type="hfield" hfield="field" euler="20 -30 50" pos=".3 .2 .1"/>'
        f'<body><freejoint/><geom name="geom" {GEOMS[kind]} margin="{margin}" gap="{gap}"/></body>'
        "</worldbody></mujoco>"
    )


def put(both: Both, pose: str, rng: np.random.Generator) -> bool:
    """Lower a geom onto the field to a drawn distance; whether its centre stays above it."""
    data, model = both.data, both.model
    axes, origin = data.geom_xmat[0].reshape(3, 3), data.geom_xpos[0].copy()
    way = rng.uniform(-0.9, 0.9, 2) if pose != "beside" else rng.choice([-1.05, 1.05], 2)
    local = np.append(way * SIZE[:2], 0.6)
    data.qpos[3:] = _turn(rng) if pose != "level" else _aligned(axes, rng)
    goal = rng.uniform(*POSES[pose])
    for _ in range(ROUNDS):
        data.qpos[:3] = origin + axes @ local
        data.forward(smooth_only=True)
        dist = data.geom_distance("field", "geom").dist
        local[2] -= dist - goal
    data.qpos[:3] = origin + axes @ local
    both.theirs.qpos[:] = data.qpos
    both.collide()
    centre = axes.T @ (data.geom_xpos[1] - origin)
    height = model.hfield_at("field", centre).height
    # beside the field there is no surface
    return not (-SIZE[3] < centre[2] < height)


def _turn(rng: np.random.Generator) -> np.ndarray:
    quat = rng.normal(size=4)
    return quat / np.linalg.norm(quat)


def _aligned(axes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The field's axes, each way round, turned about its normal."""
    angle = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)])
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    matrix = axes @ turn @ np.roll(np.eye(3), rng.integers(3), axis=0)
    x, y, z = matrix.diagonal()
    w = np.sqrt(max(0.0, 1 + x + y + z)) / 2
    if w < 1e-3:
        return _aligned(axes, rng)
    skew = matrix - matrix.T
    return np.array([w, skew[2, 1] / (4 * w), skew[0, 2] / (4 * w), skew[1, 0] / (4 * w)])


def prisms(model: Any) -> np.ndarray:
    """All prisms of the field, in its axes, in the order of contacts: (n, 6, 3)."""
    rows, columns = int(model.hfield_nrow[0]), int(model.hfield_ncol[0])
    half_x, half_y, top, base = model.hfield_size[0]
    x, y = np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows)
    z = np.asarray(model.hfield_data, float).reshape(rows, columns) * top
    grid = np.stack((*np.meshgrid(x, y), z), axis=2)
    found = []
    for r in range(rows - 1):
        for c in range(columns - 1):
            for cut in (((1, 0), (0, 0), (1, 1)), ((0, 0), (0, 1), (1, 1))):
                upper = np.array([grid[r + i, c + j] for i, j in cut])
                found.append(np.concatenate((upper * (1, 1, 0) - (0, 0, base), upper)))
    return np.array(found)


def lowest(model: Any, data: Any, way: np.ndarray) -> float:
    """How far the moving geom begins along a direction."""
    matrix = np.asarray(data.geom_xmat[1]).reshape(3, 3)
    local, size = matrix.T @ -way, model.geom_size[1]
    kind = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")[model.geom_type[1] - 2]
    if kind == "mesh":
        mesh = int(model.geom_dataid[1])
        first = int(model.mesh_vertadr[mesh])
        vertices = np.asarray(model.mesh_vert[first : first + model.mesh_vertnum[mesh]], float)
        reach = np.max(vertices.reshape(-1, 3) @ local)
    else:
        across = size[0] * np.hypot(local[0], local[1])
        reach = {
            "sphere": size[0],
            "capsule": size[0] + size[1] * abs(local[2]),
            "ellipsoid": np.linalg.norm(size * local),
            "cylinder": across + size[1] * abs(local[2]),
            "box": size @ np.abs(local),
        }[kind]
    return float(way @ data.geom_xpos[1] - reach)


def is_right(both: Both, corners: np.ndarray, k: int) -> bool:
    """Whether our contact k is a prism's: the geom begins that far beyond it along the normal.

    Along no direction is a geom farther from a prism than it is, so the larger of two is nearer to
    the truth: ours has to be as large as what MuJoCo's direction gives.
    """
    model, ours, theirs = both.model, both.data, both.theirs
    axes, origin = ours.geom_xmat[0].reshape(3, 3), ours.geom_xpos[0]
    placed = origin + corners @ axes.T
    ways = [np.array(side.contact.frame[k, :3]) for side in (ours, theirs)]
    one, other = (lowest(model, ours, way) - np.max(placed @ way, axis=1) for way in ways)
    fits = np.abs(one - ours.contact.dist[k]) <= 2 * SAME_DEPTH
    return bool(np.any(fits & (one >= other - 2 * SAME_DEPTH)))


def true_distances(both: Both, corners: np.ndarray, reach: float) -> np.ndarray:
    """How far the geom is from each prism that it is nearer to than the reach, by a search."""
    ours, rng = both.data, np.random.default_rng(0)
    geom = shape_of(both.model, ours, 1)
    hints = np.concatenate(
        [np.array(c.frame).reshape(-1, 9)[:, :3] for c in (ours.contact, both.theirs.contact)]
    )
    ways = rng.normal(size=(SAMPLES, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    found = []
    for prism in ours.geom_xpos[0] + corners @ ours.geom_xmat[0].reshape(3, 3).T:
        shape = hull_of(prism)
        if -np.min(overlap(shape, geom, ways)) <= reach:
            found.append(-least_overlap(shape, geom, hints, rng))
    distances = np.array(found)
    return np.sort(distances[distances <= reach])


def has_all(both: Both, corners: np.ndarray, reach: float) -> bool:
    """Whether our contacts are as deep as the prisms that the geom meets; all but just touching."""
    true, found = true_distances(both, corners, reach), np.sort(both.data.contact.dist)
    while len(true) > len(found) and true[-1] > reach - SAME_DEPTH:
        true = true[:-1]
    return len(true) == len(found) and bool(np.all(np.abs(true - found) <= SAME_DEPTH))


def compare(
    kind: str, pose: str, count: int, *, margin: float = 0.0, gap: float = 0.0, seed: int = 0
) -> Tally:
    """Find the contacts of a geom in many poses with both engines."""
    rng = np.random.default_rng([seed, *map(ord, kind + pose)])
    both = Both(scene(kind, elevations(rng, level=pose == "level"), margin, max(gap, NANOMETRE)))
    both.collide()
    corners = prisms(both.model)
    tally = Tally(poses=count)
    for _ in range(count):
        if put(both, pose, rng):
            _count(tally, both, corners)
        else:
            tally.sunk += 1
    return tally


def _count(tally: Tally, both: Both, corners: np.ndarray) -> None:
    ours, theirs = both.data.contact, both.theirs.contact
    tally.most = max(tally.most, len(ours))
    if len(ours) != len(theirs):
        reach = float(both.model.geom_margin[1] + both.model.geom_gap[1])
        right = has_all(both, corners, reach)
        tally.proven += right
        what = f"{len(ours)} contacts, MuJoCo {len(theirs)}, qpos {both.data.qpos.tolist()}"
        tally.unproven += [] if right else [what]
        return
    tally.counted += 1
    if not len(ours):
        return
    dist = np.abs(ours.dist - theirs.dist)
    normal = np.linalg.norm(ours.frame[:, :3] - theirs.frame[:, :3], axis=1)
    tally.dist.extend(dist)
    tally.normal.extend(normal)
    tally.pos.extend(np.linalg.norm(ours.pos - theirs.pos, axis=1))
    for k in np.flatnonzero((dist > SAME_DEPTH) | (normal > SAME_NORMAL)):
        if is_right(both, corners, int(k)):
            tally.proven += 1
        else:
            what = f"dist {ours.dist[k]:.9f}, MuJoCo {theirs.dist[k]:.9f}, normals {normal[k]:.2g}"
            tally.unproven.append(f"{what}, qpos {both.data.qpos.tolist()}")


def main() -> int:
    """Print a line for each kind of geom; 1 if a contact is not shown to be right."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print(
        "| pair | contacts at most | poses | sunk | as many | distance to 1e-6 | normal to 1e-2 "
        "| proven otherwise |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    unproven = []
    for kind in GEOMS:
        found = Tally()
        for pose in POSES:
            found.add(compare(kind, pose, count))
            found.add(compare(kind, pose, count, margin=MARGIN, gap=GAP, seed=1))
        print(
            f"| hfield-{kind} | {found.most} | {found.poses:,} | {found.sunk:,} | {found.same:.1%} "
            f"| {found.share('dist', SAME_DEPTH):.1%} | {found.share('normal', SAME_NORMAL):.1%} "
            f"| {found.proven:,} |",
            flush=True,
        )
        unproven += [f"hfield-{kind}: {what}" for what in found.unproven]
    print(*unproven, sep="\n")
    return 1 if unproven else 0


if __name__ == "__main__":
    raise SystemExit(main())
