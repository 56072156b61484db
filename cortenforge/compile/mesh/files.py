"""Mesh files to arrays: STL (binary and ASCII) and MuJoCo's MSH; OBJ is in `obj.py`."""

from __future__ import annotations

import os
import re
import struct

import numpy as np

from cortenforge.compile.mesh.obj import decode_obj
from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh, parse_rows
from cortenforge.compile.mesh.weld_kernels import merge_vertices

TYPES = {
    ".stl": "model/stl",
    ".obj": "model/obj",
    ".msh": "model/vnd.mujoco.msh",
}
LARGEST_COORDINATE = 2.0**30
CONVERT = "trimesh, MeshLab or Blender save other formats as STL or OBJ"

STL_VERTEX = re.compile(rb"\bvertex[ \t]+([^\r\n]*)")


def file_type(name: str, content_type: str) -> str:
    """The type of a file: given, or by the ending of its name."""
    kind = content_type or TYPES.get(os.path.splitext(name)[1].lower(), "")
    if kind not in TYPES.values():
        raise MeshError("expected a file of type STL, OBJ or MSH", hint=CONVERT)
    return kind


def decode(data: bytes, kind: str) -> RawMesh:
    """A mesh from a file's bytes."""
    decoders = {"model/stl": _stl, "model/obj": decode_obj, "model/vnd.mujoco.msh": _msh}
    if not data:
        raise MeshError("the file is empty")
    return decoders[kind](data)


def _stl(data: bytes) -> RawMesh:
    """STL: triangles with their own corners; equal corners are merged."""
    if len(data) >= 84 and len(data) == 84 + 50 * struct.unpack_from("<I", data, 80)[0]:
        records = np.frombuffer(data, np.uint8, offset=84).reshape(-1, 50)
        corners = np.ascontiguousarray(records[:, 12:48]).view("<f4").reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        corners = parse_rows(b"".join(line + b"\n" for line in STL_VERTEX.findall(data)), 3).astype(
            np.float32
        )
    else:
        raise MeshError("neither a binary STL of the size its header says, nor an ASCII one")
    if not len(corners) or len(corners) % 3:
        raise MeshError("an STL file needs triangles of three vertices each")
    if np.any(np.abs(corners) > LARGEST_COORDINATE):
        raise MeshError(f"a coordinate is larger than {LARGEST_COORDINATE:g}")
    vert, index = merge_vertices(np.ascontiguousarray(corners, np.float32))
    return RawMesh(vert=vert, face=index.reshape(-1, 3))


def _msh(data: bytes) -> RawMesh:
    """MSH: four counts, then vertices, normals, texture coordinates and faces."""
    if data.startswith(b"$MeshFormat"):
        raise MeshError("this is a GMSH file, not one of MuJoCo's own MSH files", hint=CONVERT)
    if len(data) < 16:
        raise MeshError("an MSH file begins with four integers")
    nvert, nnormal, ntexcoord, nface = struct.unpack_from("<4i", data)
    if nvert < 4 or nface < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise MeshError(
            f"bad counts: {nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates, "
            f"{nface} faces"
        )
    if len(data) != 16 + 12 * (nvert + nnormal + nface) + 8 * ntexcoord:
        raise MeshError("the length of the file does not fit its counts")
    parts, start = [], 16
    for count, width in ((nvert, 3), (nnormal, 3), (ntexcoord, 2)):
        part = np.frombuffer(data, "<f4", count * width, start).reshape(-1, width)
        parts.append(part.astype(np.float32))
        start += 4 * count * width
    face = np.frombuffer(data, "<i4", 3 * nface, start).reshape(-1, 3).astype(np.int32)
    none = np.zeros((0, 3), np.int32)
    return RawMesh(
        vert=parts[0],
        normal=parts[1],
        texcoord=parts[2],
        face=face,
        facenormal=face if nnormal else none,
        facetexcoord=face if ntexcoord else none,
    )
