"""Elements that refer to one another across sections, against MuJoCo."""

from __future__ import annotations

import mujoco
import pytest

import cortenforge as cf
from cortenforge.compare import compare_model

BODIES = """
<body name="a"><joint name="ja"/><geom name="g" size=".1"/><site name="s1"/>
  <body name="b" pos="1 0 0"><joint name="jb" axis="0 1 0" range="-1 1"/><geom size=".1"/>
    <site name="s2"/></body></body>
<replicate count="2" offset="0 1 0"><body name="r" pos="2 0 0"><joint name="jr"/>
  <geom name="gr" size=".1"/><site name="sr"/></body></replicate>"""
TENDONS = """
<spatial name="path" range="0 2"><site site="s1"/><site site="s2"/></spatial>
<fixed name="sum"><joint joint="ja" coef="2"/><joint joint="jb" coef="-1"/></fixed>
<fixed name="own"><joint joint="jr" coef="3"/></fixed>"""
ACTUATORS = """
<motor name="pull" tendon="path" gear="2"/>
<position name="servo" tendon="sum" kp="5" dampratio="1" inheritrange="0"/>
<general name="slow" joint="ja" dyntype="filter" dynprm=".1" nsample="3" delay="0.004"/>
<motor name="copied" tendon="own"/><motor name="turn" joint="jr" armature="0.1"/>
<muscle name="muscle" tendon="path" lengthrange="0.1 2"/>
<damper name="brake" tendon="sum" kv="1" ctrlrange="0 1" damping="0.5"/>"""
SENSORS = """
<tendonpos name="long" tendon="path"/><tendonvel tendon="own"/><tendonlimitpos tendon="path"/>
<tendonactuatorfrc tendon="sum"/><jointpos joint="jr" nsample="2" delay="0.002"/>
<actuatorfrc actuator="pull"/><actuatorpos actuator="copied"/><actuatorvel actuator="turn"/>"""
OBJECTS = ("tendon path", "equality tie", "sensor long", "exclude apart", "actuator pull")
KEY = '<key ctrl="1 2 3 4 5 6 7 8 9" act="1 2"/>'


def model(tendons: str = TENDONS, actuators: str = ACTUATORS) -> str:
    pairs = (one.split() for one in OBJECTS)
    items = "".join(f'<element objtype="{kind}" objname="{name}"/>' for kind, name in pairs)
    return f"""<mujoco><worldbody>{BODIES}</worldbody>
<contact><exclude name="apart" body1="a" body2="b"/><pair geom1="g" geom2="gr"/></contact>
<tendon>{tendons}</tendon><actuator>{actuators}</actuator><sensor>{SENSORS}</sensor>
<equality><tendon name="tie" tendon1="path" tendon2="sum"/></equality>
<custom><tuple name="all">{items}</tuple>
<tuple name="copies"><element objtype="tendon" objname="own"/>
<element objtype="actuator" objname="copied"/></tuple></custom>
<keyframe>{KEY}</keyframe></mujoco>"""


def check(text: str) -> None:
    ours, reference = cf.load_model(text), mujoco.MjModel.from_xml_string(text)
    assert [str(diff) for diff in compare_model(ours, reference) if not diff.ok] == []
    cf.Data(ours).forward(smooth_only=True)


def test_references_across_sections() -> None:
    check(model())


def test_actuators_feel_the_inertia_of_tendons() -> None:
    check(model(TENDONS.replace('name="path"', 'name="path" armature="0.7"')))


def test_tendons_feel_the_inertia_of_actuators() -> None:
    """Of several actuators, with their gears, beside that of the tendon."""
    heavy = ACTUATORS.replace('gear="2"', 'gear="2" armature=".2"')
    heavy = heavy.replace('tendon="own"', 'tendon="own" armature=".3"')
    heavy = heavy.replace('lengthrange="0.1 2"', 'lengthrange="0.1 2" armature=".1" gear="3"')
    check(model(actuators=heavy))
    check(model(TENDONS.replace('name="path"', 'name="path" armature="0.7"'), heavy))


