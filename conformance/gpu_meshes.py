"""`python -m conformance.gpu_meshes`: depths of 10,000 random pairs of meshes on a GPU.

Convex hulls of 0.1 to 1 m, placed at random within a metre of the origin, against float64 on the
CPU from the same poses. In 99.9% of the pairs the depth must agree within 1e-5 m, and none is nan.
"""

from __future__ import annotations

import sys

import numpy as np

import cortenforge as cf
from cortenforge.gpu import GpuBatchSim
from cortenforge.model.internals import store_of

#: fixed and free meshes, each of which meets each of the others, and worlds: 10,000 pairs
FIXED, FREE, WORLDS = 5, 5, 400
SMALLEST, LARGEST, CORNERS = 0.1, 1.0, 14
SHARE, ALLOWED = 0.999, 1e-5


def meshes_model(random: np.random.Generator) -> cf.Model:
    """Hulls of random corners; fixed ones are moved as mocap bodies. Nothing is solved well."""
    assets, bodies = [], []
    for k in range(FIXED + FREE):
        extents = random.uniform(SMALLEST, LARGEST, size=3)
        corners = random.normal(size=(CORNERS, 3))
        corners /= np.linalg.norm(corners, axis=1, keepdims=True)
        numbers = " ".join(f"{x:.6f}" for x in (0.5 * extents * corners).ravel())
        assets.append(f'<mesh name="m{k}" vertex="{numbers}"/>')
        fixed = k < FIXED
        kind = "" if fixed else "<freejoint/>"
        mocap = 'mocap="true"' if fixed else ""
        masks = f'contype="{int(fixed)}" conaffinity="{int(not fixed)}"'
        geom = f'<geom type="mesh" mesh="m{k}" condim="1" {masks}/>'
        bodies.append(f"<body {mocap}>{kind}{geom}</body>")
    return cf.Model.from_mjcf(
        f'<mujoco><option iterations="1"/><asset>{"".join(assets)}</asset>'
        f"<worldbody>{''.join(bodies)}</worldbody></mujoco>"
    )


def random_poses(random: np.random.Generator, count: int) -> np.ndarray:
    """Positions in a ball of one metre and orientations, (WORLDS, count, 7), as f32 has them."""
    places = random.normal(size=(WORLDS, count, 3))
    places /= np.linalg.norm(places, axis=2, keepdims=True)
    places *= np.cbrt(random.uniform(size=(WORLDS, count, 1)))
    turns = random.normal(size=(WORLDS, count, 4))
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    poses: np.ndarray = np.concatenate([places, turns], axis=2).astype(np.float32)
    return poses.astype(np.float64)


def deepest(count: int, dist: np.ndarray, geoms: np.ndarray) -> np.ndarray:
    """Smallest distance of each pair, (FIXED, FREE); 0 for those that do not touch."""
    found = np.zeros((FIXED, FREE))
    for k in range(count):
        one, other = sorted(geoms[k])
        found[one, other - FIXED] = min(found[one, other - FIXED], dist[k])
        if np.isnan(dist[k]):
            found[one, other - FIXED] = np.nan
    return found


def main() -> int:
    random = np.random.default_rng(5)
    model = meshes_model(random)
    fixed, free = random_poses(random, FIXED), random_poses(random, FREE)
    expected: list[np.ndarray] = []
    rooms: dict[str, int] = {}
    for i in range(WORLDS):
        data = model.make_data()
        data.qpos = free[i].ravel()
        data.mocap_pos, data.mocap_quat = fixed[i, :, :3], fixed[i, :, 3:]
        data.forward()
        expected.append(deepest(data.ncon, data.contact_dist, data.contact_geom))
        for name, room in store_of(data).capacities.items():
            rooms[name] = max(rooms.get(name, 0), room)
    batch = GpuBatchSim(model, WORLDS, capacities=rooms)
    batch.qpos = free.reshape(WORLDS, -1)
    batch.mocap_pos, batch.mocap_quat = fixed[..., :3], fixed[..., 3:]
    # contacts are those of the state before the step
    failed = [error for error in batch.step_all() if error is not None]
    counts, dist, geoms = (
        np.asarray(getattr(batch, name)) for name in ("ncon", "contact_dist", "contact_geom")
    )
    found = np.array([deepest(counts[i], dist[i], geoms[i]) for i in range(WORLDS)])
    difference = np.abs(found - np.array(expected))
    share = np.mean(difference <= ALLOWED)
    touching = int((np.array(expected) < 0.0).sum())
    print(
        f"{found.size} pairs of meshes, {touching} touching: {share:.2%} within {ALLOWED:g} m, "
        f"largest difference {np.nanmax(difference):.1e} m, {np.isnan(found).sum()} nan, "
        f"{len(failed)} worlds failed"
    )
    for error in failed[:3]:
        print(error)
    return int(bool(failed) or np.isnan(found).any() or share < SHARE)


if __name__ == "__main__":
    sys.exit(main())
