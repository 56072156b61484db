"""Bad meshes: each is refused with an `MjcfError` that names the mesh and, if any, the file."""

from __future__ import annotations

import struct

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

V = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'
TETRA = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

# attributes of a mesh, the attribute to blame, words of the message
MESHES = {
    "unknown attribute": ("octree='1'", "octree", "no attribute"),
    "not a number": ('vertex="0 0 x"', "vertex", "not a number"),
    "vertices not in threes": ('vertex="0 0 0 1"', "vertex", "multiple of 3"),
    "no vertices": ("", "vertex", "at least 4 vertices"),
    "three vertices": ('vertex="0 0 0 1 0 0 0 1 0"', "vertex", "at least 4 vertices"),
    "nan": ('vertex="0 0 0 1 0 0 0 1 0 0 0 nan"', "vertex", "finite"),
    "infinite": ('vertex="0 0 0 1 0 0 0 1 0 0 0 1e39"', "vertex", "too large"),
    "one place": ('vertex="1 1 1 1 1 1 1 1 1 1 1 1"', "vertex", "one place"),
    "line": ('vertex="0 0 0 1 1 1 2 2 2 3 3 3"', "vertex", "line"),
    "flat": ('vertex="0 0 0 1 0 0 0 1 0 1 1 0"', "vertex", "flat"),
    "faces not in threes": (f'{V} face="0 1"', "face", "multiple of 3"),
    "face beyond": (f'{V} face="0 1 7"', "vertex", "face 0 (0 1 7)"),
    "face before": (f'{V} face="0 1 -1"', "vertex", "does not exist"),
    "face of reals": (f'{V} face="0 1 2.5"', "face", "not an integer"),
    "no volume": (f'{V} face="0 1 2"', "vertex", "too small"),
    "no area": (f'{V} face="0 0 0"', "vertex", "too small"),
    "inside out": (f'{V} face="0 1 2 0 2 3 0 3 1 1 3 2" inertia="exact"', "vertex", "negative"),
    "mixed winding": (
        f'{V} face="0 2 1 0 3 2 0 3 1 1 2 3" inertia="exact"',
        "vertex",
        "one orientation",
    ),
    "normals not in threes": (f'{V} normal="0 0"', "normal", "multiple of 3"),
    "texcoord not in twos": (f'{V} texcoord="0 0 1"', "texcoord", "multiple of 2"),
    "too few texcoords": (f'{V} texcoord="0 0"', "vertex", "texture coordinates"),
    "small hull": (f'{V} maxhullvert="3"', "maxhullvert", "at least 4"),
    "unknown inertia": (f'{V} inertia="hollow"', "inertia", "must be one of"),
    "scaled flat": (f'{V} scale="0 1 1"', "vertex", "too small"),
    "two scales": (f'{V} scale="1 1"', "scale", "expected 3"),
    "unknown builtin": ('builtin="blob"', "builtin", "must be one of"),
    "no builtin": ('builtin="none"', "builtin", "must be one of"),
    "grid of too few": ('builtin="grid" params="1 2 3 4 5"', "builtin", "takes 6 parameters"),
    "grid of no cells": ('builtin="grid" params="1 2 2 1 1 1"', "builtin", "count_x is 1"),
    "grid of 4 dimensions": ('builtin="grid" params="2 2 2 1 1 1 4"', "builtin", "dim is 4"),
    "deep square": ('builtin="square" params="2 2 2 1 1 1"', "builtin", "must be 1"),
    "grid bomb": ('builtin="grid" params="9999 9999 9999 1 1 1"', "builtin", "100,000 points"),
    "coplanar": ('builtin="box" params="3 3 3 0 1 1"', "builtin", "flat"),
    "builtin with vertices": (f'builtin="sphere" params="1" {V}', "vertex", "already has"),
    "builtin without parameters": ('builtin="sphere"', "builtin", "takes 1 parameters"),
    "sphere too fine": ('builtin="sphere" params="9"', "builtin", "between 0 and 4"),
    "cone of two": ('builtin="cone" params="2 .5"', "builtin", "nvert"),
    "cone too wide": ('builtin="cone" params="4 2"', "builtin", "between 0 and 1"),
    "torus bomb": ('builtin="supertorus" params="1e9 .5 1 1"', "builtin", "between 3"),
    "torus without tube": ('builtin="supertorus" params="9 0 1 1"', "builtin", "greater than 0"),
    "wedge too wide": ('builtin="wedge" params="3 3 270 30 0"', "builtin", "fov_phi"),
    "parameters alone": (f'{V} params="1"', "params", "builtin"),
    "no such file": ('file="gone.stl"', "file", "there is no file"),
    "unknown class": (f'{V} class="none"', "class", "there is no default class"),
}

