"""Plugins that are features here: as people write them, what they become, and mistakes in them."""

from __future__ import annotations

import pytest

import cortenforge as cf
from cortenforge.enums import Gain

MODEL = """<mujoco>
<extension>{extension}</extension>
<worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
<actuator>
{actuator}
</actuator>
</mujoco>"""
DECLARED = (
    '<plugin plugin="mujoco.pid"><instance name="a"><config key="kp" value="4"/>'
    '<config key="ki" value="-2"/><config key="slewmax" value="0"/></instance></plugin>'
)
USED = '<plugin name="p" joint="j" plugin="mujoco.pid" instance="a"/>'


def text(actuator: str = USED, extension: str = DECLARED) -> str:
    return MODEL.format(actuator=actuator, extension=extension)


def test_instance():
    model = cf.load_model(text())
    assert model.actuator_gaintype[0] == Gain.PIDPLUGIN == 101
    assert model.actuator_gainprm[0, :5].tolist() == [4, -2, 0, -1, 0]
    assert model.na == 2
    assert cf.load_model(text('<plugin joint="j" instance="a"/>')).na == 2


def test_configured_in_place():
    one = '<plugin joint="j" plugin="mujoco.pid" gear="3"><config key="kd" value="7"/></plugin>'
    model = cf.load_model(text(one, '<plugin plugin="mujoco.pid"/>'))
    assert model.actuator_gainprm[0, :5].tolist() == [0, 0, 7, -1, -1]
    assert (model.na, model.actuator_gear[0, 0]) == (0, 3)


def test_written_in_the_words_of_mujoco():
    spec = cf.Spec.from_mjcf(text())
    spec.add_actuator("pidplugin", joint="j", kp=3, imax=0.5, ki=1, dyntype="filter")
    written = spec.to_xml()
    assert '<plugin plugin="mujoco.pid"/>' in written and "pidplugin" not in written
    assert cf.Spec.from_mjcf(written).compile().hash == spec.compile().hash


def test_mujoco_reads_what_is_written():
    mujoco = pytest.importorskip("mujoco")
    from pathlib import Path

    for library in (Path(mujoco.__file__).parent / "plugin").glob("*actuator.*"):
        mujoco.mj_loadPluginLibrary(str(library))
        spec = cf.Spec.from_mjcf(text('<plugin joint="j" instance="a" actdim="2"/>'))
        model = mujoco.MjModel.from_xml_string(spec.to_xml())
        assert (model.nplugin, model.na) == (1, 2)


BAD = [
    (text(USED.replace('"a"', '"b"')), "instance", "no instance"),
    (text(USED.replace("mujoco.pid", "mujoco.other")), "instance", "mujoco.pid"),
    (text(extension=DECLARED.replace('"kp"', '"kq"')), "key", "no such key"),
    (text(extension=DECLARED.replace('"4"', '"four"')), "value", "number"),
    (text(extension=DECLARED + DECLARED), "name", "another instance"),
    (text(USED.replace("joint", 'kp="3" joint')), "kp", "config"),
    (text(USED.replace("joint", 'actdim="1" joint')), "actdim", "2 activations"),
    (text(USED.replace("joint", 'dyntype="muscle" joint')), "dyntype", "no such dynamics"),
    (text(extension=DECLARED.replace("slewmax", "imax")), "ki", "positive gain"),
    (text(extension='<plugin plugin="mujoco.sdf.cup"/>', actuator=""), "plugin", "mujoco.sdf.cup"),
    (text('<plugin joint="j" plugin="my.own"/>'), "plugin", "my.own"),
]


@pytest.mark.parametrize(("source", "attribute", "message"), BAD)
def test_mistakes_are_refused_at_their_place(source, attribute, message):
    """Other plugins by name."""
    with pytest.raises(cf.MjcfError, match=message) as caught:
        cf.load_model(source)
    assert caught.value.line in (2, 5)
    assert caught.value.attribute == attribute


GRIDDED = """<mujoco><extension>{extension}</extension>
<worldbody><body><joint/><geom size=".1"/><site name="s"/></body></worldbody>
<sensor>
{sensor}
</sensor>
</mujoco>"""
GRID = '<plugin plugin="mujoco.sensor.touch_grid">{}</plugin>'
CELLS = '<config key="size" value="4 3"/><config key="fov" value="60 30"/>'
AT_SITE = 'plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"'


def gridded(sensor: str, extension: str = GRID.format("")) -> str:
    return GRIDDED.format(sensor=sensor, extension=extension)


def test_touch_grid():
    """In place and by an instance; written as the plugin that it stands for."""
    placed = gridded(f'<plugin name="g" cutoff="3" {AT_SITE}>{CELLS}</plugin>')
    model = cf.load_model(placed)
    assert model.sensor_dim.tolist() == [12] and model.names["sensor"] == ["g"]
    assert model.sensor_grid.tolist() == [[4, 3, 60, 30, 0, 1]]
    extension = GRID.format(
        f'<instance name="i">{CELLS}<config key="nchannel" value="6"/></instance>'
    )
    model = cf.load_model(gridded('<plugin instance="i" objtype="site" objname="s"/>', extension))
    assert model.sensor_dim.tolist() == [72]
    spec = cf.Spec.from_mjcf(placed)
    written = spec.to_xml()
    assert "touchgrid" not in written
    assert cf.Spec.from_mjcf(written).compile().hash == spec.compile().hash


@pytest.mark.parametrize(
    ("sensor", "problem"),
    [
        (f"<plugin {AT_SITE}/>", "size"),
        (f'<plugin {AT_SITE}><config key="size" value="4"/></plugin>', "size"),
        (f'<plugin {AT_SITE}><config key="size" value="a b"/></plugin>', "number"),
        (f'<plugin {AT_SITE}><config key="color" value="4"/></plugin>', "no such key"),
        (f"<plugin {AT_SITE}>{CELLS.replace('4 3', '0 3')}</plugin>", "one column"),
        (f"<plugin {AT_SITE}>{CELLS.replace('4 3', '99999 99999')}</plugin>", "more than"),
        (f"<plugin {AT_SITE}>{CELLS.replace('60 30', '200 30')}</plugin>", "180"),
        (f"<plugin {AT_SITE.replace('objname', 'refname')}>{CELLS}</plugin>", "refname"),
        (f"<plugin {AT_SITE.replace('site', 'geom')}>{CELLS}</plugin>", "site"),
        (f'<plugin {AT_SITE}>{CELLS}<config key="gamma" value="2"/></plugin>', "0 to 1"),
        (f'<plugin {AT_SITE}>{CELLS}<config key="nchannel" value="7"/></plugin>', "nchannel"),
    ],
)
def test_bad_touch_grids(sensor, problem):
    """Refused where they stand."""
    with pytest.raises(cf.MjcfError, match=problem):
        cf.load_model(gridded(sensor))
