"""Bad sensors: each rule of the sensor section broken once, always on line 3."""

from __future__ import annotations

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

WORLD = (
    '<worldbody><site name="s"/><camera name="c"/><camera name="flat" resolution="9999 9999"/>'
    '<geom name="floor" type="plane" size="1 1 1"/>'
    '<body name="b"><joint name="j"/><geom name="g" size="1"/><site name="t"/>'
    '<body name="e"/><body><joint name="ball" type="ball"/><geom size="1"/></body></body>'
    "</worldbody>"
)

# a bad sensor, the attribute it is blamed on, and words of the message
CASES = [
    ("<touch/>", "site", "required"),
    ('<touch site=""/>', "site", "no site"),
    ('<touch site="nobody"/>', "site", "no site of this name"),
    ('<touch site="s" camera="c"/>', "camera", "no attribute"),
    ('<touch site="s" class="main"/>', "class", "no attribute"),
    ('<gyro site="s" cutoff="-1"/>', "cutoff", "at least 0"),
    ('<gyro site="s" noise="-1"/>', "noise", "at least 0"),
    ('<gyro site="s" noise="much"/>', "noise", "not a number"),
    ('<gyro site="s" user="1 x"/>', "user", "not a number"),
    ('<clock nsample="1.5"/>', "nsample", "not an integer"),
    ('<clock nsample="16777217"/>', "nsample", "limit"),
    ('<clock interp="spline"/>', "interp", "must be one of"),
    ('<clock delay="1"/>', "delay", "nsample"),
    ('<clock nsample="1" interval="-1"/>', "interval", "negative"),
    ('<clock nsample="1" interval="1 1"/>', "interval", "positive"),
    ('<clock nsample="1" interval="1 -1"/>', "interval", "minus the period"),
    ('<clock interval="1 0 0"/>', "interval", "expected 1 to 2 numbers"),
    ("<clock><clock/></clock>", None, ""),
    ('<camprojection site="s"/>', "camera", "required"),
    ('<camprojection site="s" camera="nobody"/>', "camera", "no camera"),
    ("<rangefinder/>", "site", "site, camera"),
    ('<rangefinder site="s" camera="c"/>', "camera", "only one of"),
    ('<rangefinder site="s" data="dist far"/>', "data", "must be one of"),
    ('<rangefinder site="s" data="point dist"/>', "data", "order"),
    ('<rangefinder site="s" data="dist dist"/>', "data", "twice"),
    ('<rangefinder camera="flat"/>', None, "more than 50000000"),
    ('<jointpos joint="ball"/>', "joint", "slide or hinge"),
    ('<jointvel joint="nobody"/>', "joint", "no joint"),
    ('<jointactuatorfrc joint="ball"/>', "joint", "slide or hinge"),
    ('<ballquat joint="j"/>', "joint", "ball"),
    ('<ballangvel joint="j"/>', "joint", "ball"),
    ('<jointlimitpos joint="j"/>', "joint", "limits"),
    ('<jointlimitvel joint="j"/>', "joint", "limits"),
    ('<jointlimitfrc joint="ball"/>', "joint", "limits"),
    ('<framepos objtype="body"/>', "objname", "required"),
    ('<framepos objname="b"/>', "objtype", "required"),
    ('<framepos objtype="joint" objname="j"/>', "objtype", "must be one of"),
    ('<framepos objtype="geom" objname="b"/>', "objname", "no geom"),
    ('<framepos objtype="body" objname="b" reftype="site"/>', "refname", "together"),
    ('<framepos objtype="body" objname="b" refname="s"/>', "reftype", "together"),
    ('<framepos objtype="body" objname="b" reftype="site" refname="x"/>', "refname", "no site"),
    ('<framelinacc objtype="body" objname="b" reftype="body"/>', "reftype", "no attribute"),
    ('<framequat objtype="body" objname="b" cutoff="1"/>', "cutoff", "quaternions"),
    ('<framezaxis objtype="body" objname="b" cutoff="1"/>', "cutoff", "axes"),
    ('<subtreecom body="nobody"/>', "body", "no body"),
    ('<insidesite objtype="body" objname="b"/>', "site", "required"),
    ('<insidesite site="s" objtype="body" objname="x"/>', "objname", "no body"),
    ('<insidesite site="s" objtype="camera" objname="c" enclosed="true"/>', "objtype", "camera"),
    ('<insidesite site="s" objtype="geom" objname="floor" enclosed="true"/>', "objname", "convex"),
    ('<insidesite site="s" objtype="body" objname="e" enclosed="true"/>', "objname", "geoms"),
    ('<insidesite site="s" objtype="xbody" objname="world" enclosed="true"/>', "objname", "convex"),
    ('<insidesite site="s" objtype="geom" objname="g" enclosed="maybe"/>', "enclosed", "one of"),
    ('<distance geom1="g"/>', "geom2", "geom2, body2"),
    ('<normal geom2="g"/>', "geom1", "geom1, body1"),
    ('<fromto geom1="g" body1="b" geom2="floor"/>', "body1", "only one of"),
    ('<distance geom1="g" geom2="floor" body2="b"/>', "body2", "only one of"),
    ('<distance geom1="g" geom2="g"/>', "geom2", "the same"),
    ('<distance body1="b" body2="b"/>', "body2", "the same"),
    ('<distance geom1="nobody" geom2="g"/>', "geom1", "no geom"),
    ('<contact geom1="g" site="s"/>', "site", "only one of"),
    ('<contact geom2="g" subtree2="b"/>', "subtree2", "only one of"),
    ('<contact subtree1="nobody"/>', "subtree1", "no body"),
    ('<contact num="0"/>', "num", "at least 1"),
    ('<contact num="2000000000"/>', "num", "limit"),
    ('<contact num="9999999" data="force torque"/>', None, "more than 50000000"),
    ('<contact reduce="sum"/>', "reduce", "must be one of"),
    ('<contact data="force found"/>', "data", "order"),
    ('<contact data="angvel" reduce="netforce"/>', "data", "net force"),
    ('<tactile geom="g"/>', "mesh", "required"),
    ('<tactile geom="g" mesh="m" noise="1"/>', "noise", "no attribute"),
    ('<tactile geom="g" mesh="m"/>', "mesh", "mesh"),
    ("<user/>", "dim", "required"),
    ('<user dim="-1"/>', "dim", "at least 0"),
    ('<user dim="2000000000"/>', "dim", "limit"),
    ('<user dim="1" nsample="1"/>', "nsample", "no attribute"),
    ('<user dim="2" datatype="axis"/>', "dim", "dim 3"),
    ('<user dim="3" datatype="quaternion"/>', "dim", "dim 4"),
    ('<user dim="3" datatype="axis" cutoff="1"/>', "cutoff", "axes"),
    ('<user dim="1" datatype="word"/>', "datatype", "must be one of"),
    ('<user dim="1" needstage="last"/>', "needstage", "must be one of"),
    ('<user dim="1" objtype="body"/>', "objname", "together"),
    ('<user dim="1" objtype="thing" objname="b"/>', "objtype", "must be one of"),
    ('<user dim="1" objtype="light" objname="b"/>', "objname", "no light"),
    ('<user dim="1" objtype="dof" objname="b"/>', "objtype", "not supported yet"),
    ('<clock name="k"/><clock name="k"/>', "name", "already taken"),
    ('<plugin plugin="mujoco.sensor.other"/>', "plugin", "other' is not supported yet"),
    ('<plugin plugin="mujoco.sensor.touch_grid" objtype="geom" objname="g"/>', "objtype", "site"),
    ("<gyroo/>", None, "did you mean 'gyro'"),
]


