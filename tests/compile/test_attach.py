"""Models that attach other models, against MuJoCo: arrays, and names of everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfWarning
from cortenforge.read import read_mjcf

from .attach_models import random_attachments
from .oracle import model_differences, mujoco

pytestmark = pytest.mark.filterwarnings("ignore::cortenforge.errors.MjcfWarning")

SIZES = {
    "body": "nbody",
    "joint": "njnt",
    "geom": "ngeom",
    "site": "nsite",
    "camera": "ncam",
    "light": "nlight",
    "mesh": "nmesh",
    "hfield": "nhfield",
    "texture": "ntex",
    "material": "nmat",
    "pair": "npair",
    "exclude": "nexclude",
    "equality": "neq",
    "tendon": "ntendon",
    "actuator": "nactuator",
    "sensor": "nsensor",
    "numeric": "nnumeric",
    "text": "ntext",
    "tuple": "ntuple",
    "key": "nkey",
}
ARM = """<mujoco model="arm"><compiler angle="radian"/>
<worldbody><geom name="base" size=".1"/><frame name="f" pos="0 0 5" euler="0 1 0">
<body name="upper" pos="1 0 0"><joint name="j" range="0 1"/><geom name="g" size=".1"/>
<site name="s"/><body name="lower" euler="0 .5 0"><joint name="k"/><geom size=".2" name="h"/>
</body></body></frame><body name="hand" mocap="true"><geom size=".1"/><site name="tip"/></body>
</worldbody>
<contact><exclude body1="upper" body2="lower"/><pair geom1="g" geom2="base"/></contact>
<equality><weld name="w" body1="upper" body2="world"/><joint joint1="j" joint2="k"/></equality>
<tendon><spatial name="t"><site site="s"/><site site="tip"/></spatial></tendon>
<actuator><motor name="a" joint="j"/><position joint="k" timeconst="1"/></actuator>
<sensor><clock name="c"/><framepos objtype="site" objname="s" reftype="body" refname="world"/>
<tendonpos name="len" tendon="t"/></sensor>
<custom><numeric name="n" data="1"/>
<tuple name="tn"><element objtype="numeric" objname="n"/></tuple>
<tuple name="ts"><element objtype="sensor" objname="len"/></tuple></custom>
<keyframe><key name="up" qpos=".1 .2" ctrl="3 4" act="5" mpos="1 2 3" mquat="1 1 0 0"/>
<key qvel="1"/></keyframe></mujoco>"""
OUTER = """<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody>
<attach model="arm" body="upper" prefix="in_"/><body name="o"><joint name="oj"/><geom size="1"/>
</body></worldbody><keyframe><key name="outer" qpos="1 2 3"/></keyframe></mujoco>"""


def parent(inside: str, rest: str = "") -> str:
    """A model with a body before and a body after what is attached."""
    return f"""<mujoco>{rest}<asset><model name="arm" file="arm.xml"/>
<model file="outer.xml" name="outer"/></asset><worldbody>
<body name="first"><joint name="first"/><geom size="1" name="ball"/></body>{inside}
<body name="last"><joint/><geom size="1"/></body></worldbody></mujoco>"""


ARM_ALL = '<attach model="arm" prefix="x_"/>'
UPPER = '<attach model="arm" body="upper" prefix="x_"/>'
CASES = {
    "everything": parent(ARM_ALL),
    "a body, without its frame": parent(UPPER),
    "a frame": parent('<attach model="arm" frame="f" prefix="x_"/>'),
    "the world as a body": parent('<attach model="outer" body="world" prefix="x_"/>'),
    "twice": parent(UPPER + UPPER.replace("x_", "y_")),
    "parts with different prefixes": parent(
        UPPER + '<attach model="arm" body="hand" prefix="y_"/>'
    ),
    "no prefix": parent('<attach model="arm" body="upper" prefix=""/>'),
    "in a frame": parent(f'<frame pos="1 2 3" euler="10 20 30">{ARM_ALL}</frame>'),
    "in a body": parent(f'<body euler="0 90 0"><geom size="1"/>{UPPER}</body>'),
    "in replicates": parent(
        f'<replicate count="2" sep="-" offset="1 0 0"><replicate count="2">{UPPER}</replicate>'
        "</replicate>"
    ),
    "a model that attaches": parent('<attach model="outer" prefix="y_"/>'),
    "own keyframes before those of others": parent(
        UPPER, '<size nkey="5"/><keyframe><key name="own" qpos="1 2 3"/></keyframe>'
    ),
    "parts of itself": parent(
        UPPER + '<attach body="x_lower" prefix="z"/><attach body="first" prefix="q"/>'
    ),
    "a body in itself": """<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/>
