"""Files of assets with bytes changed at random: a model or an `MjcfError`, nothing else."""

from __future__ import annotations

import io
import random
import struct
import warnings

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf
from cortenforge.errors import MjcfError

ROUNDS = 60
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
LOUD = [b"\0" * 4, b"\xff" * 4, b"nan ", b"-1e9", b"\x7f\x80\0\0", b"\n", b"99999999", b" / "]


def png(size: tuple[int, int] = (8, 8)) -> bytes:
    pixels = np.arange(size[0] * size[1], dtype=np.uint8).reshape(size)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def binary_stl() -> bytes:
    triangles = [
        struct.pack("<12f2x", 0, 0, 0, *(x for corner in face for x in CORNERS[corner]))
        for face in FACES
    ]
    return bytes(80) + struct.pack("<I", len(FACES)) + b"".join(triangles)


def obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
    return "\n".join(lines).encode()


def ascii_stl() -> bytes:
    rows = [f"vertex {x} {y} {z}" for face in FACES for x, y, z in (CORNERS[i] for i in face)]
    return ("solid x\n" + "\n".join(rows) + "\nendsolid\n").encode()


MESH = '<mesh name="a" file="{}"/>', '<geom type="mesh" mesh="a"/>'
FIELD = '<hfield name="a" file="{}" size="1 1 1 1"/>', '<geom type="hfield" hfield="a"/>'
TEXTURE = '<texture name="a" type="2d" file="{}"/>', '<geom size="1"/>'
FILES = {
    "a.stl": (binary_stl(), MESH),
    "text.stl": (ascii_stl(), MESH),
    "a.obj": (obj(), MESH),
    "a.msh": (
        struct.pack(
            "<4i12f12i",
            4, 0, 0, 4,
            *(x for corner in CORNERS for x in corner),
            *(i for face in FACES for i in face),
        ),
        MESH,
    ),
    "a.png": (png(), FIELD),
    "a.hf": (struct.pack("<2i6f", 2, 3, *range(6)), FIELD),
    "b.png": (png(), TEXTURE),
}  # fmt: skip


def mangled(data: bytes, chance: random.Random) -> bytes:
    """Some bytes replaced, cut out, put in, or the end cut off."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        cut = chance.choice([0, 0, 1, 4, len(data)])
        word = chance.choice([b"", bytes([chance.randrange(256)]), chance.choice(LOUD)])
        data = data[:at] + word + data[at + cut :]
    return data


def load(name: str, data: bytes) -> None:
    asset, geom = FILES[name][1]
    text = f"<mujoco><asset>{asset.format(name)}</asset><worldbody>{geom}</worldbody></mujoco>"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cf.Model.from_mjcf(text, {name: data})


@pytest.mark.parametrize("name", FILES)
def test_mangled_files(name: str) -> None:
    """The file itself loads; what becomes of it loads, too, or is refused with its place."""
    good = FILES[name][0]
    load(name, good)
    chance = random.Random(name)
    refused = 0
    for _ in range(ROUNDS):
        try:
            load(name, mangled(good, chance))
        except MjcfError as error:
            refused += 1
            assert error.element in ("mesh", "hfield", "texture", "geom"), error
            assert error.line == 1 and error.attribute, error
    assert refused > ROUNDS // 10
