"""Mesh files to arrays: STL (binary and ASCII), OBJ, MuJoCo's own binary format."""

from __future__ import annotations

import os
import re
import struct
import warnings
from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.mesh_polygon import split_faces

TYPES = {
    ".stl": "model/stl",
    ".obj": "model/obj",
    ".msh": "model/vnd.mujoco.msh",
}
LARGEST_COORDINATE = 2.0**30

STL_VERTEX = re.compile(rb"\bvertex[ \t]+([^\r\n]*)")


class MeshError(ValueError):
    """What is wrong with a mesh; the caller knows which mesh and which file."""


def _rows(width: int) -> np.ndarray:
    return np.zeros((0, width), np.float32)


def _triples() -> np.ndarray:
    return np.zeros((0, 3), np.int32)


@dataclass
class RawMesh:
    """A mesh as it is given: arrays without rows are not given."""

    vert: np.ndarray = field(default_factory=lambda: _rows(3))
    normal: np.ndarray = field(default_factory=lambda: _rows(3))
    texcoord: np.ndarray = field(default_factory=lambda: _rows(2))
    face: np.ndarray = field(default_factory=_triples)
    facenormal: np.ndarray = field(default_factory=_triples)
    facetexcoord: np.ndarray = field(default_factory=_triples)
    texcoord_per_vertex: bool = True
    flat: bool = False  # made without a volume, so that its mass is on its surface


def decode(data: bytes, name: str, content_type: str) -> RawMesh:
    """A mesh from the bytes of a file; its type is given, or told by the name's ending."""
    kind = content_type or TYPES.get(os.path.splitext(name)[1].lower(), "")
    decoders = {"model/stl": _stl, "model/obj": _obj, "model/vnd.mujoco.msh": _msh}
    if kind not in decoders:
        raise MeshError("expected a file of type STL, OBJ or MSH")
    if not data:
        raise MeshError("the file is empty")
    return decoders[kind](data)


def _stl(data: bytes) -> RawMesh:
    """Triangles with corners of their own; equal corners become one vertex."""
    if len(data) >= 84 and len(data) == 84 + 50 * struct.unpack_from("<I", data, 80)[0]:
        records = np.frombuffer(data, np.uint8, offset=84).reshape(-1, 50)
        corners = np.ascontiguousarray(records[:, 12:48]).view("<f4").reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        corners = numbers_of(STL_VERTEX.findall(data), 3).astype(np.float32)
    else:
        raise MeshError("neither a binary STL of the size its header says, nor an ASCII one")
    if not len(corners) or len(corners) % 3:
        raise MeshError("an STL file needs triangles of three vertices each")
    if np.any(np.abs(corners) > LARGEST_COORDINATE):
        raise MeshError(f"a coordinate is larger than {LARGEST_COORDINATE:g}")
    vert, index = welded(np.ascontiguousarray(corners, np.float32))
    return RawMesh(vert=vert, face=index.reshape(-1, 3))