def sleepers(actuator: str, policy: str) -> str:
    """Two trees with a tendon between them, that ask for sleep."""
    bodies = "".join(
        f'<body sleep="{policy}"><joint name="j{i}" axis="0 1 1" pos=".1 .2 .3"/>'
        '<geom size=".1"/></body>'
        for i in range(2)
    )
    joints = '<joint joint="j0" coef="1"/><joint joint="j1" coef="2"/>'
    return (
        f"<mujoco><worldbody>{bodies}</worldbody><tendon><fixed name='t'>{joints}</fixed></tendon>"
        f"<actuator>\n{actuator}</actuator></mujoco>"
    )


@pytest.mark.parametrize("name", ["damping", "armature"])
@pytest.mark.parametrize("policy", ["allowed", "init"])
def test_what_actuators_add_keeps_trees_awake(name: str, policy: str) -> None:
    """MuJoCo refuses sleep of trees that a driven tendon with damping or inertia joins, too."""
    text = sleepers(f'<motor tendon="t" {name}="1"/>', policy)
    with pytest.raises(ValueError, match="sleeping not allowed"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(cf.MjcfError, match="may not sleep") as refused:
        cf.load_model(text)
    error = refused.value
    assert (error.line, error.element, error.attribute) == (2, "motor", name)


@pytest.mark.parametrize("policy", ["never", "auto"])
def test_trees_that_stay_awake_equal_mujoco(policy: str) -> None:
    check(sleepers('<motor tendon="t" damping="1" armature="2"/>', policy))
    check(sleepers('<motor tendon="t"/>', "allowed"))


def test_inertia_of_a_tendon_around_a_geom_is_refused() -> None:
    path = '<site site="s1"/><geom geom="g"/><site site="s2"/>'
    tendons = TENDONS.replace('<site site="s1"/><site site="s2"/>', path)
    with pytest.raises(cf.MjcfError, match="wraps around geoms") as refused:
        cf.load_model(model(tendons, ACTUATORS.replace('gear="2"', 'armature="2"')))
    assert (refused.value.element, refused.value.attribute) == ("motor", "armature")


MESHES = """<mujoco><compiler discardvisual="{discard}"/>
<asset><texture name="t" builtin="flat" width="4" height="4"/><material name="red" texture="t"/>
<material name="blue"/>
<mesh name="ball" builtin="sphere" params="1" material="red"/>
<mesh name="seen" builtin="cone" params="5 0.4" scale="1 2 3"/>
<mesh name="kept" builtin="wedge" params="8 6 20 30 0" material="blue"/>
<hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/></asset>
<worldbody><geom type="hfield" hfield="hills"/><site name="pad" type="box" size="1 1 1"/>
<body name="a"><joint/><geom type="mesh" mesh="ball"/>
<geom type="mesh" mesh="ball" material="blue" pos="1 0 0"/><geom type="box" mesh="ball"/>
<geom name="pair1" type="mesh" mesh="seen" contype="0" conaffinity="0" pos="3 0 0" mass="1"/>
<site type="mesh" mesh="ball"/></body>
<body><geom name="pair2" size="1"/></body></worldbody>
<contact><pair geom1="pair1" geom2="pair2"/></contact>
<custom><tuple name="all"><element objtype="mesh" objname="kept"/></tuple></custom></mujoco>"""


@pytest.mark.parametrize("discard", ["false", "true"])
def test_meshes_with_other_sections(discard: str) -> None:
    check(MESHES.replace("{discard}", discard))


def test_unknown_material_of_a_mesh() -> None:
    text = MESHES.replace("{discard}", "false").replace('material="red"', 'material="none"')
    with pytest.raises(cf.MjcfError, match="no material of this name"):
        cf.load_model(text)
