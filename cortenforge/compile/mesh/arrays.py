"""Meshes concatenated into the Model's arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.compile.pack.field_arrays import (
    arrays_of_objects,
    block_addresses,
    concatenated_field,
    field_array,
)

if TYPE_CHECKING:
    from cortenforge.compile.mesh.meshes import Mesh

Arrays = dict[str, np.ndarray]
# rows of all meshes, and what their number is called where it is a size of the model
ROWS = {
    "vert": "nmeshvert",
    "normal": "nmeshnormal",
    "texcoord": "nmeshtexcoord",
    "face": "nmeshface",
    "facenormal": "",
    "facetexcoord": "",
    "graph": "nmeshgraph",
    "polynormal": "nmeshpoly",
    "polyvert": "nmeshpolyvert",
    "polyvertnum": "",
    "polymap": "nmeshpolymap",
    "polymapnum": "",
}
# (name of the address, name of the count, rows that are counted)
RANGES = (
    ("vertadr", "vertnum", "vert"),
    ("normaladr", "normalnum", "normal"),
    ("texcoordadr", "texcoordnum", "texcoord"),
    ("faceadr", "facenum", "face"),
    ("graphadr", "", "graph"),
    ("polyadr", "polynum", "polynormal"),
)
OCTREE = ("oct_depth", "oct_child", "oct_aabb", "oct_coeff")
# addresses that are -1 where there is nothing
OPTIONAL = ("texcoordadr", "graphadr")


def mesh_arrays(meshes: list[Mesh]) -> tuple[Arrays, dict[str, int]]:
    """Arrays of meshes and their sizes."""
    shapes = [mesh.shape for mesh in meshes]
    parts = [shape.arrays for shape in shapes]
    arrays = {
        f"mesh_{name}": concatenated_field(f"mesh_{name}", (part[name] for part in parts))
        for name in ROWS
    }
    for address, count, name in RANGES:
        num = [len(part[name]) for part in parts]
        arrays[f"mesh_{address}"] = block_addresses(num, optional=address in OPTIONAL)
        if count:
            arrays[f"mesh_{count}"] = field_array(f"mesh_{count}", num)
    for name in ("polyvert", "polymap"):
        arrays[f"mesh_{name}adr"] = block_addresses(arrays[f"mesh_{name}num"])
    arrays["mesh_scale"] = field_array("mesh_scale", (mesh.scale for mesh in meshes))
    arrays |= arrays_of_objects(
        shapes, {"mesh_pos": lambda s: s.pos, "mesh_quat": lambda s: s.quat}
    )
    arrays["mesh_extrema"] = field_array("mesh_extrema", (part["extrema"] for part in parts))
    arrays["hull_toward"] = field_array("hull_toward", (part["toward"] for part in parts))
    cells = [part for part in parts if "oct_depth" in part]
    arrays |= {name: concatenated_field(name, (part[name] for part in cells)) for name in OCTREE}
    leaves = [len(part.get("oct_depth", ())) for part in parts]
    arrays["mesh_octadr"] = block_addresses(leaves, optional=True)
    arrays["mesh_octnum"] = field_array("mesh_octnum", leaves)
    sizes = {size: len(arrays[f"mesh_{name}"]) for name, size in ROWS.items() if size}
    sizes |= {"nmesh": len(meshes), "noct": len(arrays["oct_depth"])}
    sizes["nmeshdegmax"] = int(arrays["mesh_polymapnum"].max(initial=0))
    return arrays, sizes
