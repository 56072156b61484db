"""`python -m conformance.rays`: random rays against every type of geom, held against MuJoCo's.

MuJoCo may miss what lies exactly on an edge between two triangles, which random rays never do.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import mujoco
import numpy as np

import cortenforge as cf

__all__ = ["SHAPES", "Rays", "Sight", "compare_rays", "random_rays", "ray_model", "their_hits"]

TOLERANCE = 1e-9
RAYS_A_SHAPE = 10_000

#: elevations of a field that is oblong, with oblong cells
_HEIGHTS = np.random.default_rng(7).random(12 * 9)
ASSETS = f"""<asset>
  <mesh name="torus" builtin="supertorus" params="20 .5 .7 1.3" scale=".5 .4 .6"/>
  <mesh name="wedge" builtin="wedge" params="6 5 40 30 .3"/>
  <mesh name="rod" builtin="cone" params="7 .3" scale=".02 .02 1"/>
  <mesh name="field" builtin="supertorus" params="20 .5 .7 1.3" scale=".3 .4 .35"/>
  <hfield name="hills" nrow="12" ncol="9" size="1 .7 .5 .2"
          elevation="{" ".join(f"{x:.6f}" for x in _HEIGHTS)}"/>
</asset>"""
SHAPES: dict[str, str] = {
    "plane": 'type="plane" size="0 0 .1"',
    "rectangle": 'type="plane" size="1 .7 .1"',
    "sphere": 'type="sphere" size=".4"',
    "capsule": 'type="capsule" size=".2 .4"',
    "ellipsoid": 'type="ellipsoid" size=".2 .4 .6"',
    "cylinder": 'type="cylinder" size=".3 .5"',
    "box": 'type="box" size=".3 .5 .2"',
    "mesh": 'type="mesh" mesh="torus"',
    "open mesh": 'type="mesh" mesh="wedge"',
    "thin mesh": 'type="mesh" mesh="rod"',
    "hfield": 'type="hfield" hfield="hills"',
    "sdf": 'type="sdf" mesh="field"',
}
CENTRE = np.array([0.1, 0.2, 0.3])


@dataclass(frozen=True)
class Rays:
    """Starts and directions (n, 3)."""

    pnt: np.ndarray
    vec: np.ndarray


@dataclass(frozen=True)
class Sight:
    """How far our rays agree with MuJoCo's.

    apart:  rays that one engine sees end and the other does not, or on another geom.
    error:  largest difference of distances, beyond one as a share of the distance.
    normal: largest difference of normals.
    """

    rays: int
    hits: int
    apart: int
    error: float
    normal: float

    @property
    def agrees(self) -> bool:
        """Whether they agree."""
        return self.apart == 0 and self.error < TOLERANCE and self.normal < 1e-7


def ray_model(geoms: str) -> str:
    """A model of one turned body with some geoms."""
    return f"""<mujoco>{ASSETS}<worldbody><body pos="{" ".join(map(str, CENTRE))}"
      euler="20 30 40">{geoms}</body></worldbody></mujoco>"""


def random_rays(rng: np.random.Generator, count: int) -> Rays:
    """Rays at what is around the centre; a quarter start there, some run along axes."""
    pnt = rng.normal(size=(count, 3))
    aim = rng.normal(size=(count, 3)) * 0.3 + CENTRE
    near = count // 4
    pnt[:near] = rng.normal(size=(near, 3)) * 0.2 + CENTRE
    vec = (aim - pnt) * rng.uniform(0.1, 3, size=(count, 1))
    straight = slice(near, near + count // 8)
    axis = rng.integers(3, size=count // 8)
    vec[straight] = np.eye(3)[axis] * rng.choice([-1.0, 1.0], size=(count // 8, 1))
    return Rays(pnt, vec)


def their_hits(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    rays: Rays,
    group: np.ndarray | None = None,
    static: bool = True,
    body: int = -1,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances, geoms and normals, by mj_ray."""
    count = len(rays.vec)
    dist, geom, normal = np.zeros(count), np.zeros((count, 1), np.int32), np.zeros((count, 3))
    for i in range(count):
        dist[i] = mujoco.mj_ray(
            model, data, rays.pnt[i], rays.vec[i], group, static, body, geom[i], normal[i]
        )
    return dist, geom[:, 0], normal


def compare_rays(text: str, rays: Rays) -> Sight:
    """Cast rays in both engines, in a model at rest."""
    theirs = mujoco.MjModel.from_xml_string(text)
    their_data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, their_data)
    data = cf.Model.from_mjcf(text).make_data()
    data.geom_xpos[:], data.geom_xmat[:] = their_data.geom_xpos, their_data.geom_xmat
    dist, geom, normal = their_hits(theirs, their_data, rays)
    ours = data.multi_ray(rays.pnt, rays.vec, normal=True)
    assert ours.normal is not None
    hit = (dist >= 0) & (ours.dist >= 0)
    return Sight(
        len(dist),
        int(hit.sum()),
        int(((dist >= 0) != (ours.dist >= 0)).sum() + (geom != ours.geomid).sum()),
        float((np.abs(dist - ours.dist) / np.maximum(1, dist))[hit].max(initial=0)),
        float(np.abs(normal - ours.normal)[hit].max(initial=0)),
    )


def main(arguments: list[str] | None = None) -> int:
    """Sweep over all types of geoms; how many do not agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rays", type=int, default=RAYS_A_SHAPE)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    bad = 0
    for number, (name, geom) in enumerate(SHAPES.items()):
        rng = np.random.default_rng([chosen.seed, number])
        found = compare_rays(ray_model(f"<geom {geom}/>"), random_rays(rng, chosen.rays))
        bad += not found.agrees
        print(
            f"{name:10s} {found.rays} rays, {found.hits} hits, {found.apart} apart, distances to "
            f"{found.error:.1e}, normals to {found.normal:.1e}"
        )
    return bad


if __name__ == "__main__":
    sys.exit(main())
