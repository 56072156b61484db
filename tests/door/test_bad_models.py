"""Bad models: each is refused with an `MjcfError` that names the file, line, element, attribute.

Every case is written so that the fault is on line 3 of the document.  None may hang or take memory
out of proportion: each is read and compiled under a time limit.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import cortenforge as cf
from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

GEOM = '<geom size="1"/>'


@dataclass(frozen=True)
class Case:
    """A bad line, the element and attribute it must be blamed on, and words of the message."""

    label: str
    xml: str
    element: str | tuple[str, ...]
    attribute: str | None = None
    says: str = ""


def top(label: str, line: str, *blame: str | tuple[str, ...] | None) -> Case:
    """A bad line among the top-level sections."""
    return Case(label, f"<mujoco>\n<!-- -->\n{line}\n<worldbody/>\n</mujoco>", *blame)


def world(label: str, line: str, *blame: str | tuple[str, ...] | None) -> Case:
    """A bad line in the world body."""
    return Case(label, f"<mujoco>\n<worldbody>\n{line}\n</worldbody>\n</mujoco>", *blame)


def body(label: str, line: str, *blame: str | tuple[str, ...] | None) -> Case:
    """A bad line in a body that is otherwise fine."""
    return Case(
        label, f"<mujoco><worldbody>\n<body>{GEOM}\n{line}\n</body></worldbody></mujoco>", *blame
    )


def after(label: str, line: str, *blame: str | tuple[str, ...] | None) -> Case:
    """A bad line behind a world body with one hinged body."""
    tree = f'<worldbody><body name="b"><joint/>{GEOM}</body></worldbody>'
    return Case(label, f"<mujoco>\n{tree}\n{line}\n</mujoco>", *blame)


def geom(label: str, attributes: str, *blame: str | None) -> Case:
    """A bad geom in the world body."""
    return world(label, f"<geom {attributes}/>", "geom", *blame)


BROKEN_XML = [
    Case("unclosed element", "<mujoco>\n<worldbody>\n</mujoco>", "", None, "broken XML"),
    Case("unclosed tag", "<mujoco>\n<worldbody>\n<body", "", None, "broken XML"),
    Case("unquoted attribute", "<mujoco>\n\n<option timestep=1/></mujoco>", "", None, "broken XML"),
    Case(
        "attribute given twice",
        '<mujoco>\n\n<option timestep="1" timestep="2"/></mujoco>',
        "",
        None,
        "broken XML",
    ),
    Case("two roots", "<mujoco>\n</mujoco>\n<mujoco/>", "", None, "broken XML"),
    Case("undefined entity", '<mujoco>\n\n<option timestep="&one;"/></mujoco>', "", None, "broken"),
    Case("control character", "<mujoco>\n\n\x01</mujoco>", "", None, "broken XML"),
    Case("NUL character", "<mujoco>\n\n\0</mujoco>", "", None, "NUL"),
    Case("namespace", '<mujoco>\n\n<option xmlns="urn:x"/></mujoco>', "option", None, "namespace"),
    Case("document type", "\n\n<!DOCTYPE mujoco><mujoco/>", "DOCTYPE", None, "not allowed"),
    Case(
        "entity bomb",
        '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">'
        + "".join(
            f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        )
        + ']><mujoco model="&i;"/>',
        "DOCTYPE",
        None,
        "entities",
    ),
    Case(
        "external entity",
        '\n\n<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><mujoco/>',
        "DOCTYPE",
        None,
        "not allowed",
    ),
    Case(
        "nested too deep",
        "<mujoco>\n<worldbody>\n" + "<body>" * 600 + "</body>" * 600 + "</worldbody></mujoco>",
        "body",
        None,
        "nested deeper",
    ),
    Case("nested far too deep", "<mujoco>\n<worldbody>\n" + "<body>" * 100_000, "", None, "nested"),
    Case("another root", "\n\n<model/>", "model", None, "expected <mujoco>"),
    Case("another case of root", "\n\n<MuJoCo/>", "MuJoCo", None, "expected <mujoco>"),
    Case("URDF", '\n\n<robot name="r"/>', "robot", None, "this is URDF"),
]

GRAMMAR = [
    top("unknown section", "<options/>", "options", None, "did you mean 'option'"),
    world("unknown element", "<boddy/>", "boddy", None, "did you mean 'body'"),
    world("element elsewhere", "<key/>", "key", None, "belongs in <keyframe>"),
    top("body outside the world", "<body/>", "body", None, "cannot be in <mujoco>"),
    world("worldbody in worldbody", "<worldbody/>", "worldbody", None, "cannot be"),
    world("child of a geom", f"{GEOM[:-2]}><site/></geom>", "site", None, "cannot be in <geom>"),
    geom("unknown attribute", 'sise="1"', "sise", "did you mean 'size'"),
    world("attribute of another element", '<body type="free"/>', "body", "type", "no attribute"),
    world("body has no scale", '<body scale="2"/>', "body", "scale", "no attribute"),
    Case(
        "attribute of the world",
        '<mujoco>\n\n<worldbody name="w"/></mujoco>',
        "worldbody",
        "name",
        "has no attributes",
    ),
    top("two flags", "<option><flag/><flag/></option>", "flag", None, "only one <flag>"),
    top("two maps", "<visual><map/><map/></visual>", "map", None, "only one <map>"),
    body(
        "two inertials",
        '<inertial pos="0 0 0" mass="1"/><inertial pos="0 0 0" mass="1"/>',
        "inertial",
        None,
        "only one",
    ),
    body(
        "inertials in body and frame",
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        '<frame><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></frame>',
        "inertial",
        None,
        "already has",
    ),
    body("inertial without pos", '<inertial mass="1"/>', "inertial", "pos", "missing"),
    body("inertial without mass", '<inertial pos="0 0 0"/>', "inertial", "mass", "missing"),
    top(
        "numeric without name", '<custom><numeric data="1"/></custom>', "numeric", "name", "missing"
    ),
    world("replicate without count", "<replicate/>", "replicate", "count", "missing"),
    geom("two orientations", 'size="1" quat="1 0 0 0" euler="0 0 0"', "euler", "only one of"),
    world(
        "camera with two lenses",
        '<camera fovy="30" sensorsize="1 1"/>',
        "camera",
        "sensorsize",
        "only one of",
    ),
    world(
        "light with two types",
        '<light directional="true" type="spot"/>',
        "light",
        None,
        "only one of",
    ),
    body(
        "two inertias",
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/>',
        "inertial",
        "diaginertia",
        "only one of",
    ),
    top("memory and njmax", '<size memory="1M" njmax="5"/>', "size", "njmax", "only one of"),
    world("joint in the world", "<joint/>", "joint", None, "the world body cannot have"),
    world(
        "joint in a frame of the world",
        "<frame><freejoint/></frame>",
        "freejoint",
        None,
        "the world body cannot have",
    ),
    world(
        "inertial in the world",
        '<inertial pos="0 0 0" mass="1"/>',
        "inertial",
        None,
        "the world body cannot have",
    ),
    body(
        "joint in replicate",
        '<replicate count="2"><joint/></replicate>',
        "joint",
        None,
        "replicate cannot have",
    ),
    top(
        "removed coordinates",
        '<compiler coordinate="global"/>',
        "compiler",
        "coordinate",
        "no longer",
    ),
    body("removed composite", "<composite/>", "composite", None, "removed"),
]

NOT_YET = [
    top("flex held", "<equality><flex/></equality>", "flex", None, "not supported yet"),
    top("actuator", "<actuator><plugin/></actuator>", "plugin", None, "not supported yet"),
    top("sensor plugin", "<sensor><plugin/></sensor>", "plugin", None, "not supported yet"),
    top("flex", "<deformable><flex/></deformable>", "flex", None, "not supported yet"),
    top("plugin", "<extension><plugin/></extension>", "plugin", None, "not supported yet"),
    world("flexcomp", "<flexcomp/>", "flexcomp", None, "not supported yet"),
    geom("sdf geom", 'type="sdf" sdf="nut"', "mesh", "needs a mesh"),
    body("negative yield", '<joint springyield="-1"/>', "joint", "springyield", "at least 0"),
    body("free yield", '<joint type="free" springyield="1"/>', "joint", "springyield", "free"),
    top(
        "delay without steps",
        '<option timestep="0"/><sensor><clock nsample="2"/></sensor>',
        "option",
        "timestep",
        "positive timestep",
    ),
    top(
        "unknown in a later section",
        "<deformable><flexx/></deformable>",
        "flexx",
        None,
        "did you mean",
    ),
]

NUMBERS = [
    geom("too few numbers", 'size="1" pos="1 2"', "pos", "expected 3 numbers, found 2"),
    geom("too many numbers", 'size="1" pos="1 2 3 4"', "pos", "expected 3 numbers, found 4"),
    geom("too many sizes", 'size="1 2 3 4"', "size", "expected 1 to 3 numbers"),
    geom("two groups", 'size="1" group="1 2"', "group", "expected 1 number"),
    geom("NaN", 'size="1" pos="nan 0 0"', "pos", "not a finite number"),
    geom("infinite", 'size="1" pos="0 -inf 0"', "pos", "not a finite number"),
    geom("spelt infinity", 'size="1" pos="0 infinity 0"', "pos", "not a finite number"),
    geom("beyond double", 'size="1" pos="1e400 0 0"', "pos", "too large"),
    geom("huge", 'size="1" pos="1e300 0 0"', "pos", "too large"),
    geom("beyond single", 'size="1" rgba="1e39 0 0 1"', "rgba", "too large"),
    geom("digit separator", 'size="1_000"', "size", "not a number"),
    geom("other digits", 'size="٣"', "size", "not a number"),
    geom("decimal comma", 'size="0,1"', "size", "the decimal point is '.'"),
    geom("no-break space", 'size="1" pos="0\u00a00 0 0"', "pos", "not a number"),
    geom("word", 'size="big"', "size", "not a number"),
    geom("half an exponent", 'size="1e"', "size", "not a number"),
    geom("Fortran exponent", 'size="1d3"', "size", "not a number"),
    geom("unit", 'size="1m"', "size", "not a number"),
    geom("real for integer", 'size="1" group="1.0"', "group", "not an integer"),
    geom("integer beyond 32 bits", 'size="1" contype="4294967296"', "contype", "32 bits"),
    geom("integer of many digits", f'size="1" group="{"9" * 5000}"', "group", "32 bits"),
    geom("zero quaternion", 'size="1" quat="0 0 0 0"', "quat", "zero quaternion"),
    world("zero quaternion of a frame", '<frame quat="0 0 0 0"/>', "frame", "quat", "zero"),
    geom("boolean in capitals", 'size="1" shellinertia="True"', "shellinertia", "must be one of"),
    geom("number for boolean", 'size="1" castshadow="1"', "castshadow", "must be one of"),
    geom("unknown type", 'type="spher" size="1"', "type", "did you mean 'sphere'"),
    top(
        "integrator in small letters",
        '<option integrator="rk4"/>',
        "option",
        "integrator",
        "did you mean",
    ),
    top(
        "flag as boolean",
        '<option><flag gravity="false"/></option>',
        "flag",
        "gravity",
        "must be one of",
    ),
    top("short euler sequence", '<compiler eulerseq="xy"/>', "compiler", "eulerseq", "three"),
    top("bad euler sequence", '<compiler eulerseq="xyq"/>', "compiler", "eulerseq", "three"),
    top("negative extent", '<statistic extent="-1"/>', "statistic", "extent", "greater than 0"),
    top("zero znear", '<visual><map znear="0"/></visual>', "map", "znear", "greater than 0"),
    top(
        "actuator group",
        '<option actuatorgroupdisable="31"/>',
        "option",
        "actuatorgroupdisable",
        "limit of 30",
    ),
    top("memory suffix", '<size memory="1Q"/>', "size", "memory", "byte count"),
    top("memory beyond 64 bits", '<size memory="999E"/>', "size", "memory", "64 bits"),
    top("negative njmax", '<size njmax="-2"/>', "size", "njmax", "at least -1"),
    world("camera output twice", '<camera output="rgb rgb"/>', "camera", "output", "twice"),
    top("numeric without data", '<custom><numeric name="n"/></custom>', "numeric", "data", "size"),
    top(
        "numeric with too much data",
        '<custom><numeric name="n" size="1" data="1 2"/></custom>',
        "numeric",
        "size",
        "more than size",
    ),
    top("empty text", '<custom><text name="t"/></custom>', "text", "data", "empty"),
    top("empty tuple", '<custom><tuple name="t"/></custom>', "tuple", None, "empty"),
    top(
        "tuple of nothing known",
        '<custom><tuple name="t"><element objtype="boddy" objname="b"/></tuple></custom>',
        "element",
        "objtype",
        "must be one of",
    ),
]

BOMBS = [
    top("keys", '<size nkey="1000000000"/>', "size", "nkey", "over the limit"),
    top("user data", '<size nuserdata="2000000000"/>', "size", "nuserdata", "over the limit"),
    top("user data of geoms", '<size nuser_geom="2000000000"/>', "size", "nuser_geom", "limit"),
    top(
        "numeric",
        '<custom><numeric name="n" size="2000000000"/></custom>',
        "numeric",
        "size",
        "over the limit",
    ),
    world(
        "replicate",
        '<replicate count="1000000"><body/></replicate>',
        "replicate",
        "count",
        "the limit is 45 000",
    ),
    world(
        "nested replicates",
        '<replicate count="1000">' * 4 + "<body/>" + "</replicate>" * 4,
        "replicate",
        "count",
        "the limit is",
    ),
    world("empty replicates", '<replicate count="2000000000"/>', "replicate", "count", "limit"),
    world("replicate of none", '<replicate count="0"/>', "replicate", "count", "at least 1"),
]

NAMES = [
    world("two bodies", '<body name="a"/><body name="a"/>', "body", "name", "already taken"),
    world(
        "two geoms in two bodies",
        f'<body>{GEOM[:-2]} name="g"/></body>{GEOM[:-2]} name="g"/>',
        "geom",
        "name",
        "already taken",
    ),
    world("body called world", '<body name="world"/>', "body", "name", "the world body"),
    world("two frames", '<frame name="f"/><frame name="f"/>', "frame", "name", "already taken"),
    body(
        "joint and free joint",
        '<joint name="j" type="slide"/><freejoint name="j"/>',
        "freejoint",
        "name",
        "already taken",
    ),
    world(
        "replica and body",
        '<body name="a1"/><replicate count="2"><body name="a"/></replicate>',
        "body",
        "name",
        "'a1' is already taken",
    ),
    top("two keys", '<keyframe><key name="k"/><key name="k"/></keyframe>', "key", "name", "taken"),
    geom("missing class", 'size="1" class="wheel"', "class", "no default class 'wheel'"),
    geom("empty class", 'size="1" class=""', "class", "no default class"),
    world(
        "missing childclass of a body",
        '<body childclass="x"/>',
        "body",
        "childclass",
        "no default class",
    ),
    world(
        "missing childclass of a frame",
        '<frame childclass="x"/>',
        "frame",
        "childclass",
        "no default class",
    ),
    top("renamed main class", '<default class="x"/>', "default", "class", "cannot be renamed"),
    top("nameless class", "<default><default/></default>", "default", "class", "needs a name"),
    top(
        "class twice",
        '<default><default class="a"/><default class="a"/></default>',
        "default",
        "class",
        "already a default class",
    ),
    top("nested main", '<default><default class="main"/></default>', "default", "class", "already"),
    top("name in a class", '<default><geom name="g"/></default>', "geom", "name", "no attribute"),
    top("two geoms in a class", "<default><geom/><geom/></default>", "geom", None, "only one"),
    top("body in a class", "<default><body/></default>", "body", None, "cannot be"),
    world("camera aims at nothing", '<camera mode="targetbody" target="x"/>', "camera", "target"),
    world("light aims at nothing", '<light mode="targetbody" target="x"/>', "light", "target"),
    after(
        "tuple of a missing body",
        '<custom><tuple name="t"><element objtype="body" objname="x"/></tuple></custom>',
        ("element", "tuple"),
    ),
]

MECHANICS = [
    world("massless moving body", "<body><joint/></body>", "body", None, "mass"),
    world("body of massless geoms", '<body><joint/><geom size="1" mass="0"/></body>', "body"),
    world(
        "negative mass",
        '<body><joint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>',
        ("inertial", "body"),
    ),
    world("negative geom mass", '<body><joint/><geom size="1" mass="-1"/></body>', "geom", "mass"),
    world(
        "negative density", '<body><joint/><geom size="1" density="-1"/></body>', "geom", "density"
    ),
    world(
        "negative inertia",
        '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="-1 1 1"/></body>',
        ("inertial", "body"),
    ),
    world(
        "impossible inertia",
        '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>',
        ("inertial", "body"),
    ),
    world(
        "indefinite full inertia",
        '<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 5 0 0"/></body>',
        ("inertial", "body"),
        "fullinertia",
    ),
    world(
        "inertial without inertia",
        '<body><joint/><inertial pos="0 0 0" mass="1"/></body>',
        ("inertial", "body"),
    ),
    world(
        "free joint below the top",
        f"<body><body><freejoint/>{GEOM}</body></body>",
        "freejoint",
        None,
        "free joint",
    ),
    world(
        "joint of type free below the top",
        f'<body><body><joint type="free"/>{GEOM}</body></body>',
        "joint",
    ),
    world("two free joints", f"<body>{GEOM}<freejoint/><freejoint/></body>", ("freejoint", "body")),
    world(
        "free joint and hinge",
        f"<body>{GEOM}<freejoint/><joint/></body>",
        ("freejoint", "body", "joint"),
    ),
    world(
        "ball after ball",
        f'<body>{GEOM}<joint type="ball"/><joint type="ball"/></body>',
        ("joint", "body"),
    ),
    world("seven hinges", f"<body>{GEOM}{'<joint/>' * 7}</body>", ("joint", "body")),
    body("zero axis", '<joint axis="0 0 0"/>', "joint", "axis"),
    body("limited without range", '<joint limited="true"/>', "joint", "range"),
    body("ball range from 1", '<joint type="ball" range="1 2"/>', "joint", "range"),
    body("negative springdamper", '<joint springdamper="-1 1"/>', "joint", "springdamper"),
    world("moving mocap body", f'<body mocap="true"><joint/>{GEOM}</body>', "body", "mocap"),
    world("mocap body below the top", '<body><body mocap="true"/></body>', "body", "mocap"),
    geom("zero zaxis", 'size="1" zaxis="0 0 0"', "zaxis"),
    geom("zero axisangle", 'size="1" axisangle="0 0 0 1"', "axisangle"),
    geom("parallel xyaxes", 'size="1" xyaxes="1 0 0 2 0 0"', "xyaxes"),
    geom("zero xaxis", 'size="1" xyaxes="0 0 0 0 1 0"', "xyaxes"),
    geom("no size", "", "size"),
    geom("negative size", 'size="-1"', "size"),
    geom("box of two sizes", 'type="box" size="1 1"', "size"),
    geom("capsule without length", 'type="capsule" size="1"', "size"),
    geom("fromto of no length", 'type="capsule" size="1" fromto="0 0 0 0 0 0"', "fromto"),
    geom("fromto of a sphere", 'size="1" fromto="0 0 0 0 0 1"', "fromto"),
    geom("fromto and pos", 'type="capsule" size="1" fromto="0 0 0 0 0 1" pos="0 0 1"', None),
    geom("condim 2", 'size="1" condim="2"', "condim"),
    body("plane that moves", '<joint/><geom type="plane" size="1 1 1"/>', "geom"),
    geom("flat plane", 'type="plane" size="1 1 0"', "size"),
    world("negative site", '<site size="-1"/>', "site", "size"),
    world("field of view", '<camera fovy="180"/>', "camera", "fovy"),
    world("light without direction", '<light dir="0 0 0"/>', "light", "dir"),
    after("key of wrong qpos", '<keyframe><key qpos="1 2"/></keyframe>', "key", "qpos"),
    after("key of wrong qvel", '<keyframe><key qvel="1 2"/></keyframe>', "key", "qvel"),
    after("key with control", '<keyframe><key ctrl="1"/></keyframe>', "key", "ctrl"),
    after("key with mocap", '<keyframe><key mpos="1 2 3"/></keyframe>', "key", "mpos"),
]

CASES = [*BROKEN_XML, *GRAMMAR, *NOT_YET, *NUMBERS, *BOMBS, *NAMES, *MECHANICS]


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 80
    assert len({case.label for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_bad_model_is_refused_at_its_place(case: Case) -> None:
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(case.xml))
    error = refused.value
    allowed = (case.element,) if isinstance(case.element, str) else case.element
    assert error.file == "<string>"
    assert error.line == 3
    assert error.element in allowed
    if case.attribute is not None:
        assert error.attribute == case.attribute
        assert case.attribute in str(error)
    assert case.says in str(error)
    assert "<string>:3" in str(error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_bad_model_is_refused_from_a_file(case: Case, tmp_path) -> None:
    """The same fault in a file is reported under the file's name."""
    path = tmp_path / "bad.xml"
    path.write_text(case.xml, encoding="utf-8")
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(path))
    assert refused.value.file == str(path)
    assert refused.value.line == 3


def test_a_long_chain_is_accepted() -> None:
    """Depth alone is no fault: 300 nested bodies are a model."""
    links = 300
    link = f'<body pos="0 0 -1"><joint axis="0 1 0"/>{GEOM}'
    model = cf.Model.from_mjcf(
        f"<mujoco><worldbody>{link * links}{'</body>' * links}</worldbody></mujoco>"
    )
    assert (model.nbody, model.nv) == (links + 1, links)
    assert model.body_parentid.tolist() == [0, *range(links)]
