"""OBJ files to arrays: lines are found in arrays of bytes, numbers are read by kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.mesh.ear_clipping import triangulate_faces
from cortenforge.compile.mesh.obj_kernels import plain_corners, plain_rows
from cortenforge.compile.mesh.raw_mesh import (
    NEWLINE,
    MeshError,
    RawMesh,
    parse_rows,
)

#: lines before and behind which other groups of faces are
GROUPS = (b"g ", b"o ", b"g\n", b"o\n")


@dataclass(frozen=True)
class Lines:
    """Lines of a text that ends with a newline: their starts, and their first three bytes."""

    text: bytes
    start: np.ndarray
    head: np.ndarray

    def tagged(self, tag: bytes) -> np.ndarray:
        """Indices of the lines that start with a tag."""
        same = [self.head[k] == byte for k, byte in enumerate(tag)]
        return np.flatnonzero(np.logical_and.reduce(same))

    def joined(self, picked: np.ndarray, tag: bytes) -> bytes:
        """These lines without their tags, each ended by a newline."""
        if not len(picked):
            return b""
        wanted = np.zeros(len(self.start) - 1, bool)
        wanted[picked] = True
        kept = np.frombuffer(self.text, np.uint8)[np.repeat(wanted, np.diff(self.start))]
        lines: bytes = b"\n" + kept.tobytes()
        return lines.replace(b"\n" + tag, b"\n")[1:]


def decode_obj(data: bytes) -> RawMesh:
    """All vertices of the file, and the faces of its first group that has any."""
    lines = _lines(data)
    vert, normal, texcoord = (
        _rows(lines, tag, width).astype(np.float32)
        for tag, width in ((b"v ", 3), (b"vn ", 3), (b"vt ", 2))
    )
    texcoord[:, 1] = np.float32(1) - texcoord[:, 1]
    raw = RawMesh(vert, normal, texcoord, texcoord_per_vertex=False)
    faces, end = _first_group(lines)
    if not len(faces):
        if len(lines.tagged(b"l ")):
            raise MeshError("lines without faces make no mesh")
        return raw
    corner, counts = _corners(lines, faces, end)
    if corner[:, 0].min() < 0 or corner[:, 0].max() >= len(vert):
        bad = int(np.argmax((corner[:, 0] < 0) | (corner[:, 0] >= len(vert))))
        raise MeshError(f"a face has vertex {corner[bad, 0] + 1}; there are {len(vert)}")
    picked = triangulate_faces(corner[:, 0], counts, vert)
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


def _lines(data: bytes) -> Lines:
    """Lines without leading blanks; tabs become spaces."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = data.replace(b"\t", b" ")
    if b"\n " in data or data[:1] == b" ":
        data = b"\n".join(line.lstrip() for line in data.split(b"\n"))
    text = data + b"\n"
    padded = np.frombuffer(text + b"\0\0\0", np.uint8)
    start = np.append(0, np.flatnonzero(padded == NEWLINE) + 1)
    return Lines(text, start, np.stack([padded[start[:-1] + k] for k in range(3)]))


def _first_group(lines: Lines) -> tuple[np.ndarray, int]:
    """Faces up to the next group or object, and the line on which they end."""
    faces = lines.tagged(b"f ")
    end = len(lines.start) - 1
    if len(faces):
        marks = np.concatenate([lines.tagged(tag) for tag in GROUPS])
        end = int(marks[marks > faces[0]].min(initial=end))
    return faces[faces < end], end


def _rows(lines: Lines, tag: bytes, width: int) -> np.ndarray:
    """The first `width` numbers of each line with a tag."""
    picked = lines.tagged(tag)
    found = plain_rows(lines.text, lines.start[picked] + len(tag), width)
    return parse_rows(lines.joined(picked, tag), width) if found is None else found


def _corners(lines: Lines, faces: np.ndarray, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertex, texture coordinate and normal of each corner (-1 for none); corners per face.

    faces: the lines of faces;  end: the line on which they end.
    """
    tag = b"f "
    # each corner takes two bytes
    most = int((lines.start[faces + 1] - lines.start[faces]).sum()) // 2
    found = plain_corners(lines.text, lines.start[faces] + len(tag), most)
    if found is None:
        return _other_corners(lines.text[: lines.start[end]].split(b"\n"))
    return found


def _other_corners(lines: list[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Corners of any form, line by line; negative indices count from the end so far."""
    seen = {b"v": 0, b"vt": 0, b"vn": 0}
    found: list[tuple[int, ...]] = []
    counts = []
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] in seen:
            seen[words[0]] += 1
        elif words[0] == b"f":
            found.extend(_corner(word, tuple(seen.values())) for word in words[1:])
            counts.append(len(words) - 1)
    return np.array(found, np.int64).reshape(-1, 3), np.array(counts, np.int64)


def _corner(word: bytes, seen: tuple[int, ...]) -> tuple[int, ...]:
    parts = [*word.split(b"/"), b"", b""][:3]
    try:
        given = [int(part) if part else None for part in parts]
    except ValueError:
        shown = word[:40].decode("ascii", "replace")
        raise MeshError(
            f"'{shown}' is not a corner of a face: expected v, v/vt, v//vn or v/vt/vn"
        ) from None
    if 0 in given or given[0] is None:
        raise MeshError("indices of faces begin at 1")
    return tuple(
        -1 if one is None else one - 1 if one > 0 else count + one
        for one, count in zip(given, seen, strict=True)
    )
