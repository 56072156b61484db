"""Meshes laid out as arrays, one behind the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cortenforge.compile.mesh.meshes import Mesh
    from cortenforge.compile.mesh.shape import Shape

Arrays = dict[str, np.ndarray]
# rows of all meshes: (name, width, type, what its length is counted in)
ROWS = (
    ("vert", 3, np.float32, "nmeshvert"),
    ("normal", 3, np.float32, "nmeshnormal"),
    ("texcoord", 2, np.float32, "nmeshtexcoord"),
    ("face", 3, np.int32, "nmeshface"),
    ("facenormal", 3, np.int32, ""),
    ("facetexcoord", 3, np.int32, ""),
    ("graph", 0, np.int32, "nmeshgraph"),
    ("polynormal", 3, np.float64, "nmeshpoly"),
    ("polyvert", 0, np.int32, "nmeshpolyvert"),
    ("polyvertnum", 0, np.int32, ""),
    ("polymap", 0, np.int32, "nmeshpolymap"),
    ("polymapnum", 0, np.int32, ""),
)
# (name of the address, name of the count, rows that are counted)
RANGES = (
    ("vertadr", "vertnum", "vert"),
    ("normaladr", "normalnum", "normal"),
    ("texcoordadr", "texcoordnum", "texcoord"),
    ("faceadr", "facenum", "face"),
    ("graphadr", "", "graph"),
    ("polyadr", "polynum", "polynormal"),
)
OCTREE = (
    ("oct_depth", 0, np.int32),
    ("oct_child", 8, np.int32),
    ("oct_aabb", 6, np.float64),
    ("oct_coeff", 8, np.float64),
)
# addresses that are -1 where there is nothing
OPTIONAL = ("texcoordadr", "graphadr")


def mesh_arrays(meshes: list[Mesh]) -> tuple[Arrays, dict[str, int]]:
    """Arrays of meshes and their sizes."""
    shapes = [mesh.shape for mesh in meshes]
    arrays = {f"mesh_{name}": _rows(shapes, name, width, kind) for name, width, kind, _ in ROWS}
    for address, count, name in RANGES:
        num = np.array([len(shape.arrays[name]) for shape in shapes], np.int32)
        arrays[f"mesh_{address}"] = _starts(num, optional=address in OPTIONAL)
        if count:
            arrays[f"mesh_{count}"] = num
    for name in ("polyvert", "polymap"):
        arrays[f"mesh_{name}adr"] = _starts(arrays[f"mesh_{name}num"])
    arrays["mesh_scale"] = np.array([mesh.scale for mesh in meshes], float).reshape(-1, 3)
    arrays["mesh_pos"] = np.array([shape.pos for shape in shapes], float).reshape(-1, 3)
    arrays["mesh_quat"] = np.array([shape.quat for shape in shapes], float).reshape(-1, 4)
    extrema = [shape.arrays["extrema"] for shape in shapes]
    arrays["mesh_extrema"] = np.array(extrema, np.int32).reshape(-1, 27)
    cells = [shape.arrays for shape in shapes if "oct_depth" in shape.arrays]
    for name, width, kind in OCTREE:
        nothing = np.zeros((0, width) if width else 0, kind)
        arrays[name] = np.concatenate([nothing, *(part[name] for part in cells)])
    count = np.array([len(shape.arrays.get("oct_depth", ())) for shape in shapes], np.int32)
    arrays["mesh_octadr"], arrays["mesh_octnum"] = _starts(count, optional=True), count
    sizes = {size: len(arrays[f"mesh_{name}"]) for name, _, _, size in ROWS if size}
    sizes |= {"nmesh": len(meshes), "noct": len(arrays["oct_depth"])}
    sizes["nmeshdegmax"] = int(arrays["mesh_polymapnum"].max(initial=0))
    return arrays, sizes


def _rows(shapes: list[Shape], name: str, width: int, kind: type) -> np.ndarray:
    nothing = np.zeros((0, width) if width else 0, kind)
    return np.concatenate([nothing, *(shape.arrays[name] for shape in shapes)])


def _starts(num: np.ndarray, *, optional: bool = False) -> np.ndarray:
    """Where parts of so many rows begin."""
    first = (np.cumsum(num) - num).astype(np.int32)
    return np.where(num > 0, first, -1).astype(np.int32) if optional else first
