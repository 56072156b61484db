"""Small inputs that ask for much time or memory: linear work, or a bound that is named."""

from __future__ import annotations

import struct
import time
import zipfile
import zlib

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compile.mesh import ear_clipping
from cortenforge.read import read_mjcf

#: each of these took minutes or did not end; they take some tenths of a second
SECONDS = 20.0
MESH = """<mujoco><asset><mesh name="m" file="a.obj"/></asset>
<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
TEXTURE = '<mujoco><asset><texture name="t" type="2d" file="a.png"/></asset></mujoco>'
HFIELD = '<mujoco><asset><hfield name="h" size="1 1 1 1" file="a.png"/></asset></mujoco>'


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """The kernel that clips polygons is compiled before time is taken."""
    cf.Model.from_mjcf(MESH, assets={"a.obj": ring(2000)})


@pytest.fixture(autouse=True)
def in_time(compiled):
    start = time.monotonic()
    yield
    assert time.monotonic() - start < SECONDS


# XML ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["<!--", "<?", "<![CDATA["])
@pytest.mark.parametrize("head", ["", "<mujoco>"])
def test_beginnings_without_ends(word, head):
    """A megabyte of comments that never end."""
    with pytest.raises(cf.MjcfError, match=r"broken XML|begins with"):
        read_mjcf(head + word * (2**20 // len(word)))


def test_many_attributes():
    crowd = " ".join(f'a{i}="1"' for i in range(200_000))
    with pytest.raises(cf.MjcfError, match="200000 attributes; at most 1000 are read"):
        read_mjcf(f"<mujoco><worldbody><geom {crowd}/></worldbody></mujoco>")
    with pytest.raises(cf.UrdfError, match="200001 attributes; at most 1000 are read"):
        cf.Model.from_urdf(f"<robot name='r'><link name='l' {crowd}/></robot>")


@pytest.mark.filterwarnings("ignore::cortenforge.UrdfWarning")
def test_many_namespaces():
    spaces = " ".join(f'xmlns:a{i}="{i}"' for i in range(2000))
    robot = f"<robot name='r' {spaces}><link name='l'/>{{}}</robot>"
    cf.Model.from_urdf(robot.format("<a7:x/>" * 20_000))
    with pytest.raises(cf.UrdfError, match="2000 namespaces; at most 100 are read"):
        cf.Model.from_urdf(robot.format("<x a7:y='1'/>"))


@pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")
def test_text_between_nested_tags():
    """Each tag has text, and a long rest inside."""
    rest = "<site/>" * 3000 + "z" * 10**6
    spec = read_mjcf(
        "<mujoco><worldbody>" + "<body>x" * 300 + rest + "</body>" * 300 + "</worldbody></mujoco>"
    )
    assert len(spec.worldbody.children) == 1


def test_prefixes_and_sections_are_read_as_before():
    """CDATA of texts, and names with prefixes, of elements and of attributes."""
    model = cf.Model.from_mjcf(
        "<mujoco><custom><text name='t'><![CDATA[a < b]]></text></custom></mujoco>"
    )
    assert model.text("t") == "a < b"
    with pytest.warns(cf.UrdfWarning, match="p:x"):
        cf.Model.from_urdf(
            "<robot name='r' xmlns:p='http://p'><link name='l'/><p:x p:y='1'/></robot>"
        )


# meshes ---------------------------------------------------------------------------------------


def ring(count: int) -> bytes:
    """An OBJ file with one face, a regular polygon."""
    angle = 2 * np.pi * np.arange(count) / count
    rows = [f"v {np.cos(a):.7f} {np.sin(a):.7f} 0" for a in angle]
    apex = "v 0 0 1\n"
    around = "".join(f"f {i + 1} {(i + 1) % count + 1} {count + 1}\n" for i in range(0, count, 7))
    face = "f " + " ".join(str(i + 1) for i in range(count)) + "\n"
    return ("\n".join(rows) + "\n" + apex + face + around).encode()


def test_a_face_of_many_corners():
    """It is cut into as many triangles as a polygon has."""
    model = cf.Model.from_mjcf(MESH, assets={"a.obj": ring(2000)})
    assert model.mesh_facenum[0] == 1998 + len(range(0, 2000, 7))


def test_a_face_of_too_many_corners(monkeypatch):
    monkeypatch.setattr(ear_clipping, "MOST_TESTS", 10**6)
    with pytest.raises(cf.MjcfError, match="a face of 20000 corners: more than 1000000 tests"):
        cf.Model.from_mjcf(MESH, assets={"a.obj": ring(20_000)})


# deformables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [1e-9, 1e-7, 1e-12])
def test_cells_that_are_too_many(cell):
    """Their number does not fit into an integer."""
    with pytest.raises(cf.SoftError, match="cells are too many, at most 2,000,000"):
        cf.SoftBody.ball(0.1, cell=cell)
    text = f"<softbody name='s' type='ball' size='.2 .2 .2' cell='{cell}'/>"
    with pytest.raises(cf.MjcfError, match="cells are too many"):
        cf.Model.from_mjcf(f"<mujoco><deformable>{text}</deformable></mujoco>")


def test_archives_of_meshes(tmp_path):
    """A small archive may unfold to any size, so none is opened."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.stl", bytes(10**7))
    for name in ("x.zip", "x.3mf", "x.tar.gz", "x"):
        (tmp_path / name).write_bytes((tmp_path / "x.zip").read_bytes())
        with pytest.raises(cf.SoftError, match="not supported, only stl, obj, ply, off, glb"):
            cf.Cloth.from_mesh(tmp_path / name)