def welded(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points without repetition, in the order in which they first appear, and who is who."""
    bits = points.view(np.uint32).astype(np.uint64)
    mixed = bits[:, 0] * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (bits[:, 1] + (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= (bits[:, 2] + (mixed >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
    _, first, index = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(bits[first[index]], bits):
        # two points mixed to one number: compare them in full
        whole = points.view(np.dtype((np.void, 12))).ravel()
        _, first, index = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return points[first[order]], rank[index.ravel()]


def _msh(data: bytes) -> RawMesh:
    """Four counts, then vertices, normals, texture coordinates and faces."""
    if data.startswith(b"$MeshFormat"):
        raise MeshError("GMSH files are not supported yet")
    if len(data) < 16:
        raise MeshError("an MSH file begins with four integers")
    nvert, nnormal, ntexcoord, nface = struct.unpack_from("<4i", data)
    if nvert < 4 or nface < 0 or nnormal not in (0, nvert) or ntexcoord not in (0, nvert):
        raise MeshError(
            f"bad counts: {nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates, "
            f"{nface} faces"
        )
    if len(data) != 16 + 12 * (nvert + nnormal + nface) + 8 * ntexcoord:
        raise MeshError("the file is not as long as its counts say")
    parts, start = [], 16
    for count, width, kind in ((nvert, 3, "f"), (nnormal, 3, "f"), (ntexcoord, 2, "f")):
        parts.append(np.frombuffer(data, f"<{kind}4", count * width, start).reshape(-1, width))
        start += 4 * count * width
    face = np.frombuffer(data, "<i4", 3 * nface, start).reshape(-1, 3).astype(np.int32)
    none = _triples()
    return RawMesh(
        *(part.astype(np.float32) for part in parts),
        face=face,
        facenormal=face if nnormal else none,
        facetexcoord=face if ntexcoord else none,
    )


def _obj(data: bytes) -> RawMesh:
    """All vertices of the file, and the faces of its first group that has any."""
    lines = _lines(data)
    vert, normal, texcoord = (
        numbers_of([line[cut:] for line in lines if line[:cut] == tag], width).astype(np.float32)
        for tag, cut, width in ((b"v ", 2, 3), (b"vn ", 3, 3), (b"vt ", 3, 2))
    )
    texcoord[:, 1] = np.float32(1) - texcoord[:, 1]
    raw = RawMesh(vert, normal, texcoord, texcoord_per_vertex=False)
    faces, end = _first_group(lines)
    if not faces:
        if any(line[:2] == b"l " for line in lines):
            raise MeshError("lines without faces make no mesh")
        return raw
    corner, counts = _corners(faces, lines[:end])
    if corner[:, 0].min() < 0 or corner[:, 0].max() >= len(vert):
        bad = int(np.argmax((corner[:, 0] < 0) | (corner[:, 0] >= len(vert))))
        raise MeshError(f"a face has vertex {corner[bad, 0] + 1}; there are {len(vert)}")
    picked = split_faces(corner[:, 0], counts, vert)
    if not len(picked):
        raise MeshError("no face has three vertices")
    raw.face = corner[picked, 0].reshape(-1, 3).astype(np.int32)
    if len(texcoord):
        raw.facetexcoord = _indices(corner[picked, 1], len(texcoord), "texture coordinate")
    if len(normal):
        raw.facenormal = _indices(corner[picked, 2], len(normal), "normal")
    return raw


def _indices(index: np.ndarray, count: int, what: str) -> np.ndarray:
    if index.min() < 0 or index.max() >= count:
        raise MeshError(f"a face has no {what}, or one beyond the {count} of the file")
    return index.reshape(-1, 3).astype(np.int32)


def _lines(data: bytes) -> list[bytes]:
    """Lines without blanks in front; blanks are spaces."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = data.replace(b"\t", b" ")
    lines = data.split(b"\n")
    if b"\n " in data or data[:1] == b" ":
        lines = [line.lstrip() for line in lines]
    return lines


def numbers_of(lines: list[bytes], width: int) -> np.ndarray:
    """A row of numbers from each line; numbers behind the first `width` are left out."""
    if not lines:
        return np.zeros((0, width))
    values = parsed(b" ".join(lines))
    given = len(values) // len(lines)
    if given * len(lines) != len(values) or given < width or len(lines[0].split()) != given:
        rows = [line.split()[:width] for line in lines]
        if any(len(row) < width for row in rows):
            raise MeshError(f"a line has fewer than {width} numbers")
        values, given = parsed(b" ".join(b" ".join(row) for row in rows)), width
    return values.reshape(len(lines), given)[:, :width]


def parsed(text: bytes, dtype: type = np.float64) -> np.ndarray:
    """Numbers separated by blanks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            return np.fromstring(text.decode("ascii"), dtype, sep=" ")
    except (DeprecationWarning, ValueError, UnicodeDecodeError):
        for token in text.split():
            try:
                dtype(token.decode("ascii"))
            except (ValueError, UnicodeDecodeError):
                shown = token[:40].decode("ascii", "replace")
                raise MeshError(f"'{shown}' is not a number") from None
        raise MeshError("numbers cannot be read") from None


def _first_group(lines: list[bytes]) -> tuple[list[bytes], int]:
    """Faces up to the next group or object, and the line on which they end."""
    heads = [line[:2] for line in lines]
    if b"f " not in heads:
        return [], len(lines)
    first = heads.index(b"f ")
    marks = (heads.index(tag, first) for tag in (b"g ", b"o ", b"g", b"o") if tag in heads[first:])
    end = min(marks, default=len(lines))
    found = [line[2:] for line in lines[first:end] if line[:2] == b"f "]
    return found, end


def _corners(faces: list[bytes], lines: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Vertex, texture coordinate and normal of each corner (-1 for none); corners a face."""
    counts = np.array([len(face.split()) for face in faces])
    text = b" ".join(faces)
    slashes = np.array([face.count(b"/") for face in faces])
    doubles = text.count(b"//")
    total = int(counts.sum())
    uniform = b"-" not in text and total > 0
    corner = np.full((total, 3), -1, np.int64)
    if uniform and not slashes.any():
        corner[:, 0] = _whole(text, total) - 1
    elif uniform and doubles == 0 and np.array_equal(slashes, counts):
        corner[:, :2] = _whole(text.replace(b"/", b" "), 2 * total).reshape(-1, 2) - 1
    elif uniform and doubles == total and np.array_equal(slashes, 2 * counts):
        corner[:, ::2] = _whole(text.replace(b"//", b" "), 2 * total).reshape(-1, 2) - 1
    elif uniform and doubles == 0 and np.array_equal(slashes, 2 * counts):
        corner[:, :] = _whole(text.replace(b"/", b" "), 3 * total).reshape(-1, 3) - 1
    else:
        return _mixed_corners(lines), counts
    return corner, counts


def _whole(text: bytes, count: int) -> np.ndarray:
    values = parsed(text, np.int64)
    if len(values) != count:
        raise MeshError("a face has a corner that cannot be read")
    return values


def _mixed_corners(lines: list[bytes]) -> np.ndarray:
    """Corners of any form, line by line: counted from the end so far if negative."""
    seen = {b"v": 0, b"vt": 0, b"vn": 0}
    found: list[tuple[int, ...]] = []
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] in seen:
            seen[words[0]] += 1
        elif words[0] == b"f":
            found.extend(_corner(word, tuple(seen.values())) for word in words[1:])
    return np.array(found, np.int64).reshape(-1, 3)


def _corner(word: bytes, seen: tuple[int, ...]) -> tuple[int, ...]:
    parts = [*word.split(b"/"), b"", b""][:3]
    try:
        given = [int(part) if part else None for part in parts]
    except ValueError:
        shown = word[:40].decode("ascii", "replace")
        raise MeshError(f"'{shown}' is no corner of a face") from None
    if 0 in given or given[0] is None:
        raise MeshError("indices of faces begin at 1")
    return tuple(
        -1 if one is None else one - 1 if one > 0 else count + one
        for one, count in zip(given, seen, strict=True)
    )
