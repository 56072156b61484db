"""Meshes equal MuJoCo's: files of every kind, attributes, inertia, fitted primitives."""

from __future__ import annotations

import json
import struct
import warnings

import numpy as np
import pytest

from conformance.cases import public_folder
from cortenforge import Model
from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError, MjcfWarning
from cortenforge.read import read_mjcf

from .oracle import differences, model_differences, mujoco

RNG = np.random.default_rng(5)


def numbers(array) -> str:
    return " ".join(repr(float(value)) for value in np.ravel(array))


CLOUD = RNG.normal(size=(20, 3)) * (1, 0.7, 0.4)
WEDGE = np.array([(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 0.5), (2, 0, 0.3), (0.1, 1, 0.6)])
TETRA = np.array([(0, 0, 0), (1, 0, 0), (0, 1.5, 0), (0, 0, 0.7)])
TETRA_FACES = np.array([(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)])


def el(points: np.ndarray = CLOUD, more: str = "") -> str:
    return f'<mesh name="a" vertex="{numbers(points)}" {more}/>'


def notch() -> tuple[np.ndarray, np.ndarray]:
    """An L-shaped bar with faces of its own: concave, closed, without symmetry."""
    outline = [(0, 0), (3, 0), (3, 1), (1.2, 1.1), (1, 4), (0, 4)]
    low = [(x, y, 0) for x, y in outline]
    high = [(x, y, 0.8 + 0.1 * x) for x, y in outline]
    caps = [(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)]
    faces = [(a, c, b) for a, b, c in caps] + [(a + 6, b + 6, c + 6) for a, b, c in caps]
    for i in range(6):
        j = (i + 1) % 6
        faces += [(i, j, j + 6), (i, j + 6, i + 6)]
    return np.array(low + high, float), np.array(faces)


def solid(more: str = "") -> str:
    points, faces = notch()
    face = " ".join(str(i) for i in faces.ravel())
    return el(points, f'face="{face}" {more}')


def model(asset: str, geom: str = 'type="mesh" mesh="a"', top: str = "") -> str:
    return (
        f"<mujoco>{top}<asset>{asset}</asset><worldbody><body><joint/><geom {geom}/></body>"
        "</worldbody></mujoco>"
    )


ATTRIBUTES = {
    "points": el(),
    "flat sides": el(WEDGE),
    "cube": el(np.array([(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)])),
    "faces": solid(),
    "exact": solid('inertia="exact"'),
    "convex": solid('inertia="convex"'),
    "shell": solid('inertia="shell"'),
    "scale": solid('scale="2 .5 1.5"'),
    "mirrored": solid('scale="-1 1 1"'),
    "mirrored twice": solid('scale="-1 -2 1"'),
    "mirrored hull": solid('scale="1 2 -1" inertia="convex"'),
    "refpos": solid('refpos="1 -2 3"'),
    "refquat": solid('refquat="1 2 -3 .5" refpos=".1 .2 .3" scale="1 2 3"'),
    "smooth": solid('smoothnormal="true"'),
    "normals": solid(f'normal="{numbers(RNG.normal(size=(12, 3)))}" scale="1 -2 3"'),
    "texcoord": solid(f'texcoord="{numbers(RNG.random((12, 2)))}"'),
    "maxhullvert": el(CLOUD, 'maxhullvert="8"'),
    "maxhullvert 4": el(CLOUD, 'maxhullvert="4"'),
    "named after its file": '<mesh file="some/where/a.obj"/>',
    "two": el() + f'<mesh name="b" vertex="{numbers(WEDGE)}"/>',
}


@pytest.mark.filterwarnings("ignore:.*convex hulls")
@pytest.mark.parametrize("asset", ATTRIBUTES.values(), ids=ATTRIBUTES.keys())
def test_attributes(asset):
    assets = {"a.obj": obj(TETRA, TETRA_FACES)}
    assert differences(model(asset), assets) == []