<body name="b"><geom size=".1"/><attach body="a" prefix="x_"/><geom size=".2"/></body>
<geom size=".3"/></body></worldbody>
<sensor><clock name="c"/><jointpos joint="j"/></sensor></mujoco>""",
    "references from the parent": parent(
        UPPER,
        '<actuator><motor name="m" joint="x_k"/></actuator><sensor><jointpos joint="x_j"/></sensor>'
        '<contact><pair geom1="x_g" geom2="ball"/></contact>',
    ),
    "classes that came along": parent(
        '<attach model="styled" prefix="q_"/><geom class="q_big"/><geom class="q_main" size="1"/>'
    ).replace("<asset>", '<asset><model file="styled.xml"/>'),
    "parts of a model that differ": parent(
        UPPER, '<option gravity="0 0 -1"/><compiler angle="radian" eulerseq="zyx"/>'
    ),
}
FILES = {
    "arm.xml": ARM.encode(),
    "outer.xml": OUTER.encode(),
    "styled.xml": b"""<mujoco model="styled"><default><geom rgba="1 0 0 1"/><default class="big">
<geom size="2 2 2" type="box"/></default></default><worldbody><geom class="big"/></worldbody>
</mujoco>""",
}


def differences(text: str, files: dict[str, bytes]) -> list[str]:
    """Fields and names that are not MuJoCo's."""
    ours = compile_spec(read_mjcf(text, assets=files))
    theirs = mujoco.MjModel.from_xml_string(text, files)
    found = model_differences(ours, theirs)
    for kind, size in SIZES.items():
        code = getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
        names = [mujoco.mj_id2name(theirs, code, i) or "" for i in range(getattr(theirs, size))]
        if names != ours.names[kind]:
            found.append(f"{kind}: {ours.names[kind]}, not {names}")
    return found


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_attached_models_are_mujocos(text):
    """Each way to attach gives MuJoCo's arrays and names."""
    assert differences(text, FILES) == []


@pytest.mark.parametrize("seed", range(25))
def test_random_attachments_are_mujocos(seed):
    """So do random parts of random models, with settings of their own, in random places."""
    assert differences(*random_attachments(seed)) == []


OPTIONS = (
    ('<option timestep="0.01"/>', '<option timestep="0.005"/>'),
    ('<option timestep="0.001" iterations="3"/>', '<option timestep="0.005" iterations="7"/>'),
    ("", '<option timestep="0.005" gravity="0 0 1" wind="1 2 3" cone="elliptic"/>'),
    ('<option><flag gravity="disable"/></option>', '<option><flag contact="disable"/></option>'),
    ('<option><flag energy="disable"/></option>', '<option><flag energy="enable"/></option>'),
    ('<option actuatorgroupdisable="1"/>', '<option actuatorgroupdisable="2 3"/>'),
    ("", '<size nuserdata="4" nuser_geom="3" nkey="2"/>'),
    ('<size nuserdata="9"/>', '<size nuserdata="4" nuser_body="3"/>'),
    ('<visual><map znear="0.1"/></visual>', '<visual><map znear="0.02" zfar="70"/></visual>'),
    ('<option gravity="0 0 -9.81"/>', '<option gravity="0 0 -9.81"/>'),
    ('<option gravity="0 0 -9.81"/>', '<option gravity="0 0 -1"/>'),
    ('<option solver="CG"/>', '<option solver="PGS"/>'),
    ('<option o_solref="1 1"/>', ""),
    ('<option><flag gravity="disable"/></option>', '<option><flag gravity="enable"/></option>'),
)


