"""Skins against MuJoCo: inline and from files, alone and in attached models; bad ones refused."""

from __future__ import annotations

import struct

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.model import Model
from cortenforge.read import read_mjcf

from .oracle import differences

WORLD = """<worldbody><body name="a"><geom size="1"/><body name="b" pos="1 0 0"><geom size="1"/>
<body name="c"/></body></body></worldbody>"""
SKIN = """<skin name="s" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2 1 2 3" inflate=".1"
 rgba="1 0 0 1" group="3"><bone body="a" bindpos="0 0 1" bindquat="2 0 0 0" vertid="0 1 2"
 vertweight="1 2 3"/><bone body="b" bindpos="0 0 1" bindquat="0 1 1 0" vertid="2 3"
 vertweight="1 .1"/></skin>"""
TUPLE = '<tuple name="t"><element objtype="skin" objname="s"/></tuple>'
MATERIAL = '<asset><material name="m"/></asset>'


def file_of(bones=(("a", (0, 1, 2)), ("b", (2, 3))), sizes=None, texcoord=False) -> bytes:
    """An SKN file of four vertices and two triangles."""
    sizes = sizes or (4, 4 * texcoord, 2, len(bones))
    data = struct.pack("<4i12f", *sizes, *range(12))
    data += struct.pack("<8f", *range(8)) if texcoord else b""
    data += struct.pack("<6i", 0, 1, 2, 1, 2, 3)
    for name, vertices in bones:
        count = len(vertices)
        data += name.encode().ljust(40, b"\0") + struct.pack("<7fi", 0, 0, 1, 1, 1, 0, 0, count)
        data += struct.pack(f"<{count}i{count}f", *vertices, *[2.0] * count)
    return data


def model(skins: str, more: str = "", section: str = "deformable") -> str:
    """A model with skins."""
    return f"<mujoco>{more}<{section}>{skins}</{section}>{WORLD}</mujoco>"


def attaching(part: str = "") -> str:
    """A model that attaches one with skins."""
    return f"""<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody>
<attach model="c" prefix="x_" {part}/></worldbody></mujoco>"""


CASES = {
    "inline": (model(SKIN), {}),
    "among assets": (model(SKIN, section="asset"), {}),
    "texture coordinates": (model(SKIN.replace(" face", ' texcoord="0 0 1 0 0 1 1 1" face')), {}),
    "without a name": (model(SKIN.replace('name="s"', "")), {}),
    "a material": (model(SKIN.replace("inflate", 'material="m" inflate'), MATERIAL), {}),
    "bones are not fused": (model(SKIN, '<compiler fusestatic="true"/>'), {}),
    "discarded materials": (
        model(
            SKIN.replace("inflate", 'material="m" inflate'),
            MATERIAL + '<compiler discardvisual="true"/>',
        ),
        {},
    ),
    "a file": (model('<skin file="d/q.skn"/>'), {"d/q.skn": file_of()}),
    "a file with texture coordinates": (
        model('<skin name="n" file="q.SKN"/>' + SKIN),
        {"q.SKN": file_of(texcoord=True)},
    ),
    "in a tuple": (
        model(
            SKIN, '<custom><tuple name="t"><element objtype="skin" objname="s"/></tuple></custom>'
        ),
        {},
    ),
    "attached": (attaching(), {"c.xml": model(SKIN).encode()}),
    "attached in part": (attaching('body="b"'), {"c.xml": model(SKIN).encode()}),
    "attached with its file": (
        attaching(),
        {"c.xml": model('<skin file="q.skn"/>').encode(), "q.skn": file_of()},
    ),
}


@pytest.mark.parametrize("text,files", CASES.values(), ids=CASES.keys())
def test_skins_are_mujocos(text, files):
    """Every field of skins, and of everything else."""
    assert differences(text, files) == []


def test_skins_have_names():
    """A skin can be looked up like other objects."""
    found = Model(compile_spec(read_mjcf(model(SKIN)))).skin("s")
    assert (found.id, found.vertnum, found.bonenum) == (0, 4, 2)


