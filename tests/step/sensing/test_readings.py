"""How far readings go."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.enums import DataType
from cortenforge.step.sensing.readings import apply_cutoff
from tests.step.sensing.readings import world


class Sensors:
    """One sensor of a kind, as kernels see a model."""

    def __init__(self, kind: DataType, most: float) -> None:
        self.sensor_datatype, self.sensor_cutoff = [int(kind)], [most]


@pytest.mark.parametrize(
    ("kind", "most", "given", "shown"),
    [
        (DataType.REAL, 0.0, 9.0, 9.0),
        (DataType.REAL, 2.0, 9.0, 2.0),
        (DataType.REAL, 2.0, -9.0, -2.0),
        (DataType.REAL, 2.0, 1.5, 1.5),
        (DataType.POSITIVE, 2.0, 9.0, 2.0),
        (DataType.POSITIVE, 0.5, -1.0, -1.0),
        (DataType.POSITIVE, 0.0, 9.0, 9.0),
        (DataType.AXIS, 0.5, 1.0, 1.0),
        (DataType.QUATERNION, 0.5, 1.0, 1.0),
    ],
)
def test_cutoff(kind, most, given, shown):
    """000.6-S1: reals between -c and c, positive ones up to c, so that -1 survives."""
    assert apply_cutoff(Sensors(kind, most), 0, given) == shown


def test_nan_is_not_hidden():
    """What is no number is not within the limits either."""
    for kind in (DataType.REAL, DataType.POSITIVE):
        assert np.isnan(apply_cutoff(Sensors(kind, 1.0), 0, np.nan))


def test_cutoff_of_a_step():
    """7-AC11: in a model, on both sides."""
    body = '<body><joint name="j" type="slide"/><geom size=".1"/></body>'
    data = world(body, '<jointpos joint="j" cutoff="0.5"/><jointpos joint="j"/>')
    for at, shown in ((0.3, 0.3), (0.7, 0.5), (-0.7, -0.5)):
        data.qpos[:] = at
        data.forward()
        assert data.sensordata.tolist() == [shown, at]