def test_meshes_that_are_no_files(tmp_path):
    (tmp_path / "folder.stl").mkdir()
    (tmp_path / "zero.stl").symlink_to("/dev/zero")
    with pytest.raises(cf.SoftError, match=r"is a folder|cannot be read"):
        cf.Cloth.from_mesh(tmp_path / "folder.stl")
    with pytest.raises(cf.SoftError, match="is a device"):
        cf.Cloth.from_mesh(tmp_path / "zero.stl")
    with open(tmp_path / "large.stl", "wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(cf.SoftError, match="larger than the limit of 64 MB"):
        cf.SoftBody.from_mesh(tmp_path / "large.stl")


# pictures -------------------------------------------------------------------------------------


def part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, folded: bytes, *, interlaced: int = 0) -> bytes:
    """A grey picture of 8 bits."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", folded) + part(b"IEND", b"")


def test_pictures_that_are_too_large():
    """Known from their first bytes."""
    folded = zlib.compress(bytes(100))
    for wide, high in ((2**31 - 1, 2**31 - 1), (1, 2**26), (2**17, 1), (20_000, 20_000)):
        with pytest.raises(cf.MjcfError, match=f"an image of {wide} x {high} pixels; at most|bomb"):
            cf.Model.from_mjcf(TEXTURE, assets={"a.png": png(wide, high, folded)})
    with pytest.raises(cf.MjcfError, match="5000 x 5000 pixels; at most 16777216 are read"):
        cf.Model.from_mjcf(HFIELD, assets={"a.png": png(5000, 5000, folded)})


def test_pixels_that_unfold_to_more():
    folded = zlib.compress(bytes(10**8))
    with pytest.raises(cf.MjcfError, match="not the 20 bytes that they should be"):
        cf.Model.from_mjcf(TEXTURE, assets={"a.png": png(4, 4, folded)})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda z: z[:-1] + bytes([z[-1] ^ 1]), "incorrect data check"),
        (lambda z: z[:-4], "not the 20 bytes"),
        (lambda z: z + b"\0", "data follow its pixels"),
        (lambda z: zlib.compress(zlib.decompress(z) + b"\0"), "not the 20 bytes"),
        (lambda z: zlib.compress(zlib.decompress(z)[:-1]), "not the 20 bytes"),
        (lambda z: z[:2] + bytes([0xFF]) + z[3:], "cannot be decompressed"),
    ],
)
def test_streams_of_pixels_are_read_to_their_end(spoil, message):
    """Where Pillow has all pixels, it stops; MuJoCo's reader goes on, and so do we."""
    folded = zlib.compress(bytes(20))
    assert cf.Model.from_mjcf(TEXTURE, assets={"a.png": png(4, 4, folded)}).ntex == 1
    with pytest.raises(cf.MjcfError, match=message):
        cf.Model.from_mjcf(TEXTURE, assets={"a.png": png(4, 4, spoil(folded))})


def test_interlaced_pictures():
    """Seven passes, of which small pictures lack some."""
    sizes = {(1, 1): 2, (2, 1): 4, (1, 5): 10, (5, 5): 36, (8, 8): 79, (9, 3): 34}
    for (wide, high), count in sizes.items():
        good = png(wide, high, zlib.compress(bytes(count)), interlaced=1)
        assert cf.Model.from_mjcf(TEXTURE, assets={"a.png": good}).ntex == 1
        for other in (count - 1, count + 1):
            bad = png(wide, high, zlib.compress(bytes(other)), interlaced=1)
            with pytest.raises(cf.MjcfError, match=f"not the {count} bytes"):
                cf.Model.from_mjcf(TEXTURE, assets={"a.png": bad})


def test_mutants_as_in_mujoco():
    """What MuJoCo refuses is refused, and what it takes is taken."""
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(3)
    taken = 0
    for _ in range(150):
        wide, high = rng.integers(1, 10, 2).tolist()
        rows = rng.integers(0, 5, (high, 1 + wide), np.uint8)
        folded = bytearray(zlib.compress(rows.tobytes(), int(rng.integers(0, 10))))
        if rng.integers(4):
            folded[rng.integers(len(folded))] ^= 1 << int(rng.integers(8))
        assets = {"a.png": png(wide, high, bytes(folded))}
        answers = []
        for load in (cf.Model.from_mjcf, mujoco.MjModel.from_xml_string):
            try:
                load(TEXTURE, assets)
                answers.append(True)
            except (cf.MjcfError, ValueError):
                answers.append(False)
        assert answers[0] == answers[1], assets["a.png"].hex()
        taken += answers[0]
    assert 10 < taken < 140