@pytest.mark.parametrize("conflict", ["warning", "merge", "error"])
@pytest.mark.parametrize("ours,theirs", OPTIONS)
def test_settings_in_conflict(conflict, ours, theirs):
    """Options of both models come to what MuJoCo makes of them, or both engines refuse."""
    child = f'<mujoco>{theirs}<worldbody><geom size="1"/></worldbody></mujoco>'
    text = f"""<mujoco><compiler conflict="{conflict}"/>{ours}<asset><model name="c" file="c.xml"/>
</asset><worldbody><attach model="c" prefix="x"/></worldbody></mujoco>"""
    files = {"c.xml": child.encode()}
    try:
        mujoco.MjModel.from_xml_string(text, files)
    except ValueError:
        with pytest.raises(Exception, match="settings differ"):
            read_mjcf(text, assets=files)
    else:
        assert differences(text, files) == []


def test_settings_in_conflict_are_warned_of():
    """A warning names the setting and both values."""
    text = '<mujoco><asset><model name="c" file="c.xml"/></asset>%s</mujoco>'
    text %= '<worldbody><attach model="c" prefix="x"/></worldbody>'
    with pytest.warns(MjcfWarning, match=r"timestep: 0\.002 here, 0\.01 in the attached model"):
        read_mjcf(text, assets={"c.xml": b'<mujoco><option timestep="0.01"/></mujoco>'})


def test_what_refers_to_nothing_is_left_out_with_a_warning():
    """MuJoCo drops it silently."""
    text = """<mujoco><asset><model name="c" file="c.xml"/></asset>
<worldbody><attach model="c" prefix="x"/></worldbody></mujoco>"""
    child = b'<mujoco>\n<actuator><motor joint="none"/></actuator></mujoco>'
    with pytest.warns(MjcfWarning, match=r"c.xml:2: <motor>: joint='none'"):
        assert read_mjcf(text, assets={"c.xml": child}).actuators == []


def test_files_of_attached_models(tmp_path: Path):
    """Each model has its own folders; paths are those that MuJoCo writes."""
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    (tmp_path / "parts/shapes").mkdir(parents=True)
    (tmp_path / "parts/deep").mkdir()
    (tmp_path / "parts/shapes/wedge.obj").write_bytes(mesh)
    (tmp_path / "other.obj").write_bytes(mesh)
    (tmp_path / "parts/part.xml").write_text(
        """<mujoco><compiler meshdir="shapes"/><asset><mesh file="wedge.obj"/>
<model name="deep" file="deep/deep.xml"/></asset>
<worldbody><geom type="mesh" mesh="wedge"/><attach model="deep" prefix="d"/></worldbody></mujoco>"""
    )
    (tmp_path / "parts/deep/deep.xml").write_text(
        """<mujoco><asset><mesh file="../shapes/wedge.obj" scale="4 1 1"/></asset>
<worldbody><geom type="mesh" mesh="wedge"/></worldbody></mujoco>"""
    )
    main = tmp_path / "main.xml"
    main.write_text(
        """<mujoco><asset><mesh file="other.obj"/><model name="part" file="parts/part.xml"/></asset>
<worldbody><geom type="mesh" mesh="other"/><attach model="part" prefix="x"/></worldbody></mujoco>"""
    )
    for sandbox in (False, True):
        ours = compile_spec(read_mjcf(main, sandbox=sandbox))
        theirs = mujoco.MjModel.from_xml_path(str(main))
        assert model_differences(ours, theirs) == []
        assert ours.names["mesh"] == ["other", "xwedge", "xdwedge"]


def test_a_sandbox_holds_for_attached_models(tmp_path: Path):
    """An attached model cannot reach out of the folder of the model that attaches it."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out.xml").write_text("<mujoco/>")
    (tmp_path / "in/part.xml").write_text(
        '<mujoco><asset><model file="../out.xml"/></asset></mujoco>'
    )
    main = tmp_path / "in/main.xml"
    main.write_text('<mujoco><asset><model file="part.xml"/></asset></mujoco>')
    read_mjcf(main)
    with pytest.raises(Exception, match="sandbox=True forbids"):
        read_mjcf(main, sandbox=True)


def test_a_replicates_prefix_is_warned_of():
    """MuJoCo takes the attribute and does nothing with it."""
    with pytest.warns(MjcfWarning, match="prefix has no effect"):
        read_mjcf(
            '<mujoco><worldbody><replicate count="2" prefix="a"><site name="s"/></replicate>'
            "</worldbody></mujoco>"
        )