FILES = {
    "thing.foo": (b"x", "STL, OBJ or MSH"),
    "thing.ply": (b"ply\nformat ascii 1.0", "trimesh"),
    "empty.stl": (b"", "empty"),
    "short.stl": (bytes(84), "three vertices"),
    "cut.stl": (bytes(80) + struct.pack("<I", 2) + bytes(50), "binary STL"),
    "huge.stl": (bytes(80) + struct.pack("<I", 2**31) + bytes(50), "binary STL"),
    "nan.stl": (
        bytes(80)
        + struct.pack("<I", 2)
        + struct.pack("<12f2x", *range(12))
        + struct.pack("<12f2x", *range(11), float("nan")),
        "not finite",
    ),
    "far.stl": (
        bytes(80) + struct.pack("<I", 1) + bytes(12) + struct.pack("<9f", *[1e20] * 9) + bytes(2),
        "larger than",
    ),
    "ascii.stl": (b"solid x\nvertex 0 0 0\nvertex 1 0\n", "fewer than 3"),
    "words.stl": (b"solid x\nvertex 0 0 zero\n", "not a number"),
    "odd.stl": (b"solid x\nvertex 0 0 0\nvertex 1 0 0\n", "three vertices"),
    "empty.obj": (b"# nothing\n", "at least 4"),
    "few.obj": (b"v 0 0 0\nv 1 0 0\n", "at least 4"),
    "nan.obj": (TETRA + b"v 0 0 nan\n", "vertex 4 is not finite"),
    "words.obj": (TETRA + b"v 0 0 zero\n", "'zero' is not a number"),
    "short.obj": (TETRA + b"v 0 0\n", "fewer than 3"),
    "beyond.obj": (TETRA + b"f 1 2 9\n", "vertex 9"),
    "zero.obj": (TETRA + b"f 0 1 2\n", "begin at 1"),
    "relative zero.obj": (TETRA + b"f -1 0 2\n", "begin at 1"),
    "relative beyond.obj": (TETRA + b"f -1 -2 -9\n", "there are 4"),
    "face of words.obj": (TETRA + b"f a b c\n", "not a corner"),
    "corner of words.obj": (TETRA + b"f 1/x 2/-1 3\n", "not a corner"),
    "edges.obj": (TETRA + b"f 1 2\n", "three vertices"),
    "lines.obj": (TETRA + b"l 1 2 3\n", "lines without faces"),
    "normal beyond.obj": (TETRA + b"vn 0 0 1\nf 1//1 2//1 3//2\n", "normal"),
    "some normals.obj": (TETRA + b"vn 0 0 1\nf 1//1 2//1 3//1\nf 1 2 4\n", "normal"),
    "binary.obj": (bytes(range(256)) * 4, "4 vertices"),
    "short.msh": (bytes(12), "four integers"),
    "counts.msh": (struct.pack("<4i", 3, 0, 0, 0) + bytes(36), "bad counts"),
    "negative.msh": (struct.pack("<4i", 4, 0, 0, -1) + bytes(36), "bad counts"),
    "huge.msh": (struct.pack("<4i", 2**31 - 1, 0, 0, 0), "does not fit its counts"),
    "normals.msh": (struct.pack("<4i", 4, 3, 0, 0) + bytes(84), "bad counts"),
    "beyond.msh": (struct.pack("<4i12f3i", 4, 0, 0, 1, *range(12), 0, 1, 9), "does not exist"),
    "gmsh.msh": (b"$MeshFormat\n4.1 0 8\n", "GMSH file"),
}


def refusal(mesh: str, files: dict[str, bytes] | None = None) -> MjcfError:
    """The error of a mesh that stands on line 3."""
    text = f'<mujoco>\n<asset>\n{mesh}\n</asset><worldbody><geom size="1"/></worldbody></mujoco>'
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(text, assets=files))
    error = refused.value
    assert (error.file, error.line, error.element) == ("<string>", 3, "mesh")
    return error


@pytest.mark.parametrize(("attributes", "blame", "says"), MESHES.values(), ids=MESHES.keys())
def test_bad_mesh(attributes, blame, says):
    error = refusal(f'<mesh name="m" {attributes}/>')
    assert error.attribute == blame
    assert says in str(error)


