"""Contacts that fast geoms would have within a step, against MuJoCo's.

Two geoms fly and turn towards each other, sides on sides but for their turning, a metre in a step.
`python -m conformance.speculative` takes 500 throws a pair and prints the table of the docs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np

import cortenforge as cf
from conformance.convex import ASSETS, GEOMS
from cortenforge.compare import load_reference, mujoco_module

KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "cube")
#: also a plane, which stays where it is
TARGETS = ("plane", *KINDS)
#: geoms that GJK knows to ccd_tolerance only
ROUND = {"ellipsoid", "cylinder"}
#: how fast they are: aside, and turning; the second falls, the first comes to meet it
ASIDE, TURNING, FALL, RISE = 10.0, 8.0, -500.0, 100.0


@dataclass
class Tally:
    """What a comparison came to.

    counted:  throws with as many contacts as MuJoCo has.
    dist:     largest difference of effective distances in each of these, as a share of the largest.
    normal:   that of normals.
    pos:      how far the contact is from ours that is farthest, in metres.
    """

    throws: int = 0
    counted: int = 0
    dist: list[float] = field(default_factory=list)
    normal: list[float] = field(default_factory=list)
    pos: list[float] = field(default_factory=list)

    def share(self, name: str, tolerance: float) -> float:
        """Share of the throws in which a difference is within a tolerance."""
        return float(np.mean(np.array(getattr(self, name)) <= tolerance))


def scene(first: str, second: str) -> str:
    """MJCF of two free geoms, or of one above a plane."""
    shape = {**GEOMS, "plane": 'type="plane" size="5 5 1"'}
    one = f"<geom {shape[first]}/>"
    if first != "plane":
        one = f"<body><freejoint/>{one}</body>"
    return (
        '<mujoco><option timestep=".002"><flag speculative="enable"/></option>'
        f"<asset>{ASSETS}</asset><worldbody>{one}"
        f'<body pos="0 0 1"><freejoint/><geom {shape[second]}/></body></worldbody></mujoco>'
    )


def throw(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of so many free bodies, the last a metre above the others."""
    qpos, qvel = np.zeros((count, 7)), rng.normal(size=(count, 6)) * ([ASIDE] * 3 + [TURNING] * 3)
    for body in range(count):
        angle = rng.integers(4) * np.pi / 2
        qpos[body, 3] = np.cos(angle / 2)
        qpos[body, 4 + rng.integers(3)] = np.sin(angle / 2)
    qpos[-1, :3] = (*rng.normal(size=2) * 0.02, 1.0)
    qvel[:-1, 2] += RISE
    qvel[-1, 2] += FALL
    return qpos.ravel(), qvel.ravel()


def compare_pair(first: str, second: str, count: int, seed: int = 0) -> Tally:
    """Throw two geoms at each other in both engines."""
    mujoco, text = mujoco_module(), scene(first, second)
    data, reference = cf.Model.from_mjcf(text).make_data(), load_reference(text)
    theirs, tally = mujoco.MjData(reference), Tally(throws=count)
    rng = np.random.default_rng([seed, *map(ord, first + second)])
    for _ in range(count):
        qpos, qvel = throw(1 if first == "plane" else 2, rng)
        for side in (data, theirs):
            side.qpos[:], side.qvel[:] = qpos, qvel
        mujoco.mj_forward(reference, theirs)
        data.collide()
        ours, other = data.contact, theirs.contact
        if len(ours) != len(other):
            continue
        tally.counted += 1
        if len(ours):
            largest = max(1.0, float(np.abs(other.dist).max()))
            apart = np.linalg.norm(ours.pos[:, None] - other.pos[None], axis=2)
            tally.dist.append(float(np.abs(ours.dist - other.dist).max()) / largest)
            tally.normal.append(float(np.abs(ours.frame[:, :3] - other.frame[:, :3]).max()))
            tally.pos.append(float(apart.min(axis=0).max()))
    return tally


def main() -> int:
    """Print a line for each pair; 1 if numbers of contacts differ."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print("| pair | throws | as many | distance to 1e-6 | places to 1e-9 | to 1e-5 |")
    print("|---|---:|---:|---:|---:|---:|")
    missed = 0
    for number, second in enumerate(KINDS):
        for first in TARGETS[: number + 2]:
            found = compare_pair(first, second, count)
            missed += found.throws - found.counted
            print(
                f"| {first}-{second} | {found.throws:,} | {found.counted / found.throws:.1%} "
                f"| {found.share('dist', 1e-6):.1%} | {found.share('pos', 1e-9):.1%} "
                f"| {found.share('pos', 1e-5):.1%} |",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
