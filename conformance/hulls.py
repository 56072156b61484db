"""Hulls of real robots against each other, and lying on planes: contacts against MuJoCo's.

Meshes that collide are taken from the public models. Pairs of them are put into poses as
`conformance.convex` does it, from a tenth of a millimetre to 50 mm deep, and deeper with one
centre; and each hull is laid on a plane with each of its flat sides. What differs from MuJoCo's
answer has to be proven.

    python -m conformance.hulls [pairs of hulls] [poses of each]
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.cases import public_folder
from conformance.convex import FEWER, POSES, SAME_DEPTH, SAME_NORMAL, Tally, compare_pair
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.compare.oracle import muted_warnings
from cortenforge.enums import GeomType

__all__ = ["collect_hulls", "compare_hulls", "lay_on_plane", "mesh_asset"]

#: how deep a hull is laid into a plane
SUNK = 1e-3
#: polygons with as many corners are sides on which a hull can lie
LEAST_CORNERS = 4


def mesh_asset(name: str, points: np.ndarray) -> str:
    """MJCF of a mesh with these vertices."""
    return f'<mesh name="{name}" vertex="{" ".join(f"{x:.9g}" for x in points.ravel())}"/>'


def collect_hulls(folder: Path) -> dict[str, np.ndarray]:
    """Vertices of the hulls that collide in the scenes of a folder of robots, by robot and mesh."""
    found: dict[str, np.ndarray] = {}
    for file in sorted(folder.glob("*/scene*.xml")):
        model = load_reference(file)
        for g in np.flatnonzero(model.geom_type == int(GeomType.MESH)):
            mesh = int(model.geom_dataid[g])
            name = f"{file.parent.name}/{model.mesh(mesh).name}"
            at = int(model.mesh_graphadr[mesh])
            if at >= 0 and (model.geom_contype[g] or model.geom_conaffinity[g]):
                count = int(model.mesh_graph[at])
                corners = model.mesh_graph[at + 2 + count : at + 2 + 2 * count]
                vertices = model.mesh_vert[int(model.mesh_vertadr[mesh]) :]
                found.setdefault(name, vertices[corners].astype(float))
    return found


def compare_hulls(hulls: dict[str, np.ndarray], pairs: int, poses: int, seed: int = 0) -> Tally:
    """Pairs of hulls that are drawn, each in so many poses of each kind."""
    rng, names, tally = np.random.default_rng(seed), list(hulls), Tally()
    for number in range(pairs):
        chosen = [names[k] for k in rng.choice(len(names), 2)]
        assets = "".join(mesh_asset(f"hull{k}", hulls[name]) for k, name in enumerate(chosen))
        for pose in POSES:
            count = poses if pose != "concentric" else max(1, poses // FEWER)
            found = compare_pair(("hull0", "hull1"), pose, count, seed=number, assets=assets)
            found.unproven = [f"{' '.join(chosen)} {text}" for text in found.unproven]
            tally.add(found)
    return tally


def _facing_down(normal: np.ndarray, quat: np.ndarray) -> np.ndarray:
    """The orientation of a body in which a normal in the axes of its geom points straight down."""
    mujoco = mujoco_module()
    around = np.linalg.svd(normal[None])[2][1:]
    axes = np.stack((*around, np.cross(*around)))
    axes[2] *= np.sign(axes[2] @ normal)
    axes[1] *= np.linalg.det(axes)
    down = np.diag((1.0, -1.0, -1.0)) @ axes
    turned, back, found = np.zeros(4), np.zeros(4), np.zeros(4)
    mujoco.mju_mat2Quat(turned, down.ravel())
    mujoco.mju_negQuat(back, quat)
    mujoco.mju_mulQuat(found, turned, back)
    return found


def _lay(data: Any, reference: Any, theirs: Any, side: int) -> tuple[int, int]:
    """Lay both meshes on a side; contacts of both engines."""
    mujoco = mujoco_module()
    theirs.qpos[:3] = 0.0
    theirs.qpos[3:] = _facing_down(reference.mesh_polynormal[side], reference.geom_quat[1])
    mujoco.mj_kinematics(reference, theirs)
    low = reference.mesh_vert.astype(float) @ theirs.geom_xmat[1].reshape(3, 3)[2]
    theirs.qpos[2] = -SUNK - low.min() - theirs.geom_xpos[1, 2]
    data.qpos[:] = theirs.qpos
    data.collide()
    mujoco.mj_fwdPosition(reference, theirs)
    return data.ncon, theirs.ncon


def lay_on_plane(points: np.ndarray) -> Counter[tuple[int, int]]:
    """How often a hull on each of its flat sides has so many contacts here and so many there."""
    text = (
        f"<mujoco><asset>{mesh_asset('hull', points)}</asset><worldbody>"
        '<geom type="plane" size="1 1 1"/><body><freejoint/><geom type="mesh" mesh="hull"/></body>'
        "</worldbody></mujoco>"
    )
    data, reference = cf.Model.from_mjcf(text).make_data(), load_reference(text)
    theirs = mujoco_module().MjData(reference)
    sides = np.flatnonzero(reference.mesh_polyvertnum >= LEAST_CORNERS)
    return Counter(_lay(data, reference, theirs, int(side)) for side in sides)


def main() -> int:
    """Print both tables; 1 if an answer that differs is not proven."""
    pairs, poses = (int(x) for x in (*sys.argv[1:], 200, 35)[:2])
    folder = public_folder()
    if folder is None:
        print("There are no public models; set CORTENFORGE_MODELS.")
        return 1
    warnings.simplefilter("ignore")
    with muted_warnings():
        hulls = collect_hulls(folder / "menagerie")
        found = compare_hulls(hulls, pairs, poses)
        rests = sum((lay_on_plane(points) for points in hulls.values()), Counter())
    fewer = found.poses - found.counted - found.more
    print(f"{len(hulls)} hulls, {found.poses:,} poses: as many contacts in {found.same:.2%},")
    print(f"more than MuJoCo in {found.more}, fewer in {fewer};")
    print(f"distance to 1e-6 {found.share('dist', SAME_DEPTH):.2%}, ", end="")
    print(f"normal to 1e-2 {found.share('normal', SAME_NORMAL):.2%}")
    print(f"proven otherwise {found.proven}, not proven {len(found.unproven)}")
    print(*found.unproven, sep="\n")
    print("on planes, contacts (here, there):", *sorted(rests.items()))
    return 1 if found.unproven else 0


if __name__ == "__main__":
    raise SystemExit(main())