@pytest.mark.parametrize(("line", "attribute", "says"), CASES, ids=[case[0] for case in CASES])
def test_bad_sensor_is_refused_at_its_place(line, attribute, says) -> None:
    """000.6-S2, 7-AC5, 7-AC8: with line and attribute: joints of the wrong kind or without limits,
    names of nothing."""
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(f"<mujoco>\n{WORLD}<sensor>\n{line}</sensor></mujoco>"))
    error = refused.value
    assert error.line == 3
    assert error.element == line[1:].replace("/", " ").replace(">", " ").split()[0]
    assert error.attribute == attribute
    assert says in str(error)


def test_the_section_has_no_attributes() -> None:
    with pytest.raises(MjcfError, match="no attributes"):
        read_mjcf('<mujoco><sensor class="main"/></mujoco>')


def test_too_many_user_numbers() -> None:
    with pytest.raises(MjcfError, match="nuser_sensor=1") as refused:
        compile_spec(
            read_mjcf(
                '<mujoco><size nuser_sensor="1"/><sensor><clock user="1 2"/></sensor></mujoco>'
            )
        )
    assert refused.value.attribute == "user"


def test_clocks_do_not_grow_without_bound() -> None:
    """Each replica doubles the sensors that refer to nothing: 40 replicas would fill the memory."""
    with pytest.raises(MjcfError, match="would grow"):
        read_mjcf(
            '<mujoco><worldbody><replicate count="40"><site/></replicate></worldbody>'
            "<sensor><clock/></sensor></mujoco>"
        )


@pytest.mark.parametrize("kind", ["tendon", "actuator"])
def test_objects_of_other_sections_are_needed_by_name(kind) -> None:
    """7-AC8: a sensor of a tendon or actuator that is not there is refused."""
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(f'<mujoco><sensor><{kind}pos {kind}="x"/></sensor></mujoco>'))
    assert refused.value.attribute == kind
