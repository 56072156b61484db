"""Sensors that say whether objects are inside of sites."""

from __future__ import annotations

import pytest

from cortenforge.enums import SensorType
from tests.step.sensing.readings import assert_readings, sensed, world


def test_readings_are_mujocos():
    """Of every shape, for every type of object; a body without mass is where its children are."""
    for both in sensed("sensors_smooth"):
        assert_readings(both, SensorType.INSIDESITE)


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        ('type="sphere" size="1"', (0.57, 0.57, 0.57), (0.58, 0.58, 0.58)),
        ('type="capsule" size="1 2"', (0, 0, 2.99), (0, 0.2, 2.99)),
        ('type="ellipsoid" size="1 2 3"', (0.57, 1.14, 1.71), (0.6, 1.2, 1.8)),
        ('type="cylinder" size="1 2"', (0.7, 0.7, 1.99), (0.7, 0.7, 2.01)),
        ('type="box" size="1 2 3"', (0.99, 1.99, -2.99), (0.99, 2.01, -2.99)),
    ],
)
def test_shapes(shape, inside, outside):
    """002-I4: points on either side of the surface, for a site that is elsewhere and turned."""
    for point, expected in ((inside, 1.0), (outside, 0.0)):
        place = f'pos="{point[0]} {point[1]} {point[2]}"'
        bodies = f"""<frame pos="3 2 1" euler="20 30 40"><site name="zone" {shape}/>
        <site name="point" {place}/></frame>"""
        data = world(bodies, '<insidesite site="zone" objtype="site" objname="point"/>')
        data.forward()
        assert data.sensordata.tolist() == [expected]
