"""What a model cannot mean is refused, with the element and the attribute."""

from __future__ import annotations

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

GEOM = '<geom size=".1"/>'
SLIDE = '<joint type="slide"/>'

# what stands in the world, then the element and the attribute that the error names
WORLD = [
    (f'<body quat="0 0 0 0">{GEOM}</body>', "body", "quat"),
    (f'<body axisangle="0 0 0 1">{GEOM}</body>', "body", "axisangle"),
    ('<site xyaxes="1 0 0 2 0 0"/>', "site", "xyaxes"),
    ('<camera zaxis="0 0 0"/>', "camera", "zaxis"),
    ('<light dir="0 0 0"/>', "light", "dir"),
    ('<light softness="2"/>', "light", "softness"),
    ('<light target="nobody"/>', "light", "target"),
    ('<camera target="nobody"/>', "camera", "target"),
    ('<camera fovy="180"/>', "camera", "fovy"),
    ('<camera focal="1 1"/>', "camera", "focal"),
    ('<camera sensorsize="1 1" resolution="0 1"/>', "camera", "resolution"),
    ("<geom/>", "geom", "size"),
    ('<geom type="box" size=".1 .2"/>', "geom", "size"),
    ('<geom type="plane"/>', "geom", "size"),
    ('<geom size="-1"/>', "geom", "size"),
    ('<geom size=".1" condim="2"/>', "geom", "condim"),
    ('<geom size=".1" fromto="0 0 0 1 0 0"/>', "geom", "fromto"),
    ('<geom type="capsule" size=".1" fromto="1 1 1 1 1 1"/>', "geom", "fromto"),
    ('<geom type="capsule" size=".1" pos="1 0 0" fromto="0 0 0 1 0 0"/>', "geom", "pos"),
    ('<geom type="plane" size="0 0 1" fluidshape="ellipsoid"/>', "geom", "fluidshape"),
    ('<site type="plane" size="1 1 1"/>', "site", "type"),
    ('<site size="0"/>', "site", "size"),
    ('<body><geom size=".1" mass="-1"/></body>', "geom", "mass"),
    ('<body><geom size=".1" density="-1"/></body>', "geom", "density"),
    ('<body><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>', "inertial", "mass"),
    (
        '<body><inertial pos="0 0 0" mass="1" diaginertia="1 -1 1"/></body>',
        "inertial",
        "diaginertia",
    ),
    ('<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>', "inertial", None),
    (
        '<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body>',
        "inertial",
        "fullinertia",
    ),
    ("<body><joint/></body>", "body", None),
    (f'<body><joint axis="0 0 0"/>{GEOM}</body>', "joint", "axis"),
    (f'<body><joint range="2 1" limited="true"/>{GEOM}</body>', "joint", "range"),
    (f'<body><joint range="2 1"/>{GEOM}</body>', "joint", "range"),
    (f'<body><joint type="ball" range="1 2"/>{GEOM}</body>', "joint", "range"),
    (f'<body><joint actuatorfrcrange="2 1"/>{GEOM}</body>', "joint", "actuatorfrcrange"),
    (f'<body><joint springdamper="1 0"/>{GEOM}</body>', "joint", "springdamper"),
    (f'<body><joint armature="-9"/>{GEOM}</body>', "joint", "armature"),
    (f"<body>{GEOM}<body><freejoint/>{GEOM}</body></body>", "freejoint", None),
    (f"<body><freejoint/><joint/>{GEOM}</body>", "freejoint", None),
    (f'<body><joint type="ball"/><joint/>{GEOM}</body>', "joint", None),
    (f"<body>{SLIDE * 7}{GEOM}</body>", "body", None),
    (f'<body mocap="true"><joint/>{GEOM}</body>', "body", "mocap"),
    (f'<body>{GEOM}<body mocap="true"/></body>', "body", "mocap"),
    (f'<body><joint/>{GEOM}<geom type="plane" size="1 1 1"/></body>', "geom", "type"),
    (f'<body sleep="never">{GEOM}</body>', "body", "sleep"),
]

# sections beside a world with one hinge
TOP = [
    ('<keyframe><key qpos="1 2"/></keyframe>', "key", "qpos"),
    ('<keyframe><key ctrl="1"/></keyframe>', "key", "ctrl"),
    ('<keyframe><key mpos="1 2 3"/></keyframe>', "key", "mpos"),
    ('<custom><tuple name="t"/></custom>', "tuple", None),
    (
        '<custom><tuple name="t"><element objtype="body" objname="x"/></tuple></custom>',
        "element",
        "objname",
    ),
    ('<custom><numeric name="n" size="1" data="1 2"/></custom>', "numeric", "size"),
    ('<size nuser_body="1"/><worldbody><body user="1 2"/></worldbody>', "body", "user"),
    (
        '<compiler autolimits="false"/><worldbody><body><joint range="0 1"/><geom size="1"/></body>'
        "</worldbody>",
        "joint",
        "range",
    ),
    (
        '<compiler discardvisual="true" inertiafromgeom="true"/><worldbody><body><geom size=".1" '
        'contype="0" conaffinity="0"/></body></worldbody>',
        "geom",
        None,
    ),
]


def refusal(text: str) -> MjcfError:
    with pytest.raises(MjcfError) as caught:
        compile_spec(read_mjcf(text))
    return caught.value


@pytest.mark.parametrize(("inside", "element", "attribute"), WORLD, ids=range(len(WORLD)))
def test_world(inside: str, element: str, attribute: str | None) -> None:
    """Elements of the tree."""
    error = refusal(f"<mujoco>\n<worldbody>\n{inside}\n</worldbody>\n</mujoco>")
    assert (error.element, error.attribute, error.line) == (element, attribute, 3)


@pytest.mark.parametrize(("section", "element", "attribute"), TOP, ids=range(len(TOP)))
def test_sections(section: str, element: str, attribute: str | None) -> None:
    """Sections outside the tree."""
    error = refusal(f"<mujoco><worldbody><body><joint/>{GEOM}</body></worldbody>{section}</mujoco>")
    assert (error.element, error.attribute) == (element, attribute)


@pytest.mark.parametrize("tag", ["body", "geom", "site", "camera", "light", "frame"])
def test_duplicate_names(tag: str) -> None:
    """A name is used once per type of object."""
    one = f'<{tag} name="n" size=".1"/>' if tag == "geom" else f'<{tag} name="n"/>'
    assert refusal(f"<mujoco><worldbody>{one}{one}</worldbody></mujoco>").attribute == "name"


def test_world_is_taken() -> None:
    """No body may be called world."""
    text = '<mujoco><worldbody><body name="world"/></worldbody></mujoco>'
    assert refusal(text).attribute == "name"


def test_bound_allows_what_it_lifts() -> None:
    """Negative mass passes only under a bound that replaces it."""
    body = '<body><joint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>'
    text = f'<mujoco><compiler boundmass="2"/><worldbody>{body}</worldbody></mujoco>'
    assert compile_spec(read_mjcf(text)).arrays["body_mass"].tolist() == [0, 2]


def test_nothing_is_infinite() -> None:
    """Sizes whose products overflow are refused, not compiled to infinity."""
    text = (
        '<mujoco><worldbody><body><freejoint/><geom type="box" size="1e29 1e29 1e29" '
        'density="1e29"/><geom size="1e-29" pos="1e30 0 0"/></body></worldbody></mujoco>'
    )
    try:
        arrays = compile_spec(read_mjcf(text)).arrays
    except MjcfError:
        return
    assert all((array == array).all() for array in arrays.values())