GEOMS = {
    "placed": 'type="mesh" mesh="a" pos="1 2 3" euler="10 20 30"',
    "mass": 'type="mesh" mesh="a" mass="2"',
    "no mass": 'type="mesh" mesh="a" mass="0"/><geom size=".1"',
    "density": 'type="mesh" mesh="a" density="10"',
    "size is left out": 'type="mesh" mesh="a" size="1 2 3"',
    "visual": 'type="mesh" mesh="a" contype="0" conaffinity="0"',
    "surface velocity": 'type="mesh" mesh="a" surfacevel="1 2 3 4 5 6" pos="1 0 0"',
    "fluid": 'type="mesh" mesh="a" fluidshape="ellipsoid"',
    "sphere": 'mesh="a" pos="1 0 0"',
    "capsule": 'type="capsule" mesh="a"',
    "cylinder": 'type="cylinder" mesh="a" fitscale="1.5"',
    "ellipsoid": 'type="ellipsoid" mesh="a"',
    "box": 'type="box" mesh="a" fitscale=".5" surfacevel="1 2 3 4 5 6"',
    "sizes given": 'type="capsule" mesh="a" size="1 2 3" fitscale="2"',
    "shell": 'type="box" mesh="a" shellinertia="true"',
}


@pytest.mark.parametrize("fit", ["false", "true"])
@pytest.mark.parametrize("geom", GEOMS.values(), ids=GEOMS.keys())
def test_geoms(geom, fit):
    long = el(CLOUD * (0.3, 0.4, 3))
    assert differences(model(long, geom, f'<compiler fitaabb="{fit}"/>')) == []


COMPILERS = {
    "discard": ('discardvisual="true"', "<geom {v}/>"),
    "discard one use": ('discardvisual="true"', '<geom {v}/><geom type="mesh" mesh="a"/>'),
    "discard fitted": ('discardvisual="true"', '<geom {v}/><geom type="box" mesh="b"/>'),
    "discard, site": ('discardvisual="true"', '<geom {v}/><site type="mesh" mesh="b"/>'),
    "fuse": ('fusestatic="true"', '<body><geom type="mesh" mesh="a" pos="1 0 0"/></body>'),
    "align": ('alignfree="true"', '<geom type="mesh" mesh="b"/>'),
    "site": ("", '<site type="mesh" mesh="b" pos="1 0 0"/><geom {v}/>'),
}


@pytest.mark.parametrize(("compiler", "inside"), COMPILERS.values(), ids=COMPILERS.keys())
def test_compilers(compiler, inside):
    visual = 'type="mesh" mesh="a" contype="0" conaffinity="0"'
    painted = solid(f'texcoord="{numbers(RNG.random(24))}"')
    text = (
        f"<mujoco><compiler {compiler}/><asset>{painted}"
        f'<mesh name="b" vertex="{numbers(WEDGE)}"/></asset><worldbody><body><freejoint/>'
        f"<geom size='.1'/>{inside.format(v=visual)}</body></worldbody></mujoco>"
    )
    assert differences(text) == []


def test_default_classes():
    top = (
        '<default><mesh scale="2 2 2" maxhullvert="9"/><default class="c"><mesh inertia="shell"/>'
        '<geom type="mesh" mesh="b"/></default></default>'
    )
    second = f'<mesh name="b" class="c" vertex="{numbers(WEDGE)}"/>'
    assert differences(model(el() + second, 'class="c"', top)) == []
    assert differences(model(el() + second, 'class="c" mesh="a"', top)) == []


BUILTINS = {
    "sphere 0": 'builtin="sphere" params="0"',
    "sphere 2": 'builtin="sphere" params="2" scale="1 2 3"',
    "hemisphere 0": 'builtin="hemisphere" params="0" scale="1 2 3"',
    "hemisphere 3": 'builtin="hemisphere" params="3" scale="1 2 3"',
    "cone": 'builtin="cone" params="5 0" scale="1 2 3"',
    "prism": 'builtin="cone" params="7 .5" scale="1 2 3"',
    "supersphere": 'builtin="supersphere" params="8 .5 1.5" scale="1 2 3"',
    "supertorus": 'builtin="supertorus" params="9 .4 1.5 .7" scale="1 2 3"',
    "wedge": 'builtin="wedge" params="4 5 40 30 .5" scale="1 2 3"',
    "plate": 'builtin="plate" params="4 5" scale="1 2 3"',
    "grid": 'builtin="grid" params="3 4 5 .1 .2 .3"',
    "flat grid": 'builtin="grid" params="3 4 1 .1 .2 .3 2"',
    "box": 'builtin="box" params="4 3 5 .1 .2 .3" scale="1 2 -1"',
    "open box": 'builtin="box" params="3 4 5 .1 .2 .3 2"',
    "smallest box": 'builtin="box" params="2 2 2 .1 .2 .3 2" inertia="convex"',
    "cylinder": 'builtin="cylinder" params="4 5 3 .1 .2 .3 3"',
    "open cylinder": 'builtin="cylinder" params="5 4 3 .1 .2 .3 2" inertia="exact"',
    "ellipsoid": 'builtin="ellipsoid" params="4 5 6 .1 .2 .3"',
    "open ellipsoid": 'builtin="ellipsoid" params="3 4 5 .1 .2 .3 2"',
    "square": 'builtin="square" params="3 4 1 .1 .2 .3"',
    "disc": 'builtin="disc" params="7 8 1 .1 .2 .3"',
    "other disc": 'builtin="disc" params="6 5 1 .3 .2 .3" inertia="legacy"',
}
FLAT = ("plate", "flat", "square", "disc")


