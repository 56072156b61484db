"""The demo: its physics holds, and its picture is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cortenforge.demo.falls import Fall, humanoid, pile, stack
from cortenforge.demo.figure import draw_figure
from cortenforge.demo.runs import DoublePendulum, Somersault, TumblingBox
from cortenforge.demo.side_views import SideViews


@pytest.fixture(scope="module")
def runs() -> tuple[DoublePendulum, TumblingBox, Somersault]:
    return DoublePendulum.run(), TumblingBox.run(), Somersault.run()


@pytest.fixture(scope="module")
def falls() -> tuple[Fall, Fall, Fall]:
    return humanoid(), stack(), pile()


def test_conserved_quantities(runs: tuple[DoublePendulum, TumblingBox, Somersault]) -> None:
    pendulum, box, flight = runs
    assert pendulum.conserved()["energy, RK4, relative"] < 1e-6
    assert max(box.conserved().values()) < 1e-9
    assert flight.conserved()["centre of mass path [m]"] < 1e-8
    assert flight.conserved()["angular momentum, relative"] < 1e-6


def test_something_happens(runs: tuple[DoublePendulum, TumblingBox, Somersault]) -> None:
    """Drift is small because the physics is right, not because nothing moves."""
    pendulum, box, flight = runs
    assert np.ptp(pendulum.tip, axis=0).min() > 1
    assert box.trajectory.qvel[:, 4].min() < -5
    assert flight.com[-1, 0] > 5


def test_what_falls_comes_to_rest(falls: tuple[Fall, Fall, Fall]) -> None:
    person, balls, heap = falls
    assert person.qpos[0, 2] > 1.0 and person.qpos[-1, 2] < 0.4
    np.testing.assert_allclose(balls.qpos[-1, 2::7], [0.1, 0.3, 0.5], atol=2e-3)
    assert heap.contacts > 50 and heap.qpos[-1, 2::7].max() < 1.2
    for fall, speed in ((person, 0.1), (balls, 1e-6), (heap, 0.1)):
        assert fall.speed < speed, fall.title
        assert 0 < fall.deepest < 0.005, fall.title


def test_side_views_are_in_place(falls: tuple[Fall, Fall, Fall]) -> None:
    """Pixels of the stacked balls are where the balls are, and the floor is not drawn."""
    balls = falls[1]
    pixels, (left, right, low, high) = SideViews(balls.model).picture(balls.qpos[-1])
    rows, columns = np.nonzero(pixels[..., 3])
    x = left + (columns + 0.5) / pixels.shape[1] * (right - left)
    z = high - (rows + 0.5) / pixels.shape[0] * (high - low)
    np.testing.assert_allclose([x.min(), x.max(), z.min(), z.max()], [-0.1, 0.1, 0, 0.6], atol=0.01)
    middle = np.abs(z - 0.3) < 0.02
    np.testing.assert_allclose([x[middle].min(), x[middle].max()], [-0.1, 0.1], atol=0.01)


def test_picture(
    runs: tuple[DoublePendulum, TumblingBox, Somersault],
    falls: tuple[Fall, Fall, Fall],
    tmp_path: Path,
) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "demo.png"
    draw_figure(*runs, falls, picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
