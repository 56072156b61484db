"""Bad assets: each is refused with its file, line, element and attribute, and quickly.

The fault is on line 3 of every document.
"""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zlib

import pytest
from PIL import Image

from conformance.bounds import PEAK
from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

GIGABYTE = 2**30
GEOM = '<geom size="1"/>'


def picture(width: int = 8, height: int = 8) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), (10, 200, 30)).save(file, "PNG")
    return file.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def bomb(width: int, height: int, rows: int) -> bytes:
    """A PNG of a few kilobytes that claims to be large, all black, one bit a pixel."""
    data = zlib.compress(bytes(rows * (1 + (width + 7) // 8)), 9)
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def floats(rows: int, columns: int, *values: float) -> bytes:
    return struct.pack(f"<ii{len(values)}f", rows, columns, *values)


GOOD = picture()
FILES = {
    "a.png": GOOD,
    "wide.png": picture(8, 4),
    "big.png": picture(16, 16),
    "empty.png": b"",
    "text.png": b"hello",
    "cut.png": GOOD[: len(GOOD) // 2],
    "wrong.png": GOOD[:20] + b"\xff" + GOOD[21:],
    "sum.png": GOOD[:-17] + b"\xff" + GOOD[-16:],
    "pixel.png": GOOD[:45] + bytes([GOOD[45] ^ 1]) + GOOD[46:],
    "end.png": GOOD[:-1] + b"\xff",
    "gif.png": b"GIF89a" + bytes(40),
    "row.png": picture(5, 1),
    "bomb.png": bomb(2**30, 2**30, 0),
    "short.bin": b"\1\0",
    "none.bin": floats(0, 4),
    "negative.bin": floats(-2, -2, 1, 2, 3, 4),
    "long.bin": floats(2, 2, 1, 2, 3, 4, 5),
    "huge.bin": floats(2**20, 2**20, 1),
    "row.bin": floats(1, 3, 1, 2, 3),
    "nan.bin": floats(2, 2, 1, 2, float("nan"), 4),
    "inf.bin": floats(2, 2, 1, 2, float("inf"), 4),
    "k.ktx": b"\xabKTX",
    "empty.ktx": b"",
}

# the asset, then the element and the attribute that the error names
TEXTURES = [
    ('<texture builtin="flat" width="2"/>', "texture", "name"),
    ('<texture name="t"/>', "texture", "file"),
    ('<texture name="t" type="2d"/>', "texture", "file"),
    ('<texture name="t" type="2d" fileup="a.png"/>', "texture", "file"),
    ('<texture name="t" builtin="flat"/>', "texture", "width"),
    ('<texture name="t" builtin="flat" width="-1"/>', "texture", "width"),
    ('<texture name="t" builtin="flat" type="2d" width="2"/>', "texture", "height"),
    ('<texture name="t" builtin="flat" width="2" nchannel="4"/>', "texture", "nchannel"),
    ('<texture name="t" builtin="flat" width="2147483647"/>', "texture", "width"),
    ('<texture name="t" builtin="flat" width="2" rgb1="1 1"/>', "texture", "rgb1"),
    ('<texture name="t" builtin="flat" width="2" rgb2="1 1 nan"/>', "texture", "rgb2"),
    ('<texture name="t" builtin="spots" width="2"/>', "texture", "builtin"),
    ('<texture name="t" builtin="flat" mark="dots" width="2"/>', "texture", "mark"),
    ('<texture name="t" builtin="flat" width="2.5"/>', "texture", "width"),
    ('<texture name="t" type="3d"/>', "texture", "type"),
    ('<texture name="t" colorspace="srgb"/>', "texture", "colorspace"),
    ('<texture name="t" size="2"/>', "texture", "size"),
    ('<texture name="t" class="none"/>', "texture", "class"),
    ('<texture file="missing.png"/>', "texture", "file"),
    ('<texture file="/dev/zero"/>', "texture", "file"),
    ('<texture file="empty.png"/>', "texture", "file"),
    ('<texture file="text.png"/>', "texture", "file"),
    ('<texture file="cut.png"/>', "texture", "file"),
    ('<texture file="wrong.png"/>', "texture", "file"),
    ('<texture file="sum.png"/>', "texture", "file"),
    ('<texture file="pixel.png"/>', "texture", "file"),
    ('<texture file="end.png"/>', "texture", "file"),
    ('<texture file="gif.png"/>', "texture", "file"),
    ('<texture file="bomb.png"/>', "texture", "file"),
    ('<texture file="a.jpg"/>', "texture", "file"),
    ('<texture file="a"/>', "texture", "file"),
    ('<texture file="a.png" content_type="image/jpeg"/>', "texture", "content_type"),
    ('<texture file="a.png" content_type="png"/>', "texture", "content_type"),
    ('<texture file="a.png" nchannel="2" type="2d"/>', "texture", "nchannel"),
    ('<texture file="a.png" nchannel="4"/>', "texture", "nchannel"),
    ('<texture file="wide.png"/>', "texture", "gridsize"),
    ('<texture file="a.png" gridsize="3 2"/>', "texture", "gridsize"),
    ('<texture file="a.png" gridsize="0 2"/>', "texture", "gridsize"),
    ('<texture file="a.png" gridsize="4 4"/>', "texture", "gridsize"),
    ('<texture file="a.png" gridsize="2"/>', "texture", "gridsize"),
    ('<texture file="a.png" gridsize="2 2" gridlayout="RLU"/>', "texture", "gridlayout"),
    ('<texture file="a.png" gridsize="2 2" gridlayout="RLUX"/>', "texture", "gridlayout"),
    ('<texture name="t" fileup="wide.png"/>', "texture", "fileup"),
    ('<texture name="t" fileup="a.png" filedown="big.png"/>', "texture", "filedown"),
    ('<texture name="t" fileback="missing.png"/>', "texture", "fileback"),
    ('<texture file="k.ktx"/>', "texture", "nchannel"),
    ('<texture file="k.ktx" type="2d" hflip="true"/>', "texture", "hflip"),
    ('<texture file="empty.ktx" type="2d"/>', "texture", "file"),
    ('<texture file="a.png" embed="false"/>', "texture", "embed"),
    ('<texture name="t" builtin="flat" width="2" embed="false"/>', "texture", "embed"),
    ('<texture name="t" fileup="a.png" embed="false"/>', "texture", "embed"),
    ('<texture file="a.png" embed="false" vflip="true"/>', "texture", "embed"),
    ('<texture file="a.png"/><texture file="a.png"/>', "texture", "name"),
    ('<texture file="a.png"><layer/></texture>', "layer", None),
]

MATERIALS = [
    ("<material/>", "material", "name"),
    ('<material name="m" texture="none"/>', "material", "texture"),
    ('<material name="m"><layer role="orm" texture="none"/></material>', "layer", "texture"),
    ('<material name="m"><layer role="colour" texture="t"/></material>', "layer", "role"),
    ('<material name="m"><layer role="user" texture="t"/></material>', "layer", "role"),
    ('<material name="m"><layer role="rgb"/></material>', "layer", "texture"),
    ('<material name="m"><layer texture="t"/></material>', "layer", "role"),
    ('<material name="m" texture="t"><layer role="rgb" texture="t"/></material>', "layer", None),
    ('<material name="m"><layer role="rgb" texture="t"><x/></layer></material>', "x", None),
    ('<material name="m" rgba="1 1 1"/>', "material", "rgba"),
    ('<material name="m" texrepeat="1"/>', "material", "texrepeat"),
    ('<material name="m" emission="1e40"/>', "material", "emission"),
    ('<material name="m" texuniform="1"/>', "material", "texuniform"),
    ('<material name="m" class="none"/>', "material", "class"),
    ('<material name="m"/><material name="m"/>', "material", "name"),
    ('<material name="m" file="a.png"/>', "material", "file"),
]

SIZE = 'size="1 1 1 1"'
HFIELDS = [
    (f'<hfield name="h" file="sum.png" {SIZE}/>', "hfield", "file"),
    (f'<hfield name="h" file="pixel.png" {SIZE}/>', "hfield", "file"),
    (f'<hfield nrow="2" ncol="2" {SIZE}/>', "hfield", "name"),
    ('<hfield name="h" nrow="2" ncol="2"/>', "hfield", "size"),
    ('<hfield name="h" nrow="2" ncol="2" size="1 1 1"/>', "hfield", "size"),
    ('<hfield name="h" nrow="2" ncol="2" size="1 1 0 1"/>', "hfield", "size"),
    (f'<hfield name="h" {SIZE}/>', "hfield", "nrow"),
    (f'<hfield name="h" nrow="2" {SIZE}/>', "hfield", "ncol"),
    (f'<hfield name="h" nrow="-2" ncol="-2" {SIZE}/>', "hfield", "nrow"),
    (f'<hfield name="h" nrow="1" ncol="2" {SIZE}/>', "hfield", "nrow"),
    (f'<hfield name="h" nrow="2" ncol="1" {SIZE}/>', "hfield", "ncol"),
    (f'<hfield name="h" nrow="100000" ncol="100000" {SIZE}/>', "hfield", "nrow"),
    (f'<hfield name="h" nrow="2" ncol="2" elevation="1 2 3" {SIZE}/>', "hfield", "elevation"),
    (f'<hfield name="h" nrow="2" ncol="2" elevation="1 2 3 x" {SIZE}/>', "hfield", "elevation"),
    (f'<hfield name="h" nrow="2" ncol="2" elevation="1 2 3 nan" {SIZE}/>', "hfield", "elevation"),
    (f'<hfield name="h" nrow="2" ncol="2" elevation="1 2 3 2e10" {SIZE}/>', "hfield", "elevation"),
    (f'<hfield name="h" class="main" {SIZE}/>', "hfield", "class"),
    (f'<hfield file="missing.bin" {SIZE}/>', "hfield", "file"),
    (f'<hfield file="k.ktx" {SIZE}/>', "hfield", "content_type"),
    (f'<hfield file="short.bin" content_type="a" {SIZE}/>', "hfield", "content_type"),
    (f'<hfield file="none.bin" content_type="image/png" {SIZE}/>', "hfield", "file"),
    *[
        (f'<hfield file="{name}" {SIZE}/>', "hfield", "file")
        for name in FILES
        if name.endswith(".bin")
    ],
    *[
        (f'<hfield file="{name}" {SIZE}/>', "hfield", "file")
        for name in ("empty.png", "text.png", "cut.png", "row.png", "bomb.png")
    ],
]

CASES = [*TEXTURES, *MATERIALS, *HFIELDS]


def refused(text: str, **options) -> MjcfError:
    with pytest.raises(MjcfError) as caught:
        compile_spec(read_mjcf(text, **options))
    return caught.value


@pytest.mark.parametrize(("line", "element", "attribute"), CASES, ids=lambda case: str(case)[:50])
def test_bad_asset(line: str, element: str, attribute: str | None) -> None:
    """6a-S1: each is blamed on its line, element and attribute."""
    before = '<texture name="t" builtin="flat" width="1"/>' if "material" in line else ""
    error = refused(f"<mujoco>\n<asset>{before}\n{line}\n</asset></mujoco>", assets=FILES)
    assert (error.line, error.element, error.attribute) == (3, element, attribute)


@pytest.mark.parametrize(
    ("line", "element", "attribute"),
    [
        ('<geom size="1" material="x"/>', "geom", "material"),
        ('<site material="x"/>', "site", "material"),
        ('<light texture="x"/>', "light", "texture"),
        ('<geom type="hfield"/>', "geom", "hfield"),
        ('<geom type="hfield" hfield="x"/>', "geom", "hfield"),
        ('<geom size="1" hfield="h"/>', "geom", "hfield"),
        ('<geom type="hfield" hfield="h" fromto="0 0 0 1 0 0"/>', "geom", "fromto"),
        ('<site type="hfield"/>', "site", "type"),
        ('<geom size="1" texture="t"/>', "geom", "texture"),
    ],
)
def test_bad_reference(line: str, element: str, attribute: str) -> None:
    """6a-AC7, 6a-AC8: a geom that names no asset, or the wrong one, is blamed for it."""
    asset = f'<asset><hfield name="h" nrow="2" ncol="2" {SIZE}/></asset>'
    error = refused(f"<mujoco>\n{asset}<worldbody>\n{line}\n</worldbody></mujoco>")
    assert (error.line, error.element, error.attribute) == (3, element, attribute)


@pytest.mark.parametrize(
    ("line", "element", "attribute"),
    [
        ('<texture name="t"/>', "texture", "name"),
        ('<texture file="a.png"/>', "texture", "file"),
        ('<texture content_type="image/png"/>', "texture", "content_type"),
        ('<texture gridsize="2 2" gridlayout="R"/>', "texture", "gridlayout"),
        ("<texture/><texture/>", "texture", None),
        ('<material name="m"/>', "material", "name"),
        ('<material texture="t"><layer role="orm" texture="t"/></material>', "layer", None),
        ('<material><layer role="x" texture="t"/></material>', "layer", "role"),
        ('<light texture="t"/>', "light", "texture"),
        ("<hfield/>", "hfield", None),
    ],
)
def test_bad_default(line: str, element: str, attribute: str | None) -> None:
    error = refused(f"<mujoco>\n<default>\n{line}\n</default></mujoco>")
    assert (error.line, error.element, error.attribute) == (3, element, attribute)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('name="h" nrow="2" ncol="2"', 'name="h" nrow="3" ncol="3"'),
        ('file="a.png"', 'name="a" nrow="2" ncol="2"'),
    ],
    ids=["two names", "a file's name and a name"],
)
def test_two_height_fields_of_one_name(first: str, second: str) -> None:
    """6a-AC12: the second is refused, with the place of the first; a file's name counts."""
    text = f"<mujoco><asset>\n<hfield {first} {SIZE}/>\n<hfield {second} {SIZE}/></asset></mujoco>"
    error = refused(text, assets=FILES)
    assert (error.line, error.element, error.attribute) == (3, "hfield", "name")
    assert "is already taken by <string>:2" in error.message


def test_a_folder_and_a_pipe_are_no_images(tmp_path) -> None:
    (tmp_path / "folder.png").mkdir()
    os.mkfifo(tmp_path / "pipe.png")
    for name, says in (("folder.png", "is a folder"), ("pipe.png", "is a pipe")):
        path = tmp_path / "model.xml"
        path.write_text(f'<mujoco>\n<asset>\n<texture file="{name}"/></asset></mujoco>')
        error = refused(path)
        assert says in str(error) and (error.line, error.element) == (3, "texture")


SMALL_MODELS = {
    "textures": '<texture name="{}" builtin="gradient" width="800" mark="random"/>' * 2
    + '<texture name="{}" builtin="flat" width="2000"/>' * 40,
    "hfields": '<hfield name="{}" nrow="4000" ncol="4000" size="1 1 1 1"/>' * 40,
    "images": '<texture name="{}" type="2d" file="large.png" nchannel="4"/>' * 40,
}


@pytest.mark.parametrize("name", SMALL_MODELS)
def test_a_small_model_stays_small(tmp_path, name: str) -> None:
    """A few kilobytes cannot take more than a gigabyte or ten seconds."""
    count = SMALL_MODELS[name].count("{}")
    assets = SMALL_MODELS[name].format(*range(count))
    (tmp_path / "model.xml").write_text(f"<mujoco><asset>{assets}</asset></mujoco>")
    (tmp_path / "large.png").write_bytes(bomb(8000, 2000, 2000))
    program = (
        f"{PEAK}\nimport sys\n"
        "from cortenforge.compile import compile_spec\n"
        "from cortenforge.errors import MjcfError\n"
        "from cortenforge.read import read_mjcf\n"
        "try:\n    compile_spec(read_mjcf(sys.argv[1]))\n"
        "except MjcfError as error:\n    print('more than' in str(error))\n"
        "print(peak())\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "model.xml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    said, kilobytes = done.stdout.split()
    assert said == "True", done.stderr
    assert int(kilobytes) * 1024 < GIGABYTE