@pytest.mark.filterwarnings("ignore:.*convex hulls")
@pytest.mark.parametrize("label", BUILTINS)
def test_builtins(label):
    flat = any(word in label for word in FLAT)
    geom = 'type="mesh" mesh="a"' + (' contype="0" conaffinity="0"' if flat else "")
    assert differences(model(f'<mesh name="a" {BUILTINS[label]}/>', geom)) == []


def stl(points: np.ndarray, faces: np.ndarray) -> bytes:
    """A binary STL file."""
    data = bytes(80) + struct.pack("<I", len(faces))
    for face in faces:
        data += bytes(12) + points[face].astype("<f4").tobytes() + bytes(2)
    return data


def ascii_stl(points: np.ndarray, faces: np.ndarray) -> bytes:
    """An ASCII STL file."""
    text = "solid thing\n"
    for face in faces:
        rows = "\n".join(f"vertex {numbers(np.float32(points[i]))}" for i in face)
        text += f"facet normal 0 0 1\nouter loop\n{rows}\nendloop\nendfacet\n"
    return (text + "endsolid thing\n").encode()


def msh(points, faces, normal=None, texcoord=None) -> bytes:
    """A file in MuJoCo's binary format."""
    empty = np.zeros(0)
    normal, texcoord = (empty if one is None else one for one in (normal, texcoord))
    counts = (len(points), len(normal), len(texcoord), len(faces))
    floats = b"".join(np.asarray(one, "<f4").tobytes() for one in (points, normal, texcoord))
    return struct.pack("<4i", *counts) + floats + np.asarray(faces, "<i4").tobytes()


def obj(points, faces, form="{0}", extra="") -> bytes:
    """An OBJ file; `form` writes one corner from its index."""
    text = "# made for a test\n" + "".join(f"v {numbers(point)}\n" for point in points) + extra
    for face in faces:
        text += "f " + " ".join(form.format(i + 1) for i in face) + "\n"
    return text.encode()


NORMALS = "".join(f"vn {numbers(row)}\n" for row in RNG.normal(size=(12, 3)))
TEXCOORDS = "".join(f"vt {numbers(row)}\n" for row in RNG.random((12, 2)))
RELATIVE = "f -12 -9 -11\n" + "".join("f -{} -{} -{}\n".format(*(12 - f)) for f in notch()[1][1:])
QUADS = [(0, 5, 4, 3), (0, 3, 2, 1), (6, 7, 8, 9), (6, 9, 10, 11)] + [
    (i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6)
]
SIXES = [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11), *QUADS[4:]]
POINTS, FACES = notch()

