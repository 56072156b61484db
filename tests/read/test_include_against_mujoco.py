"""Which includes are taken and which refused, and where files are looked for: as MuJoCo does."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

mujoco = pytest.importorskip("mujoco")

OBJ = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
FILES = {
    "a.xml": '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>',
    "sub/a.xml": '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>',
    "g.xml": '<any foo="1"><geom size="1"/><geom size="2"/></any>',
    "sub/g.xml": '<any><geom size="1"/></any>',
    "empty.xml": "<any/>",
    "two.xml": "<any/><other/>",
    "nest.xml": '<any><include file="g.xml"/></any>',
    "sub/nest.xml": '<any><include file="g.xml"/></any>',
    "sub/down.xml": '<any><include file="sub/g.xml"/></any>',
    "loop.xml": '<any><include file="loop.xml"/></any>',
    "sub/only.obj": OBJ,
    "mesh.obj": OBJ,
    "sub/mesh.obj": OBJ,
    "sub/m/deep.obj": OBJ,
    "sub/beside.xml": '<mujoco><asset><mesh file="only.obj"/></asset></mujoco>',
    "sub/both.xml": '<mujoco><asset><mesh file="mesh.obj"/></asset></mujoco>',
    "sub/below.xml": '<mujoco><asset><mesh file="m/deep.obj"/></asset></mujoco>',
    "sub/meshdir.xml": '<mujoco><compiler meshdir="sub"/><asset><mesh file="only.obj"/></asset>'
    "</mujoco>",
    "flat.xml": '<mujoco><compiler meshdir="none"/><asset><mesh file="mesh.obj"/></asset></mujoco>',
    "sub/bare.xml": '<mujoco><compiler meshdir="none"/><asset><mesh file="m/deep.obj"/></asset>'
    "</mujoco>",
}
CASES = (
    '<include file="a.xml"/>',
    '<include file="a.xml"/><include file="a.xml"/>',
    '<include file="a.xml"/><include file="./a.xml"/>',
    '<include file="a.xml"/><include file="sub/../a.xml"/>',
    '<include file="a.xml"/><include file="sub/a.xml"/>',
    '<worldbody><include file="g.xml"/></worldbody>',
    '<worldbody><body><include file="g.xml"/></body></worldbody>',
    '<worldbody><frame><include file="g.xml"/></frame></worldbody>',
    '<worldbody><replicate count="2"><include file="g.xml"/></replicate></worldbody>',
    '<worldbody><geom size="1"><include file="g.xml"/></geom></worldbody>',
    '<worldbody><include file="nest.xml"/></worldbody>',
    '<worldbody><include file="sub/nest.xml"/></worldbody>',
    '<worldbody><include file="sub/down.xml"/></worldbody>',
    '<worldbody><include file="nest.xml"/><include file="g.xml"/></worldbody>',
    '<worldbody><include file="loop.xml"/></worldbody>',
    '<include file="main.xml"/>',
    '<include file="none.xml"/>',
    '<include file="empty.xml"/>',
    '<include file="two.xml"/>',
    '<include file=""/>',
    "<include/>",
    '<include file="a.xml"><geom/></include>',
    '<include file="sub/beside.xml"/>',
    '<include file="sub/both.xml"/>',
    '<include file="sub/below.xml"/>',
    '<include file="sub/meshdir.xml"/>',
    '<include file="flat.xml"/>',
    '<include file="sub/bare.xml"/>',
    '<compiler meshdir="none"/><asset><mesh file="mesh.obj"/></asset>',
    '<compiler meshdir="sub"/><include file="sub/beside.xml"/>',
    '<compiler assetdir="sub/m" meshdir="sub"/><asset><mesh file="only.obj"/></asset>',
    '<compiler meshdir="sub"/><compiler assetdir="sub/m"/><asset><mesh file="deep.obj"/></asset>',
    '<compiler strippath="true"/><asset><mesh file="some/where/mesh.obj"/></asset>',
    '<compiler meshdir="sub/../sub/"/><asset><mesh file="./only.obj"/></asset>',
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with files to include."""
    root = tmp_path_factory.mktemp("include")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.oracle
@pytest.mark.parametrize("inside", CASES)
def test_includes_are_taken_or_refused_as_by_mujoco(inside, folder):
    """Both refuse, or both find the same geoms and the same files."""
    main = folder / "main.xml"
    main.write_text(f"<mujoco>{inside}</mujoco>")
    try:
        theirs = mujoco.MjModel.from_xml_path(str(main))
    except ValueError:
        with pytest.raises(MjcfError):
            compile_spec(read_mjcf(main))
        return
    ours = compile_spec(read_mjcf(main))
    assert (ours.sizes["ngeom"], ours.sizes["nmesh"]) == (theirs.ngeom, theirs.nmesh)
    assert ours.arrays["paths"].tobytes().rstrip(b"\0") == theirs.paths.rstrip(b"\0")
