"""Meshes built by threads are those that one thread builds, with the same errors and warnings."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compile import compile_spec
from cortenforge.compile.mesh import cache as mesh_cache
from cortenforge.compile.mesh import meshes
from cortenforge.read import read_mjcf

COUNT = 9


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A model of mesh files: blobs, the last two equal, and one with a degenerate face."""
    monkeypatch.setenv("CORTENFORGE_ASSET_CACHE", "off")
    rng = np.random.default_rng(0)
    for number in range(COUNT):
        if number != COUNT - 1:
            points = rng.normal(size=(60, 3))
        lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
        faces = [f"f {a} {a % 60 + 1} {(a + 7) % 60 + 1}" for a in range(1, 61)]
        (tmp_path / f"{number}.obj").write_text("\n".join([*lines, *faces, "f 1 1 2"]))
    assets = "".join(f'<mesh file="{number}.obj"/>' for number in range(COUNT))
    geoms = "".join(f'<geom type="mesh" mesh="{number}"/>' for number in range(COUNT))
    (tmp_path / "model.xml").write_text(
        f"<mujoco><asset>{assets}</asset><worldbody><body><freejoint/>{geoms}</body>"
        "</worldbody></mujoco>"
    )
    return tmp_path / "model.xml"


def arrays_with(cores: int, path, monkeypatch) -> dict[str, np.ndarray]:
    monkeypatch.setattr(meshes, "usable_cores", lambda: cores)
    return compile_spec(read_mjcf(path)).arrays


def test_threads_build_the_same_meshes(model, monkeypatch) -> None:
    with warnings.catch_warnings():
        # faces without area divide by zero, which is expected there
        warnings.simplefilter("error", RuntimeWarning)
        one, many = (arrays_with(cores, model, monkeypatch) for cores in (1, 4))
        filters = list(warnings.filters)
    assert ("error", None, RuntimeWarning, None, 0) in filters
    for name, array in one.items():
        assert np.asarray(array).tobytes() == np.asarray(many[name]).tobytes(), name


@pytest.mark.parametrize("cores", [1, 4])
def test_the_first_error_is_raised(model, monkeypatch, cores) -> None:
    """A mesh that cannot be built comes before a later one without a file."""
    (model.parent / "3.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (model.parent / "5.obj").unlink()
    with pytest.raises(cf.MjcfError, match="at least 4 vertices") as caught:
        arrays_with(cores, model, monkeypatch)
    assert "3.obj" in str(caught.value)
    (model.parent / "1.obj").write_text("v 0 0 x\n")
    with pytest.raises(cf.MjcfError, match="'x' is not a number"):
        arrays_with(cores, model, monkeypatch)


@pytest.mark.parametrize("cores", [1, 4])
def test_all_errors_are_gathered(model, monkeypatch, cores) -> None:
    monkeypatch.setattr(meshes, "usable_cores", lambda: cores)
    for number in (2, 6):
        (model.parent / f"{number}.obj").write_text("")
    (model.parent / "4.obj").unlink()
    found = cf.validate(model).errors
    assert [error.attribute for error in found] == ["file"] * 3
    assert [error.got for error in found] == ["2.obj", "4.obj", "6.obj"]


def test_only_hulls_have_support_vertices(tmp_path, monkeypatch) -> None:
    """Kept with the mesh: a mesh that does not collide has none."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path))
    text = """<mujoco><asset><mesh name="a" builtin="sphere" params="3"/></asset><worldbody>
    <geom type="mesh" mesh="a" contype="{bits}" conaffinity="{bits}"/></worldbody></mujoco>"""
    for _ in range(2):
        mesh_cache.forget_kept()
        solid, seen = (cf.Model.from_mjcf(text.format(bits=bits)) for bits in (1, 0))
        assert solid.mesh_graphadr[0] == 0 and len(set(solid.hull_toward[0].tolist())) > 100
        assert seen.mesh_graphadr[0] == -1 and not seen.hull_toward.any()