FILES = {
    "a.stl": stl(POINTS, FACES),
    "a.STL": stl(POINTS * 0.001, FACES),
    "plain.obj": obj(POINTS, FACES),
    "texcoord.obj": obj(POINTS, FACES, "{0}/{0}", TEXCOORDS),
    "normal.obj": obj(POINTS, FACES, "{0}//{0}", NORMALS),
    "both.obj": obj(POINTS, FACES, "{0}/{0}/{0}", NORMALS + TEXCOORDS),
    "quads.obj": obj(POINTS, QUADS),
    "sixes.obj": obj(POINTS, SIXES),
    "points.obj": obj(POINTS, []),
    "relative.obj": obj(POINTS, [], extra=RELATIVE),
    "colours.obj": obj(np.hstack([POINTS, RNG.random((12, 3))]), FACES),
    "windows.obj": obj(POINTS, FACES).replace(b"\n", b"\r\n").replace(b"f ", b"f\t"),
    "material.obj": b"mtllib gone.mtl\nusemtl red\n" + obj(POINTS, FACES, extra="s off\n"),
    "blanks.obj": obj(POINTS, FACES).replace(b"v ", b"v   ").replace(b"\n", b"  \n"),
    "depth.obj": obj(POINTS, FACES, "{0}/{0}", TEXCOORDS.replace("\n", " 0\n")),
    "remarks.obj": obj(POINTS, FACES).replace(b"f ", b"# a face\nf "),
    "interleaved.obj": b"".join(f"v {numbers(point)}\nvn 0 0 1\n".encode() for point in POINTS)
    + obj([], FACES, "{0}//{0}"),
    "groups.obj": b"o one\n" + obj(POINTS, FACES) + b"g two\nf 1 2 3\no three\nf 1 2 4\n",
    "a.msh": msh(POINTS, FACES),
    "normal.msh": msh(POINTS, FACES, RNG.normal(size=(12, 3))),
    "texcoord.msh": msh(POINTS, FACES, None, RNG.random((12, 2))),
    "points.msh": msh(POINTS, []),
}


PAINTS = '<material name="m"/><material name="n"/>'


@pytest.mark.parametrize(
    "geom", ['type="mesh"', 'type="mesh" material="n"', 'type="box"', 'type="sdf"']
)
def test_material(geom):
    """The material of a mesh is for geoms that have none."""
    assert differences(model(PAINTS + el(CLOUD, 'material="m"'), f'{geom} mesh="a"')) == []


@pytest.mark.filterwarnings("ignore:.*convex hulls")
@pytest.mark.parametrize("scale", ["1 1 1", "2 -1 1"])
@pytest.mark.parametrize("name", FILES)
def test_files(name, scale):
    asset = f'<mesh name="a" file="{name}" scale="{scale}"/>'
    assert differences(model(asset), {name: FILES[name]}) == []


def test_content_type():
    """The type decides, not the name; MuJoCo 4.0.0 looks at the name all the same."""
    asset = '<mesh name="a" file="thing.bin" content_type="model/stl"/>'
    ours = compile_spec(read_mjcf(model(asset), assets={"thing.bin": FILES["a.stl"]}))
    assert ours.sizes["nmeshvert"] == len(POINTS)


def test_ascii_stl_is_the_binary_one():
    """MuJoCo reads no ASCII STL; it means what the same binary file means."""
    asset = '<mesh name="a" file="a.stl"/>'
    text = compile_spec(read_mjcf(model(asset), assets={"a.stl": ascii_stl(POINTS, FACES)}))
    binary = compile_spec(read_mjcf(model(asset), assets={"a.stl": FILES["a.stl"]}))
    assert all(np.array_equal(text.arrays[name], binary.arrays[name]) for name in binary.arrays)


