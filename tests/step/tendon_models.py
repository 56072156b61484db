"""Models of tendons that wrap around geoms in many ways."""

from __future__ import annotations

import numpy as np

HEAD = '<mujoco><option><flag contact="disable" energy="enable"/></option>'


def wraps(seed: int, count: int = 40) -> str:
    """Tendons from the world to a ball and a slide, each around a geom of its own.

    Half of the geoms are cylinders; a third of the paths has no side site, a third one outside and
    a third one inside of the geom.
    """
    rng = np.random.default_rng(seed)

    def at(size: float) -> str:
        return " ".join(f"{x:.17g}" for x in rng.normal(size=3) * size)

    fixed, moving, paths = [], [], []
    for i in range(count):
        kind = ("sphere", "cylinder")[i % 2]
        shape = f'type="{kind}" size="{rng.uniform(0.1, 0.5):.3g} .3"'
        geom = f'<geom name="g{i}" {shape} pos="{at(0.2)}" euler="{at(50)}" mass=".1"/>'
        (fixed if i % 4 < 2 else moving).append(geom)
        fixed.append(f'<site name="a{i}" pos="{at(0.6)}"/><site name="o{i}" pos="{at(0.8)}"/>')
        moving.append(f'<site name="b{i}" pos="{at(0.6)}"/>')
        # inside of the geom, wherever that is
        inside = geom.split('pos="')[1].split('"')[0]
        (fixed if i % 4 < 2 else moving).append(f'<site name="i{i}" pos="{inside}"/>')
        side = ("", f'sidesite="o{i}"', f'sidesite="i{i}"')[i % 3]
        paths.append(
            f'<spatial stiffness="2" damping=".1"><site site="a{i}"/><geom geom="g{i}" {side}/>'
            f'<site site="b{i}"/></spatial>'
        )
    return (
        f'{HEAD}<worldbody>{"".join(fixed)}<body><joint type="ball"/><joint type="slide"/>'
        f'{"".join(moving)}<geom size=".1" mass="3"/></body></worldbody>'
        f"<tendon>{''.join(paths)}</tendon></mujoco>"
    )


def arm(path: str, numbers: str = "", geoms: str = "") -> str:
    """One hinge about y in the origin, sites `a` in the world and `b` on the arm, one tendon."""
    return (
        f'{HEAD}<worldbody><site name="a" pos="-.5 0 .1"/><site name="up" pos="0 0 1"/>{geoms}'
        '<body><joint name="h" axis="0 1 0"/><geom size=".05" pos=".5 0 0"/>'
        '<site name="b" pos=".5 0 .1"/></body></worldbody>'
        f"<tendon>{path.format(numbers=numbers)}</tendon></mujoco>"
    )