@pytest.mark.parametrize("name", FILES)
def test_bad_file(name):
    data, says = FILES[name]
    error = refusal(f'<mesh name="m" file="{name}"/>', {name: data})
    assert error.attribute == "file"
    assert says in str(error)
    assert f"mesh 'm' in '{name}'" in str(error)


def test_file_and_attributes_say_it_twice():
    file = {"a.obj": TETRA + b"vn 0 0 1\nvt 0 0\nf 1/1/1 3/1/1 2/1/1\n"}
    for attribute in ("vertex", "normal", "texcoord", "face"):
        error = refusal(f'<mesh name="m" file="a.obj" {attribute}="0 0 0 0 0 0"/>', file)
        assert error.attribute == attribute
        assert "already has" in str(error)


def test_names():
    assert "needs a name" in str(refusal(f"<mesh {V}/>"))
    twice = f'<mesh name="m" {V}/></asset><asset>\n<mesh name="m" {V}/>'
    text = f"<mujoco>\n<asset>\n{twice}\n</asset></mujoco>"
    with pytest.raises(MjcfError, match="already") as refused:
        compile_spec(read_mjcf(text))
    assert refused.value.line == 4


def test_many_octrees(monkeypatch):
    """Octrees are large however small their mesh is."""
    monkeypatch.setattr("cortenforge.compile.mesh.meshes.MOST_CELLS", 40_000)
    meshes = "".join(f'<mesh name="m{i}" {V} scale="1 1 {i + 1}"/>\n' for i in range(3))
    geoms = "".join(f'<geom type="sdf" mesh="m{i}"/>' for i in range(3))
    text = f"<mujoco>\n<asset>\n{meshes}</asset><worldbody>{geoms}</worldbody></mujoco>"
    for _ in range(2):
        # what is kept of a refused model is whole
        with pytest.raises(MjcfError, match="more than 40,000 cells") as refused:
            compile_spec(read_mjcf(text))
        assert (refused.value.line, refused.value.element) == (4, "mesh")


GEOMS = {
    "no mesh": ('<geom type="mesh"/>', "mesh", "needs a mesh"),
    "field without mesh": ('<geom type="sdf" sdf="nut"/>', "mesh", "needs a mesh"),
    "site that is a field": ('<site type="sdf" mesh="m"/>', "type", "not supported yet"),
    "unknown mesh": ('<geom type="mesh" mesh="x"/>', "mesh", "there is no mesh"),
    "fitted plane": ('<geom type="plane" size="1 1 1" mesh="m"/>', "type", "fit"),
    "end points": ('<geom type="capsule" mesh="m" fromto="0 0 0 1 1 1"/>', "fromto", "mesh"),
    "shell": ('<geom type="mesh" mesh="m" shellinertia="true"/>', "shellinertia", "defined"),
    "nothing left": ('<geom type="box" mesh="m" fitscale="0"/>', "size", "positive"),
    "site without mesh": ('<site type="mesh"/>', "mesh", "needs a mesh"),
    "box site with mesh": ('<site type="box" mesh="m"/>', "mesh", "only a site"),
    "site of an unknown mesh": ('<site type="mesh" mesh="x"/>', "mesh", "there is no mesh"),
}


@pytest.mark.parametrize(("line", "blame", "says"), GEOMS.values(), ids=GEOMS.keys())
def test_bad_use(line, blame, says):
    text = (
        f'<mujoco><asset><mesh name="m" {V}/></asset>\n<worldbody>\n{line}\n</worldbody></mujoco>'
    )
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(text))
    assert refused.value.line == 3
    assert refused.value.attribute == blame
    assert says in str(refused.value)


def test_many_fine_builtin_meshes(monkeypatch):
    """All builtin meshes of a model together are bounded: each takes a line to ask for."""
    monkeypatch.setattr("cortenforge.compile.mesh.meshes.MOST_MADE", 3000)
    meshes = "".join(
        f'<mesh name="m{i}" builtin="supertorus" params="20 .{i + 1} 1 1"/>\n' for i in range(9)
    )
    with pytest.raises(MjcfError, match="more than 3,000 vertices and triangles") as refused:
        compile_spec(read_mjcf(f"<mujoco>\n<asset>\n{meshes}</asset></mujoco>"))
    assert (refused.value.line, refused.value.attribute) == (5, "params")
