"""Plugins are refused by name, flexible bodies and removed elements with a sentence."""

from __future__ import annotations

import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

CABLE = '<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1"/></plugin>'
PLACES = {
    "extension": "<extension>{}</extension>",
    "body": "<worldbody><body>{}</body></worldbody>",
    "geom": "<worldbody><geom>{}</geom></worldbody>",
    "mesh": '<asset><mesh name="m">{}</mesh></asset>',
    "actuator": "<actuator>{}</actuator>",
    "sensor": "<sensor>{}</sensor>",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_plugins_are_refused_by_name(place):
    """Wherever a plugin may stand, the error names it, its line and its attribute."""
    with pytest.raises(MjcfError) as caught:
        read_mjcf("<mujoco>\n" + place.format(CABLE) + "</mujoco>")
    error = caught.value
    assert "plugin 'mujoco.elasticity.cable' is not supported yet" in str(error)
    assert (error.line, error.element, error.attribute) == (2, "plugin", "plugin")


def test_instances_are_refused_by_name():
    """An element may name an instance instead of a plugin."""
    with pytest.raises(MjcfError, match="plugin instance 'i' is not supported yet"):
        read_mjcf('<mujoco><worldbody><geom><plugin instance="i"/></geom></worldbody></mujoco>')


def test_the_hint_names_what_does_the_same():
    """Where an element replaces a plugin, the hint says so."""
    inside = '<worldbody><body><plugin plugin="mujoco.pid"/></body></worldbody>'
    with pytest.raises(MjcfError, match=r"hint: it is an actuator"):
        read_mjcf(f"<mujoco>{inside}</mujoco>")


SOFT = {
    "flexcomp in the world": '<worldbody><flexcomp name="f"/></worldbody>',
    "flexcomp in a body": '<worldbody><body><flexcomp name="f"/></body></worldbody>',
    "flex": '<deformable><flex name="f"/></deformable>',
}


@pytest.mark.parametrize("inside", SOFT.values(), ids=SOFT.keys())
def test_flexible_bodies_are_refused_with_a_sentence(inside):
    """The error says what is missing."""
    with pytest.raises(MjcfError, match="not supported yet: there are no flexible bodies"):
        read_mjcf(f"<mujoco>{inside}</mujoco>")


def test_composite_is_refused_with_a_hint():
    """What MuJoCo 4.0 removed has a replacement."""
    with pytest.raises(MjcfError, match=r"(?s)removed from MJCF.*hint: .*<replicate>.*<flexcomp>"):
        read_mjcf('<mujoco><worldbody><composite type="grid"/></worldbody></mujoco>')
