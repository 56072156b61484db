"""Replicas: names, poses, tuples and targets, as MuJoCo makes them."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf
from cortenforge.spec.editing import expansion
from cortenforge.spec.editing.attach import MAX_ELEMENTS


def model(tree: str, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{tree}</worldbody></mujoco>"


def names(text: str, tag: str = "geom") -> list[str]:
    return [e.name for e in read_mjcf(text).worldbody.walk() if e.tag == tag]


GEOM = '<geom name="g" size="1"/>'


@pytest.mark.parametrize(
    ("count", "first", "last"),
    [(1, "g0", "g0"), (9, "g0", "g8"), (10, "g00", "g09"), (100, "g000", "g099")],
)
def test_suffix_is_as_wide_as_the_count(count, first, last) -> None:
    found = names(model(f'<replicate count="{count}">{GEOM}</replicate>'))
    assert (len(found), found[0], found[-1]) == (count, first, last)


def test_inner_suffixes_come_first() -> None:
    inner = f'<replicate count="2" sep="-">{GEOM}</replicate>'
    found = names(model(f'<replicate count="2">{inner}</replicate>'))
    assert found == ["g-00", "g-10", "g-01", "g-11"]


def test_replicas_become_frames_without_a_trace() -> None:
    spec = read_mjcf(model(f'<replicate count="2" offset="1 0 0">{GEOM}</replicate>'))
    assert [e.tag for e in spec.worldbody.walk()] == ["worldbody", "frame", "geom", "frame", "geom"]
    assert spec.worldbody.children[1]["pos"].tolist() == [1, 0, 0]
    assert spec.worldbody.children[1].where.line == 1


def test_keyframes_are_not_replicated() -> None:
    text = (
        '<mujoco><worldbody><replicate count="2"><body><joint/><geom size="1"/></body>'
        '</replicate></worldbody><keyframe><key name="k" qpos="1 2"/></keyframe></mujoco>'
    )
    assert [key.name for key in read_mjcf(text).keys] == ["k"]


def test_targets_follow_their_replica() -> None:
    text = model(
        '<replicate count="2"><body name="b"><camera mode="targetbody" target="b"/>'
        "</body></replicate>"
    )
    found = [e["target"] for e in read_mjcf(text).worldbody.walk() if e.tag == "camera"]
    assert found == ["b0", "b1"]


def test_tuples_are_replicated_with_what_they_list() -> None:
    custom = (
        '<custom><tuple name="t"><element objtype="geom" objname="g"/></tuple>'
        '<tuple name="u"><element objtype="geom" objname="g1"/></tuple></custom>'
    )
    spec = read_mjcf(model(f'<replicate count="2">{GEOM}</replicate>', custom))
    found = [(t.name, [item["objname"] for item in t.children]) for t in spec.tuples]
    assert found == [("u", ["g1"]), ("t0", ["g0"]), ("t1", ["g1"])]


def test_tuples_that_mix_are_refused() -> None:
    custom = (
        '<custom><tuple name="t"><element objtype="geom" objname="g"/>'
        '<element objtype="body" objname="world"/></tuple></custom>'
    )
    with pytest.raises(MjcfError, match="cannot mix"):
        read_mjcf(model(f'<replicate count="2">{GEOM}</replicate>', custom))


def test_size_is_limited_by_the_product_of_counts() -> None:
    count = int((MAX_ELEMENTS // 4) ** 0.5)
    inside = f"<body>{GEOM}</body>"
    nested = f'<replicate count="{{0}}"><replicate count="{{0}}">{inside}</replicate></replicate>'
    assert len(names(model(nested.format(20)))) == 400
    with pytest.raises(MjcfError, match="the limit is"):
        read_mjcf(model(nested.format(2 * count)))


def test_what_is_written_out_is_not_limited(monkeypatch) -> None:
    """A long file may be large: only what a few words make is counted, geoms alone for less."""
    monkeypatch.setattr(expansion, "MAX_ELEMENTS", 100)
    assert len(names(model(200 * GEOM.replace('name="g"', "")))) == 200
    assert len(names(model(f'<replicate count="200">{GEOM}</replicate>'))) == 200
    for inside in ("<body/>", f"<body>{GEOM}</body>"):
        with pytest.raises(MjcfError, match="the limit is 100"):
            read_mjcf(model(f'<replicate count="200">{inside}</replicate>'))
    nested = f'<replicate count="14"><replicate count="14">{GEOM}</replicate></replicate>'
    assert len(names(model(nested))) == 196


# against MuJoCo

POSES = [
    'count="5" offset="1 2 3"',
    'count="5" euler="10 20 30"',
    'count="7" offset=".1 .2 .3" euler="10 20 30"',
    'count="12" offset=".1 .2 .3" euler="-40 5 170"',
]


@pytest.mark.oracle
@pytest.mark.parametrize("angle", ["degree", "radian"])
@pytest.mark.parametrize("sequence", ["xyz", "zyx", "XYZ", "xZy"])
@pytest.mark.parametrize("attributes", POSES)
def test_poses_are_those_of_mujoco(attributes, sequence, angle) -> None:
    mujoco = pytest.importorskip("mujoco")
    before = f'<compiler eulerseq="{sequence}" angle="{angle}"/>'
    text = model(f"<replicate {attributes}>{GEOM}</replicate>", before)
    spec, oracle = read_mjcf(text), mujoco.MjModel.from_xml_string(text)
    frames = spec.worldbody.children
    assert [frame.children[0].name for frame in frames] == [
        oracle.geom(i).name for i in range(oracle.ngeom)
    ]
    np.testing.assert_allclose([f["pos"] for f in frames], oracle.geom_pos, atol=1e-12)
    ours = np.array([f["quat"] for f in frames])
    same = np.abs(np.sum(ours * oracle.geom_quat, axis=1))
    np.testing.assert_allclose(same, 1, atol=1e-12)


@pytest.mark.oracle
def test_names_are_those_of_mujoco() -> None:
    mujoco = pytest.importorskip("mujoco")
    text = model("""
      <body name="before"/>
      <replicate count="3" sep="_" offset="0 0 1">
        <body name="b"><freejoint name="j"/><geom name="g" size="1"/><site name="s"/>
          <replicate count="2" euler="0 0 90"><body name="c"><camera name="v"/></body></replicate>
        </body>
        <frame name="f"><light name="l"/><geom size="1"/></frame>
      </replicate>
      <body name="after"/>""")
    spec, oracle = read_mjcf(text), mujoco.MjModel.from_xml_string(text)
    kinds = (
        ("body", oracle.body, oracle.nbody),
        ("geom", oracle.geom, oracle.ngeom),
        ("site", oracle.site, oracle.nsite),
        ("light", oracle.light, oracle.nlight),
        ("camera", oracle.camera, oracle.ncam),
    )
    for tag, kind, count in kinds:
        ours = sorted(e.name for e in spec.worldbody.walk() if e.tag == tag)
        theirs = sorted(kind(i).name for i in range(count) if kind(i).name != "world")
        assert ours == theirs
