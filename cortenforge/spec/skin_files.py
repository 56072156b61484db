"""MuJoCo's binary format for skins (SKN)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np

SKN_HEADER = 16
SKN_NAME = 40
SKN_BONE = SKN_NAME + 7 * 4 + 4


class SkinError(Exception):
    """What is wrong with a skin; the caller adds where."""


@dataclass
class RawBone:
    """The body that a bone is, where it was when the skin was drawn, and what it moves."""

    body: str
    pos: np.ndarray
    quat: np.ndarray
    vertid: np.ndarray
    weight: np.ndarray


@dataclass
class RawSkin:
    """A skin as it is given: vertices and triangles, and its bones."""

    vert: np.ndarray
    texcoord: np.ndarray
    face: np.ndarray
    bones: list[RawBone] = field(default_factory=list)


class _Reader:
    """Takes numbers off a file, and never past its end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int, what: str) -> bytes:
        if size > len(self.data) - self.at:
            raise SkinError(f"the file ends within its {what}")
        self.at += size
        return self.data[self.at - size : self.at]

    def numbers(self, count: int, kind: str, what: str) -> np.ndarray:
        return np.frombuffer(self.take(4 * count, what), kind).copy()


def decode_skn(data: bytes) -> RawSkin:
    """The contents of an SKN file."""
    file = _Reader(data)
    if len(data) < SKN_HEADER:
        raise SkinError(f"a file of {len(data)} bytes has no header")
    sizes = struct.unpack("<4i", file.take(SKN_HEADER, "header"))
    if min(sizes) < 0:
        raise SkinError(f"its header has a negative size: {' '.join(map(str, sizes))}")
    nvert, ntexcoord, nface, nbone = sizes
    skin = RawSkin(
        file.numbers(3 * nvert, "<f4", "vertices"),
        file.numbers(2 * ntexcoord, "<f4", "texture coordinates"),
        file.numbers(3 * nface, "<i4", "triangles"),
    )
    if nbone * SKN_BONE > len(data):
        raise SkinError(f"the file is too short for {nbone} bones")
    for i in range(nbone):
        skin.bones.append(_skn_bone(file, f"bone {i}"))
    if file.at != len(data):
        raise SkinError(f"the file has {len(data) - file.at} bytes too many")
    return skin


def _skn_bone(file: _Reader, what: str) -> RawBone:
    name = file.take(SKN_NAME, what).split(b"\0")[0][: SKN_NAME - 1].decode("utf-8", "replace")
    pose = file.numbers(7, "<f4", what)
    count = struct.unpack("<i", file.take(4, what))[0]
    if count < 1:
        raise SkinError(f"{what} moves {count} vertices; at least one is needed")
    vertid = file.numbers(count, "<i4", what)
    return RawBone(name, pose[:3], pose[3:], vertid, file.numbers(count, "<f4", what))
