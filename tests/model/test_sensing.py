"""What a model says about its sensors."""

from __future__ import annotations

import pytest

import cortenforge as cf
from cortenforge.enums import Disable, SensorType
from cortenforge.step.sensing.kinds import GROUPS

XML = """<mujoco><option><flag contact="disable"/></option>
<asset><mesh name="m" builtin="sphere" params="1"/></asset>
<worldbody><camera name="c" resolution="4 4"/><site name="zone" size="1"/>
<site name="meshed" type="mesh" mesh="m"/>
<body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
<body pos="1 0 0"><geom name="h" size=".1"/></body></worldbody>{}</mujoco>"""

REFUSED = {
    '<touch site="s" name="it"/>': "touch: it",
    '<distance geom1="g" geom2="h" name="it"/>': "geomdist: it",
    '<normal geom1="g" geom2="h" name="it"/>': "geomnormal: it",
    '<fromto geom1="g" geom2="h" name="it"/>': "geomfromto: it",
    '<contact geom1="g" name="it"/>': "contact: it",
    '<jointactuatorfrc joint="j" name="it"/>': "jointactfrc: it",
    '<user dim="1" name="it"/>': "user: it",
    '<clock nsample="3" name="it"/>': "delay, interval or samples (it)",
    '<insidesite site="meshed" objtype="site" objname="s" name="it"/>': "meshes (it)",
    '<insidesite site="zone" objtype="geom" objname="g" enclosed="true" name="it"/>': "(it)",
}


@pytest.mark.parametrize("sensor", REFUSED)
def test_what_is_missing_is_refused_by_name(sensor):
    """001.6-AC6: nothing reads zero for want of physics; without sensors the model runs."""
    model = cf.Model.from_mjcf(XML.format(f"<sensor>{sensor}</sensor>"))
    (sentence,) = model.supported()
    assert REFUSED[sensor] in sentence and 'sensor="disable"' in sentence
    with pytest.raises(cf.UnsupportedFeature, match="sensors"):
        model.make_data().step()
    model.opt.disableflags |= int(Disable.SENSOR)
    assert model.supported() == []
    model.make_data().step()


def test_forces_beside_spatial_tendons_are_refused():
    """MuJoCo counts pulls of such tendons among the forces on bodies."""
    tendon = '<tendon><spatial><site site="zone"/><site site="s"/></spatial></tendon>'
    for sensor, refused in (("force", True), ("torque", True), ("gyro", False)):
        text = XML.format(f'{tendon}<sensor><{sensor} site="s"/></sensor>')
        sentences = cf.Model.from_mjcf(text).supported()
        assert any("beside spatial tendons" in one for one in sentences) == refused


def test_types_are_done_or_missing():
    """A type is in a group that a kernel reads, or among those that a model refuses."""
    missing = {kind for kind in SensorType if kind not in GROUPS}
    names = {kind.name for kind in missing}
    words = ("ACTUATOR", "LIMIT", "ACTFRC", "GEOM")
    others = {name for name in names if not any(word in name for word in words)}
    assert others == {"TOUCH", "CONTACT", "TACTILE", "PLUGIN", "USER"}
