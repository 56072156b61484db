"""What collision is measured on: robots, crowds of them, piles, stacks, meshes.

What is not bundled is looked for among public models, in a copy of MuJoCo's Menagerie that
CORTENFORGE_MENAGERIE names, and in packages that `make packages` fetches.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.subjects import menagerie_file
from conformance.cases import packages_folder, public_folder

__all__ = ["SPEEDS", "Crowd", "crowds", "missing_crowds", "pile", "robots", "scattered", "shaft"]

#: how many times as fast as MuJoCo the stage must be: one world, and a world in lanes
SPEEDS: dict[str, tuple[float, float]] = {
    "humanoid": (4.0, 8.0),
    "ant": (3.0, 1.0),
    "half-cheetah": (3.0, 1.0),
    "22 humanoids": (3.0, 1.0),
    "shadow hand": (1.5, 1.0),
    "G1": (1.5, 1.0),
    "50 mixed primitives": (1.3, 3.0),
    "500 boxes at rest": (1.3, 1.0),
    "100 meshes": (1.0, 1.0),
    "rough terrain": (1.0, 1.0),
}
#: robots by where they are: in the public models, in the Menagerie, in a package
PUBLIC = {
    "humanoid": "mujoco/humanoid/humanoid.xml",
    "22 humanoids": "mujoco/humanoid/22_humanoids.xml",
    "cube 3x3x3": "mujoco/cube/cube_3x3x3.xml",
}
MENAGERIE = {"shadow hand": "shadow_hand/right_hand.xml", "G1": "unitree_g1/g1.xml"}
GYMNASIUM = {"ant": "ant.xml", "half-cheetah": "half_cheetah.xml"}
SIZES = {
    "sphere": ".07",
    "capsule": ".05 .06",
    "box": ".07 .06 .05",
    "cylinder": ".06 .05",
    "ellipsoid": ".08 .06 .05",
}


@dataclass(frozen=True)
class Crowd:
    """A model to measure: its name, and its file or its text."""

    name: str
    source: Path | str


def crowds() -> list[Crowd]:
    """Everything that this machine has."""
    found = [Crowd(name, file) for name, file in robots().items() if file is not None]
    return [
        *found,
        Crowd("50 spheres and capsules", pile(50, ("sphere", "capsule"))),
        Crowd("200 spheres and capsules", pile(200, ("sphere", "capsule"))),
        Crowd("50 cylinders and boxes", pile(50, ("cylinder", "box"))),
        Crowd("50 mixed primitives", pile(50, tuple(SIZES))),
        Crowd("500 boxes at rest", stacks(100, 5)),
        Crowd("100 meshes", meshes(100)),
        Crowd("rough terrain", terrain()),
    ]


def missing_crowds() -> list[str]:
    """What is not measured because this machine lacks it."""
    return [name for name, file in robots().items() if file is None]


def robots() -> dict[str, Path | None]:
    """Robots by name, and their files; None where this machine lacks one."""
    public = public_folder()
    package = packages_folder() / "gymnasium" / "envs" / "mujoco" / "assets"
    found = {name: public / path if public else None for name, path in PUBLIC.items()}
    found |= {name: menagerie_file(path) for name, path in MENAGERIE.items()}
    found |= {name: package / path for name, path in GYMNASIUM.items()}
    return {name: file if file and file.is_file() else None for name, file in found.items()}


def _world(bodies: list[str], before: str = "", floor: str = "") -> str:
    floor = floor or '<geom type="plane" size="5 5 .1"/>'
    return (
        f'<mujoco><option timestep=".004"/>{before}<worldbody>{floor}{"".join(bodies)}'
        "</worldbody></mujoco>"
    )


def _free(pos: np.ndarray, turn: np.ndarray, geom: str) -> str:
    place, euler = (" ".join(f"{x:.3f}" for x in numbers) for numbers in (pos, turn))
    return f'<body pos="{place}" euler="{euler}"><freejoint/><geom {geom}/></body>'


def pile(count: int, kinds: tuple[str, ...]) -> str:
    """Bodies that fall on a plane."""
    rng = np.random.default_rng(0)
    side = 0.4 * np.sqrt(max(1.0, count / 50))
    bodies = []
    for n in range(count):
        kind = kinds[n % len(kinds)]
        pos = rng.uniform((-side, -side, 0.2), (side, side, 3))
        bodies.append(_free(pos, rng.uniform(-180, 180, 3), f'type="{kind}" size="{SIZES[kind]}"'))
    return _world(bodies)


def shaft(count: int) -> str:
    """Boxes that fall into a shaft of three by three, where all of them touch in the end."""
    rng = np.random.default_rng(0)
    wide, apart = 0.3, 0.19
    walls = "".join(
        f'<geom type="plane" size="5 5 .1" pos="{x} {y} 0" zaxis="{-x} {-y} 0"/>'
        for x, y in ((wide, 0), (-wide, 0), (0, wide), (0, -wide))
    )
    bodies = [
        _free(
            np.array([apart * (n % 3 - 1), apart * (n // 3 % 3 - 1), 0.15 + apart * (n // 9)]),
            rng.uniform(-180, 180, 3),
            f'type="box" size="{SIZES["box"]}"',
        )
        for n in range(count)
    ]
    return _world(bodies, floor='<geom type="plane" size="5 5 .1"/>' + walls)


def stacks(count: int, high: int) -> str:
    """Boxes that rest on each other, turned a little, and on a plane."""
    wide = int(np.ceil(np.sqrt(count)))
    bodies = [
        _free(
            np.array([0.3 * (n % wide), 0.3 * (n // wide), 0.05 + 0.1 * level]),
            np.array([0.0, 0.0, 7.0 * level + 3.0 * n]),
            'type="box" size=".05 .05 .05"',
        )
        for n in range(count)
        for level in range(high)
    ]
    return _world(bodies)


def meshes(count: int) -> str:
    """Hulls of 8 to 400 vertices that fall into a heap on a box."""
    rng = np.random.default_rng(0)
    assets = []
    for n, corners in enumerate((8, 20, 50, 100, 200, 400)):
        points = rng.normal(size=(corners, 3))
        points *= (0.07, 0.06, 0.05) / np.linalg.norm(points, axis=1)[:, None]
        assets.append(
            f'<mesh name="m{n}" vertex="{" ".join(f"{x:.5f}" for x in points.ravel())}"/>'
        )
    side = 0.4 * np.sqrt(count / 50)
    bodies = [
        _free(
            rng.uniform((-side, -side, 0.2), (side, side, 2)),
            rng.uniform(-180, 180, 3),
            f'type="mesh" mesh="m{n % len(assets)}"',
        )
        for n in range(count)
    ]
    floor = f'<geom type="box" size="{3 * side} {3 * side} .1" pos="0 0 -.1"/>'
    return _world(bodies, f"<asset>{''.join(assets)}</asset>", floor)


def terrain(count: int = 20, grid: int = 100) -> str:
    """Boxes, capsules and meshes that fall on a rough height field."""
    rng = np.random.default_rng(0)
    heights = " ".join(f"{x:.3f}" for x in rng.uniform(0, 1, grid * grid))
    blob = rng.normal(size=(60, 3))
    blob *= 0.12 / np.linalg.norm(blob, axis=1, keepdims=True)
    vertices = " ".join(f"{x:.4f}" for x in blob.ravel())
    assets = (
        f'<asset><mesh name="m" vertex="{vertices}"/><hfield name="h" nrow="{grid}" '
        f'ncol="{grid}" size="2.5 2.5 .1 .1" elevation="{heights}"/></asset>'
    )
    kinds = (
        'type="box" size=".1 .15 .08"',
        'type="capsule" size=".06 .15"',
        'type="mesh" mesh="m"',
    )
    bodies = [
        _free(rng.uniform((-2, -2, 0.3), (2, 2, 0.6)), np.zeros(3), kinds[n % 3])
        for n in range(count)
    ]
    return _world(bodies, assets, '<geom type="hfield" hfield="h"/>')


def scattered(count: int) -> str:
    """Spheres and capsules above a plane, as many in a litre however many there are."""
    rng = np.random.default_rng(0)
    side = 0.5 * np.sqrt(count * 0.004)
    kinds = ("sphere", "capsule")
    bodies = [
        _free(
            rng.uniform((-side, -side, 0.0), (side, side, 1.0)),
            rng.uniform(-180, 180, 3),
            f'type="{kinds[n % 2]}" size="{SIZES[kinds[n % 2]]}"',
        )
        for n in range(count)
    ]
    return _world(bodies)
