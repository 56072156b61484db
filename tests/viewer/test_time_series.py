"""Numbers for plots."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.viewer.time_series import SeriesRecorder, TimeSeries, sensor_names

from .scenes import DESK, world_of


def test_a_series_keeps_its_last_points() -> None:
    series = TimeSeries(("a", "b"), length=10)
    for k in range(57):
        series.add(k, np.array([k, -k]))
    times, a, b = series.lines()
    np.testing.assert_array_equal(times, np.arange(47, 57))
    np.testing.assert_array_equal(a, -b)
    series.drop_after(50.0)
    assert series.lines()[0][-1] == 50
    # the same time again takes the place of the last point; an earlier one begins anew
    series.add(50.0, np.array([7.0, 7.0]))
    assert series.lines()[1][-2:].tolist() == [49.0, 7.0]
    series.add(0.0, np.zeros(2))
    assert len(series) == 1


def test_sensors_and_energies() -> None:
    model, data = world_of(DESK)
    recorder = SeriesRecorder(model)
    assert sensor_names(model) == ["angle", "spin"]
    for name in ("angle", "spin", "energy"):
        recorder.watch(name)
    data.qvel[6] = 3.0
    for _ in range(5):
        data.step()
        recorder.append_points(data)
    times, angle = recorder.series["angle"].lines()
    assert len(times) == 5 and angle[-1] == data.sensordata[0] != 0.0
    assert len(recorder.series["spin"].lines()) == 4
    _, potential, kinetic, total = recorder.series["energy"].lines()
    assert kinetic[0] > 0.0
    np.testing.assert_allclose(total, potential + kinetic)
    recorder.unwatch("energy")
    recorder.append_points(data)
    assert "energy" not in recorder.series
    with pytest.raises(ValueError):
        recorder.watch("no such sensor")