BAD = {
    "no vertices": ('vertex="0 0 0 1 0 0 0 1 0 0 0 1"', "", "vertex", "multiple of 3"),
    "half a vertex": ('vertex="0', 'vertex="0 0', "vertex", "multiple of 3"),
    "half a triangle": ("1 2 3", "1 2", "face", "multiple of 3"),
    "triangle out of range": ("1 2 3", "1 2 4", "face", "no vertex 4"),
    "texture coordinates": (" face", ' texcoord="1 2" face', "texcoord", "expected 8 numbers"),
    "group": ('group="3"', 'group="6"', "group", "limit"),
    "material": (" face", ' material="z" face', "material", "no material"),
    "unknown attribute": (" face", ' size="1" face', "size", "no attribute"),
    "file and vertices": (" face", ' file="q.skn" face', "vertex", "the file already has"),
    "unknown body": ('body="b"', 'body="z"', "body", "no body 'z'"),
    "no body": ('body="b"', "", "body", "required"),
    "bind pose": ('bindpos="0 0 1"', 'bindpos="0 1"', "bindpos", "3"),
    "zero bind quaternion": ("0 1 1 0", "0 0 0 0", "bindquat", "zero quaternion"),
    "vertex out of range": ('vertid="2 3"', 'vertid="2 9"', "vertid", "no vertex 9"),
    "fewer weights": ('vertweight="1 .1"', 'vertweight="1"', "vertweight", "1 weights for 2"),
    "no weight": ('vertid="2 3"', 'vertid="2 2"', "vertex", "weights of vertex 3"),
    "not a number": ("1 .1", "1 x", "vertweight", "x"),
}


@pytest.mark.parametrize("old,new,attribute,message", BAD.values(), ids=BAD.keys())
def test_bad_skins_are_refused(old, new, attribute, message):
    """Each rule broken once: the error names the attribute and the line."""
    assert old in SKIN
    with pytest.raises(MjcfError) as caught:
        compile_spec(read_mjcf(model(SKIN.replace(old, new)), assets={"q.skn": file_of()}))
    assert caught.value.attribute == attribute
    assert message in str(caught.value)
    assert caught.value.line


GOOD = file_of()
FILES = {
    "empty": (b"", "no header"),
    "short header": (GOOD[:12], "no header"),
    "negative size": (file_of(sizes=(4, 0, -2, 2)), "negative size"),
    "huge size": (file_of(sizes=(2**30, 0, 2, 2)), "ends within its vertices"),
    "many bones": (file_of(sizes=(4, 0, 2, 2**30)), "too short for"),
    "cut": (GOOD[:-4], "ends within its bone 1"),
    "longer": (GOOD + b"\0" * 4, "4 bytes too many"),
    "idle bone": (file_of((("a", (0, 1, 2, 3)), ("b", ()))), "bone 1 moves 0 vertices"),
    "vertex out of range": (file_of((("a", (0, 1, 2, 3)), ("b", (9,)))), "bone 1: there is no"),
    "unknown body": (file_of((("z", (0, 1, 2, 3)),)), "no body 'z'"),
    "bare vertex": (file_of((("a", (0, 1, 2)),)), "weights of vertex 3"),
    "not a number": (GOOD[:16] + b"\xff" * 4 + GOOD[20:], "not finite"),
}


@pytest.mark.parametrize("data,message", FILES.values(), ids=FILES.keys())
def test_corrupt_files_are_refused(data, message):
    """A broken SKN file never crashes; the error names the file."""
    with pytest.raises(MjcfError, match=message) as caught:
        compile_spec(read_mjcf(model('<skin file="q.skn"/>'), assets={"q.skn": data}))
    assert (caught.value.attribute, caught.value.got) == ("file", "q.skn")


def test_other_files_are_no_skins():
    """Only SKN files are known."""
    with pytest.raises(MjcfError, match=r"ends in \.skn"):
        compile_spec(read_mjcf(model('<skin file="q.obj"/>'), assets={"q.obj": GOOD}))
    with pytest.raises(MjcfError, match="there is no file"):
        compile_spec(read_mjcf(model('<skin file="none.skn"/>')))
    text = model(f'<skin file="q.skn">{SKIN[SKIN.index("<bone") :]}')
    with pytest.raises(MjcfError, match="the file already has bones"):
        compile_spec(read_mjcf(text, assets={"q.skn": GOOD}))
