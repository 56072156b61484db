"""Sensors that say whether objects are inside of sites."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import SensorType
from tests.step.sensing.readings import assert_readings, sensed, world
from tests.step.stages import pair


def test_readings_are_mujocos():
    """Of every shape, for every type of object; a body without mass is where its children are."""
    for both in sensed("sensors_smooth"):
        assert_readings(both, SensorType.INSIDESITE)


AT = np.array([1.0, 2.0, 3.0])
#: an L, of which the hull counts, and a cube; not centred, and elsewhere
MESHES = """<mujoco><option><flag contact="disable"/></option><asset>
<mesh name="ell" vertex="0 0 0  2 0 0  2 1 0  1 1 0  1 2 0  0 2 0
  0 0 1  2 0 1  2 1 1  1 1 1  1 2 1  0 2 1"
  face="0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7
  2 3 9  2 9 8  3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11"/>
<mesh name="cube" vertex="0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"/></asset>
<worldbody><site name="ell" type="mesh" mesh="ell" pos="1 2 3" euler="10 20 30"/>
<site name="cube" type="mesh" mesh="cube" pos="1 2 3"/><body name="b" mocap="true"/></worldbody>
<sensor><insidesite site="ell" objtype="xbody" objname="b"/>
<insidesite site="cube" objtype="xbody" objname="b"/></sensor></mujoco>"""


def test_hulls_of_meshes_are_mujocos():
    """Of points all around, among them some in the corner that an L leaves free."""
    both, rng = pair(MESHES), np.random.default_rng(0)
    assert both.model.supported() == []
    counts = np.zeros(2)
    for _ in range(500):
        both.data.mocap_pos[0] = both.theirs.mocap_pos[0] = AT + rng.uniform(-1, 2.5, 3)
        both.forward()
        assert both.data.sensordata.tolist() == both.theirs.sensordata.tolist()
        counts += both.data.sensordata
    assert counts.min() > 5


def test_hull_of_a_cube():
    """002-I4: points on either side of each face, of a cube that reaches from 0 to 1."""
    data = pair(MESHES).data
    for axis in range(3):
        for place, expected in ((-1e-4, 0), (1e-4, 1), (1 - 1e-4, 1), (1 + 1e-4, 0)):
            point = np.full(3, 0.4)
            point[axis] = place
            data.mocap_pos[0] = point + AT
            data.forward()
            assert data.sensordata[1] == expected


def test_hulls_in_lanes():
    """Worlds whose point is in, and worlds whose point is not."""
    model = pair(MESHES).model
    batch = cf.BatchSim(model, 9, threads=1)
    batch.bind("sensordata")
    batch.mocap_pos[:, 0] = [1.5, 2.5, 3.5]
    batch.mocap_pos[::2, 0, 2] += 2
    batch.forward_all()
    assert batch.sensordata[:, 1].tolist() == [0, 1] * 4 + [0]


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