def test_folders(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.stl").write_bytes(FILES["a.stl"])
    (tmp_path / "a.obj").write_bytes(FILES["plain.obj"])
    for number, (compiler, file) in enumerate(
        (
            ('meshdir="parts"', "a.stl"),
            ('assetdir="parts"', "a.stl"),
            ('assetdir="other" meshdir="parts/"', "a.stl"),
            ('strippath="true" meshdir="parts"', "C:\\\\some\\\\where/a.stl"),
            ("", "parts/a.stl"),
            ("", str(tmp_path / "a.obj")),
        )
    ):
        path = tmp_path / f"model{number}.xml"
        path.write_text(model(f'<mesh file="{file}"/>', top=f"<compiler {compiler}/>"))
        assert compile_spec(read_mjcf(path)).names["mesh"] == ["a"]


def test_sandbox(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "a.stl").write_bytes(FILES["a.stl"])
    (inner / "link.stl").symlink_to(tmp_path / "a.stl")
    for file in ("../a.stl", str(tmp_path / "a.stl"), "link.stl"):
        path = inner / "model.xml"
        path.write_text(model(f'<mesh name="a" file="{file}"/>'))
        compile_spec(read_mjcf(path))
        with pytest.raises(MjcfError, match="sandbox"):
            compile_spec(read_mjcf(path, sandbox=True))


FIELDS = {
    "tetrahedron": (el(TETRA), 'type="sdf" mesh="a"'),
    "notch": (solid('scale="1 -1 1"'), 'type="sdf" mesh="a" mass="1" pos="1 2 3"'),
    "open": ('<mesh name="a" builtin="box" params="3 4 5 .1 .2 .3 2"/>', 'type="sdf" mesh="a"'),
    "visual": (el(), 'type="sdf" mesh="a" contype="0" conaffinity="0"'),
    "one of two": (
        f'<mesh name="b" vertex="{numbers(WEDGE)}"/>' + el(TETRA),
        'type="mesh" mesh="b"/><geom type="sdf" mesh="a"',
    ),
}


@pytest.mark.filterwarnings("ignore:.*convex hulls")
@pytest.mark.parametrize(("asset", "geom"), FIELDS.values(), ids=FIELDS.keys())
def test_signed_distance_fields(asset, geom):
    """Cells of octrees and distances at their corners are MuJoCo's."""
    assert differences(model(asset, geom)) == []


def test_a_field_collides_as_it_is():
    """Its hollows are there, so there is nothing to warn of."""
    thin, faces = notch()
    thin[[3, 9], :2] = (0.3, 0.3)
    face = " ".join(str(i) for i in faces.ravel())
    text = model(el(thin, f'face="{face}"'), 'type="sdf" mesh="a" name="hollow"')
    text = text.replace("<worldbody>", '<worldbody><geom name="ball" size="1"/>')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = Model.from_mjcf(text)
    assert not any("hollow" in line for line in loaded.supported())


def test_a_hollow_mesh_is_worth_a_warning():
    """An L-shaped bar collides as its hull, which is much larger."""
    thin, faces = notch()
    thin[[3, 9], :2] = (0.3, 0.3)
    face = " ".join(str(i) for i in faces.ravel())
    with pytest.warns(MjcfWarning, match=r"'a' \(\d\.\d times\).*convex parts"):
        compile_spec(read_mjcf(model(el(thin, f'face="{face}"'))))


def test_symmetric_bodies_agree_in_the_world():
    """Principal axes of a cube are a matter of choice; its inertia and place are not."""
    cube = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    ours = compile_spec(read_mjcf(model(el(cube)))).arrays
    assert np.allclose(ours["body_ipos"][1], 0.5)
    assert np.allclose(ours["body_inertia"][1], 1000 / 6)
    assert np.allclose(np.sort(np.abs(ours["mesh_vert"]).ravel()), 0.5, atol=1e-6)


SHARED = public_folder()
ROBOTS = ("mujoco_tests/user/", "mujoco_tests/engine/collision_convex/")


def shared() -> list[str]:
    """Public models with meshes, small ones."""
    if SHARED is None:
        return []
    rows = json.loads((SHARED / "index.json").read_text())
    return [row["path"] for row in rows if row["nmesh"] and row["path"].startswith(ROBOTS)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", shared())
def test_shared_models(path):
    """Shared models that need no more than what is there."""
    try:
        ours = compile_spec(read_mjcf(SHARED / path))
    except MjcfError as problem:
        if "not supported yet" in str(problem):
            pytest.skip(str(problem))
        raise
    theirs = mujoco.MjModel.from_xml_path(str(SHARED / path))
    assert model_differences(ours, theirs) == []


def test_files_of_included_models(tmp_path):
    """A mesh is looked for in the model's folder, then beside the file that names it."""
    part = tmp_path / "part"
    part.mkdir()
    (part / "a.stl").write_bytes(FILES["a.stl"])
    (part / "part.xml").write_text('<mujoco><asset><mesh file="a.stl"/></asset></mujoco>')
    path = tmp_path / "model.xml"
    path.write_text(
        '<mujoco><include file="part/part.xml"/><worldbody><geom type="mesh" mesh="a"/>'
        "</worldbody></mujoco>"
    )
    ours = compile_spec(read_mjcf(path))
    assert model_differences(ours, mujoco.MjModel.from_xml_path(str(path))) == []
