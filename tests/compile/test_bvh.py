"""Trees of boxes around geoms of bodies and faces of meshes are MuJoCo's, node by node."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.pack import bvh, bvh_kernels

from .oracle import compiled, differences

pytestmark = pytest.mark.oracle

BODY = "<mujoco><worldbody><body><freejoint/>{}</body>{}</worldbody></mujoco>"

MODELS = {
    "no geoms": "<mujoco/>",
    "one": BODY.format('<geom size=".1"/>', ""),
    "plane in the world": BODY.format('<geom size=".1"/>', '<geom type="plane" size="1 1 1"/>'),
    "plane and others": BODY.format(
        '<geom size=".1"/>', '<geom type="plane" size="1 1 1"/><geom size="1" pos="3 0 0"/>'
    ),
    "invisible": BODY.format(
        '<geom size=".1" contype="0" conaffinity="0"/>'
        '<geom size=".1" contype="0" conaffinity="2" pos="1 0 0"/>'
        '<geom size=".1" contype="4" conaffinity="0" pos="2 0 0"/>',
        '<geom size="1" contype="0" conaffinity="0"/>',
    ),
    "same place": BODY.format('<geom size=".1"/>' * 5, ""),
    "nearly same place": BODY.format(
        "".join(f'<geom size=".1" pos="{k}e-15 0 0"/>' for k in (7, 3, 5, 1)), ""
    ),
    "cube": BODY.format(
        "".join(f'<geom size=".1" pos="{k & 1} {k >> 1 & 1} {k >> 2}"/>' for k in range(8)), ""
    ),
    "fused": '<mujoco><compiler fusestatic="true"/><worldbody><body><freejoint/><geom size=".1"/>'
    '<body pos="1 2 3" euler="10 20 30"><geom type="box" size=".1 .2 .3"/></body></body>'
    "</worldbody></mujoco>",
    "replicated": BODY.format(
        '<replicate count="7" offset=".3 .1 0" euler="10 20 30">'
        '<geom type="capsule" size=".1 .2" pos="1 0 0"/></replicate>',
        "",
    ),
}


@pytest.mark.parametrize("label", MODELS)
def test_trees(label) -> None:
    assert differences(MODELS[label]) == []


@pytest.mark.parametrize("seed", range(12))
def test_trees_of_many_geoms(seed) -> None:
    """Shapes of all kinds, some of them on a grid so that places tie."""
    rng = np.random.default_rng(seed)
    kinds = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
    rows = []
    for _ in range(rng.integers(2, 60)):
        place = rng.normal(size=3) if seed % 2 else rng.integers(0, 3, 3)
        size = rng.uniform(0.1, 0.5, 3) if seed % 3 else (0.1, 0.1, 0.1)
        angles = rng.uniform(0, 360, 3) if seed % 2 else (0, 0, 0)
        rows.append(
            f'<geom type="{rng.choice(kinds)}" size="{size[0]} {size[1]} {size[2]}" '
            f'pos="{place[0]} {place[1]} {place[2]}" '
            f'euler="{angles[0]} {angles[1]} {angles[2]}" conaffinity="{rng.integers(2)}"/>'
        )
    half = len(rows) // 2
    assert differences(BODY.format("".join(rows[half:]), "".join(rows[:half]))) == []


def test_every_geom_that_can_touch_is_in_one_leaf() -> None:
    arrays = compiled(MODELS["invisible"]).arrays
    leaves = arrays["bvh_nodeid"][arrays["bvh_nodeid"] >= 0]
    solid = np.flatnonzero(arrays["geom_contype"] | arrays["geom_conaffinity"])
    assert sorted(leaves) == solid.tolist()


def test_boxes_hold_their_children() -> None:
    arrays = compiled(MODELS["replicated"]).arrays
    start, boxes = arrays["body_bvhadr"][1], arrays["bvh_aabb"]
    for node, children in enumerate(arrays["bvh_child"]):
        for child in children[children >= 0] + start:
            gap = np.abs(boxes[node, :3] - boxes[child, :3]) + boxes[child, 3:]
            assert (gap <= boxes[node, 3:] + 1e-12).all()


def test_trees_of_meshes() -> None:
    """Triangles of meshes, behind those of bodies; a mesh that no geom uses has a tree, too."""
    rng = np.random.default_rng(3)
    meshes = "".join(
        f'<mesh name="m{n}" vertex="{" ".join(map(str, rng.normal(size=3 * n)))}"/>'
        for n in (4, 9, 40, 7)
    )
    geoms = "".join(f'<geom type="mesh" mesh="m{n}" pos="{n} 0 0"/>' for n in (40, 4, 9, 4))
    text = f"<mujoco><asset>{meshes}</asset><worldbody>{geoms}<geom size='1'/></worldbody></mujoco>"
    assert differences(text) == []


GRID = [(x, y, z) for x in range(4) for y in range(4) for z in (0, 1)]
SLIVERS = "0 0 0  2 0 0  1 0 0  1 1e-9 0  0 3 0  0 0 1  1 1 1  1 1 1"
ODD = {
    "ties": (" ".join(f"{x} {y} {z}" for x, y, z in GRID), 200),
    "slivers": (SLIVERS, 60),
    "no area": ("0 0 0  1 0 0  2 0 0  0 3 0  0 0 1  0 0 1  3 3 3", 150),
}


@pytest.mark.parametrize("label", ODD)
def test_trees_of_odd_faces(label) -> None:
    """Places that tie, that are far away, or that are not numbers: random faces have all that."""
    vertex, count = ODD[label]
    faces = np.random.default_rng(1).integers(0, len(vertex.split()) // 3, (count, 3))
    face = " ".join(map(str, faces.ravel()))
    text = (
        f'<mujoco><asset><mesh name="a" vertex="{vertex}" face="{face}"/></asset>'
        '<worldbody><geom type="mesh" mesh="a" contype="0" conaffinity="0"/></worldbody></mujoco>'
    )
    assert differences(text) == []


@pytest.mark.usefixtures("small_runs_plainly")
def test_compiled_and_plain_trees_are_the_same(monkeypatch) -> None:
    """Few leaves are sorted in Python, many by compiled code: the same kernels."""
    place = np.random.default_rng(2).integers(0, 4, (3, 500)) + 0.0
    place[:, ::7] = np.nan
    given = np.array([300, 0, 1, 199]), place, (place - 0.5).T, (place + 0.25).T
    given = tuple(np.nan_to_num(array) if i > 1 else array for i, array in enumerate(given))
    fast = bvh_kernels.bvh_nodes(*given)
    monkeypatch.setattr(bvh_kernels, "MAX_PLAIN_LEAVES", 1000)
    plain = bvh_kernels.bvh_nodes(*given)
    assert all(np.array_equal(fast[name], plain[name]) for name in fast)


@pytest.mark.usefixtures("small_runs_plainly")
@pytest.mark.parametrize("most", [0, 1000], ids=["compiled", "plain"])
@pytest.mark.parametrize("count", [1, 2, 3, 100, 257])
def test_a_tree_follows_from_the_order_of_its_leaves(monkeypatch, most, count) -> None:
    """Bit for bit, also where boxes are flat, at zeros of either sign, or alike."""
    monkeypatch.setattr(bvh_kernels, "MAX_PLAIN_LEAVES", most)
    random = np.random.default_rng(count)
    vert = random.integers(-2, 3, (30, 3)) * random.choice([0.0, -0.0, 1.0, 1e-15], (30, 3))
    face = random.integers(0, 30, (count, 3)).astype(np.int32)
    tree = bvh.face_tree(vert, face)
    again = bvh.ordered_face_tree(vert, face, bvh.leaf_order(tree))
    assert again.keys() == tree.keys()
    for name, array in tree.items():
        assert again[name].dtype == array.dtype and again[name].shape == array.shape
        assert again[name].tobytes() == array.tobytes(), name
