"""Processed meshes are kept, never go stale, survive damage, and can be switched off."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from cortenforge.compile import compile_spec
from cortenforge.compile.mesh import cache as mesh_cache
from cortenforge.kernel.load.cache import read_cached, write_cached
from cortenforge.read import read_mjcf

# fine enough to be kept on disk
TEXT = """<mujoco><asset><mesh name="a" builtin="supersphere" params="{res} .9 1.1" {more}/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="a" {geom}/></body></worldbody></mujoco>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder, and nothing in memory."""
    # compiled kernels stay where they are
    kernels = os.environ.get("CORTENFORGE_CACHE")
    monkeypatch.setenv("CORTENFORGE_ASSET_CACHE", "off")
    load()
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CORTENFORGE_ASSET_CACHE", raising=False)
    mesh_cache.forget_kept()
    yield tmp_path / "cache"
    mesh_cache.forget_kept()
    assert kernels != str(tmp_path / "cache")


def load(more: str = "", geom: str = "", res: int = 40) -> dict[str, np.ndarray]:
    return compile_spec(read_mjcf(TEXT.format(more=more, geom=geom, res=res))).arrays


def kept(folder) -> list[str]:
    return sorted(path.name for path in folder.glob("*.mesh")) if folder.is_dir() else []


def same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(a[name], b[name]) and a[name].dtype == b[name].dtype for name in a)


def test_a_kept_mesh_is_the_mesh(folder, monkeypatch) -> None:
    first = load()
    assert len(kept(folder)) == 1
    monkeypatch.setattr("cortenforge.compile.mesh.meshes.build_shape", None)
    from_memory = load()
    mesh_cache.forget_kept()
    from_disk = load()
    assert same(first, from_memory) and same(first, from_disk)


@pytest.mark.parametrize(
    ("more", "geom"),
    [
        ('scale="1 2 3"', ""),
        ('refpos="1 0 0"', ""),
        ('refquat="1 1 0 0"', ""),
        ('inertia="shell"', ""),
        ('smoothnormal="true"', ""),
        ('maxhullvert="20"', ""),
        ("", 'contype="0" conaffinity="0"'),
    ],
)
def test_every_attribute_makes_another_mesh(folder, more, geom) -> None:
    load()
    changed = load(more, geom)
    assert len(kept(folder)) == 2
    mesh_cache.forget_kept()
    os.environ["CORTENFORGE_ASSET_CACHE"] = "off"
    try:
        assert same(changed, load(more, geom))
    finally:
        del os.environ["CORTENFORGE_ASSET_CACHE"]


def test_damaged_files_are_made_again(folder) -> None:
    first = load()
    (path,) = folder.glob("*.mesh")
    whole = path.read_bytes()
    for broken in (b"", whole[:-1], whole[:200], whole[:500] + b"x" + whole[501:]):
        path.write_bytes(broken)
        mesh_cache.forget_kept()
        assert same(first, load())
        assert path.read_bytes() == whole


def test_bad_content_with_a_right_checksum(folder) -> None:
    """What was written there by something else is no mesh, and is made again."""
    first = load()
    (path,) = folder.glob("*.mesh")
    whole = read_cached(path.name)
    assert whole is not None
    head, _, rest = whole.partition(b"\n")
    said = json.loads(head)
    far = [[name, kind, [10**9, 3]] for name, kind, _ in said["arrays"]]
    broken = [
        b"",
        b"nothing\n",
        b"[]\n" + rest,
        b"{}\n" + rest,
        b"[" * 10**5 + b"\n",
        json.dumps(said | {"arrays": far}).encode() + b"\n" + rest,
        json.dumps(said | {"arrays": [("vert", "O", [1])]}).encode() + b"\n" + rest,
        json.dumps(said | {"arrays": said["arrays"][:1]}).encode() + b"\n" + rest,
        json.dumps(said | {"pos": 3}).encode() + b"\n" + rest,
        json.dumps(said | {"more": 3}).encode() + b"\n" + rest,
        head + b"\n" + bytes([255]) * len(rest),
    ]
    for content in broken:
        assert not write_cached(path.name, content)
        mesh_cache.forget_kept()
        assert same(first, load())
        assert read_cached(path.name) == whole


def test_new_code_makes_new_meshes(folder, monkeypatch) -> None:
    load()
    monkeypatch.setattr(mesh_cache, "_version", lambda: b"another")
    load()
    assert len(kept(folder)) == 2


def test_small_meshes_are_kept_in_memory_only(folder) -> None:
    load(res=5)
    assert kept(folder) == []
    assert len(mesh_cache._kept) == 1


def test_off_keeps_nothing(folder, monkeypatch) -> None:
    monkeypatch.setenv("CORTENFORGE_ASSET_CACHE", "off")
    load()
    assert kept(folder) == [] and not mesh_cache._kept


def test_a_folder_that_cannot_be_written_is_no_error(folder) -> None:
    folder.write_text("not a folder")
    unkept = load()
    assert folder.read_text() == "not a folder"
    folder.unlink()
    mesh_cache.forget_kept()
    assert same(unkept, load()) and len(kept(folder)) == 1


def test_sizes_are_bounded(folder, monkeypatch) -> None:
    load()
    (path,) = folder.glob("*.mesh")
    os.utime(path, (1, 1))
    monkeypatch.setattr(mesh_cache, "MOST_DISK", 3 * path.stat().st_size // 2)
    monkeypatch.setattr(mesh_cache, "MOST_MEMORY", path.stat().st_size // 2)
    load(res=41)
    assert len(kept(folder)) == 1 and not path.exists()
    assert not mesh_cache._kept


def test_kept_meshes_cannot_be_written(folder) -> None:
    load()
    mesh_cache.forget_kept()
    load()
    for shape in mesh_cache._kept.values():
        assert not any(array.flags.writeable for array in shape.arrays.values())
