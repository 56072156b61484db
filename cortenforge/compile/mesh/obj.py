"""OBJ files to arrays, parsed as whole arrays of bytes: lines are many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.mesh.ear_clipping import triangulate_faces
from cortenforge.compile.mesh.raw_mesh import (
    NEWLINE,
    MeshError,
    RawMesh,
    count_words,
    parse_numbers,
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
        parse_rows(lines.joined(lines.tagged(tag), tag), width).astype(np.float32)
        for tag, width in ((b"v ", 3), (b"vn ", 3), (b"vt ", 2))
    )
    texcoord[:, 1] = np.float32(1) - texcoord[:, 1]
    raw = RawMesh(vert, normal, texcoord, texcoord_per_vertex=False)
    faces, end = _first_group(lines)
    if not len(faces):
        if len(lines.tagged(b"l ")):
            raise MeshError("lines without faces make no mesh")
        return raw
    corner, counts = _corners(lines.joined(faces, b"f "), lines.text[: lines.start[end]])
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


def _corners(faces: bytes, before: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Vertex, texture coordinate and normal of each corner (-1 for none); corners per face."""
    counts, slashes = count_words(faces)
    doubles = faces.count(b"//")
    total = int(counts.sum())
    uniform = b"-" not in faces and total > 0
    corner = np.full((total, 3), -1, np.int64)
    if uniform and not slashes.any():
        corner[:, 0] = _whole(faces, total) - 1
    elif uniform and doubles == 0 and np.array_equal(slashes, counts):
        corner[:, :2] = _whole(faces.replace(b"/", b" "), 2 * total).reshape(-1, 2) - 1
    elif uniform and doubles == total and np.array_equal(slashes, 2 * counts):
        corner[:, ::2] = _whole(faces.replace(b"//", b" "), 2 * total).reshape(-1, 2) - 1
    elif uniform and doubles == 0 and np.array_equal(slashes, 2 * counts):
        corner[:, :] = _whole(faces.replace(b"/", b" "), 3 * total).reshape(-1, 3) - 1
    else:
        return _mixed_corners(before.split(b"\n")), counts
    return corner, counts


def _whole(text: bytes, count: int) -> np.ndarray:
    values = parse_numbers(text, np.int64)
    if len(values) != count:
        raise MeshError("a face has a corner that cannot be read")
    return values


def _mixed_corners(lines: list[bytes]) -> np.ndarray:
    """Corners of any form, line by line; negative indices count from the end so far."""
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
        raise MeshError(
            f"'{shown}' is not a corner of a face: expected v, v/vt, v//vn or v/vt/vn"
        ) from None
    if 0 in given or given[0] is None:
        raise MeshError("indices of faces begin at 1")
    return tuple(
        -1 if one is None else one - 1 if one > 0 else count + one
        for one, count in zip(given, seen, strict=True)
    )
