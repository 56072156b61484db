"""Polygons of OBJ files are cut into the triangles that MuJoCo's reader finds."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import mujoco_module
from cortenforge.compile.mesh import ear_clipping_kernels
from cortenforge.compile.mesh.ear_clipping_kernels import polygon_triangles, rounded_to_single

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

MOST = 10**8


def polygons(number: int, seed: int) -> list[np.ndarray]:
    """Convex ones, stars, loops that cross themselves, repeated points, far away, without area."""
    rng, made = np.random.default_rng(seed), []
    for k in range(number):
        count = int(rng.integers(5, 40))
        angle = np.sort(rng.uniform(0, 2 * np.pi, count))
        radius = rng.uniform(0.2, 1, count) if k % 3 else np.ones(count)
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
        if k % 5 == 0:
            points = np.round(rng.normal(size=(count, 2)), 1)
        if k % 7 == 0:
            points = points * 0.013 + 7.1
        if k % 11 == 0:
            points[:, 1] = 0.3 * points[:, 0] + 0.1
        made.append(points.astype(np.float32))
    return made


def clipped(faces: list[np.ndarray]) -> list[list[list[int]]]:
    counts = np.array([len(points) for points in faces])
    triangles, done = polygon_triangles(counts, np.concatenate(faces), MOST)
    assert done == len(faces)
    return [one.tolist() for one in triangles]


def obj(points: np.ndarray) -> bytes:
    """A file with a polygon as its face, and two further triangles that give the mesh a volume."""
    rows = [f"v {x:.9g} {y:.9g} 0" for x, y in points]
    rows += ["v 0 0 1", "v 1 0 1", "v 0 1 1", "v 1 1 2"]
    n = len(points)
    face = "f " + " ".join(str(k + 1) for k in range(n))
    return "\n".join(
        [*rows, face, f"f {n + 1} {n + 2} {n + 3}", f"f {n + 1} {n + 2} {n + 4}"]
    ).encode()


@pytest.mark.oracle
def test_triangles_are_mujocos() -> None:
    mujoco, faces = mujoco_module(), polygons(120, 3)
    assets = {f"{k}.obj": obj(points) for k, points in enumerate(faces)}
    listed = "".join(f'<mesh file="{name}" inertia="shell"/>' for name in assets)
    text = f"<mujoco><asset>{listed}</asset></mujoco>"
    theirs = mujoco.MjModel.from_xml_string(text, assets)
    ours = cf.Model.from_mjcf(text, assets=assets)
    np.testing.assert_array_equal(ours.mesh_facenum, theirs.mesh_facenum)
    np.testing.assert_array_equal(ours.mesh_face, theirs.mesh_face)
    # some are cut whole, some cannot be
    whole = sum(n == len(points) for n, points in zip(theirs.mesh_facenum, faces, strict=True))
    assert 20 < whole < len(faces)


def test_compiled_and_plain_kernels_find_the_same_ears(monkeypatch: pytest.MonkeyPatch) -> None:
    faces, found = polygons(60, 0), []
    for most in (0, 10**9):
        monkeypatch.setattr(ear_clipping_kernels, "MAX_PLAIN_TESTS", most)
        found.append(clipped(faces))
    assert found[0] == found[1]


def test_convex_polygons_are_cut_whole() -> None:
    """Areas of the triangles add up to that of the polygon."""
    angle = 2 * np.pi * np.arange(50) / 50
    points = np.stack([np.cos(angle), np.sin(angle)], 1).astype(np.float32)
    (triangles,) = clipped([points])
    a, b, c = (points.astype(float)[np.array(triangles)[:, k]] for k in range(3))
    areas = 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    # corners are in single precision
    assert len(triangles) == 48 and np.isclose(areas.sum(), 25 * np.sin(2 * np.pi / 50), rtol=1e-6)


def test_tests_run_out() -> None:
    """The polygons that are done are told apart from the one that took too many tests."""
    faces = polygons(3, 1)
    _, done = polygon_triangles(np.array([len(p) for p in faces]), np.concatenate(faces), 100)
    assert done < 3


def test_rounding_is_that_of_single_precision() -> None:
    values = np.random.default_rng(0).normal(size=1000) * 10.0 ** np.arange(-10, 10).repeat(50)
    assert [rounded_to_single(float(value)) for value in values] == values.astype(
        np.float32
    ).tolist()
