"""Trees of boxes around the geoms of bodies are MuJoCo's, node by node."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.bvh import body_bvh_arrays, with_mesh_bvh

from .oracle import compiled, differences, mujoco

pytestmark = pytest.mark.oracle

NEEDED = (
    "geom_contype",
    "geom_conaffinity",
    "geom_bodyid",
    "geom_pos",
    "geom_quat",
    "geom_aabb",
    "body_parentid",
    "body_ipos",
    "body_iquat",
)

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
    """Triangles of meshes, from MuJoCo's own vertices, which it rounds after building the trees."""
    rng = np.random.default_rng(3)
    meshes = "".join(
        f'<mesh name="m{n}" vertex="{" ".join(map(str, rng.normal(size=3 * n)))}"/>'
        for n in (4, 9, 40)
    )
    geoms = "".join(f'<geom type="mesh" mesh="m{n}" pos="{n} 0 0"/>' for n in (40, 4, 9, 4))
    theirs = mujoco.MjModel.from_xml_string(
        f"<mujoco><asset>{meshes}</asset><worldbody>{geoms}<geom size='1'/></worldbody></mujoco>"
    )
    ours, _ = body_bvh_arrays({name: getattr(theirs, name) for name in NEEDED})
    vert, face = theirs.mesh_vert.astype(float), theirs.mesh_face
    parts = [
        (vert[a : a + n], face[b : b + m])
        for a, n, b, m in zip(
            theirs.mesh_vertadr,
            theirs.mesh_vertnum,
            theirs.mesh_faceadr,
            theirs.mesh_facenum,
            strict=True,
        )
    ]
    ours, sizes = with_mesh_bvh(ours, parts)
    assert sizes == {"nbvh": theirs.nbvh, "nbvhstatic": theirs.nbvhstatic}
    np.testing.assert_allclose(ours.pop("bvh_aabb"), theirs.bvh_aabb, atol=1e-6)
    for name, array in ours.items():
        np.testing.assert_array_equal(array, getattr(theirs, name), err_msg=name)
