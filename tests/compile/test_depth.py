"""How deep bodies can be in bodies."""

from __future__ import annotations

import pytest

import cortenforge as cf


def chain(count: int, *, joints: bool = True) -> cf.Spec:
    """Bodies in bodies, built by a program: a file cannot nest as deep."""
    spec = cf.Spec()
    body = spec.worldbody
    for i in range(count):
        body = body.add_body(name=f"b{i + 1}", pos=[0, 0, 0.1])
        body.add_geom(size=0.02, contype=0, conaffinity=0)
        if joints:
            body.add_joint(axis=[0, 1, 0])
    return spec


def test_deepest_chain_is_mujocos() -> None:
    """A chain of 1023 bodies compiles, one more is refused with its name, as in MuJoCo."""
    spec = chain(1023)
    assert spec.compile().nbody == 1024
    spec.body("b1023").add_body(name="one_more").add_geom(size=0.02)
    with pytest.raises(cf.MjcfError, match=r"one_more.* nested deeper than 1023 levels"):
        spec.compile()


def test_long_chains_are_refused() -> None:
    """A chain of 1,500 bodies is refused, not worked on."""
    with pytest.raises(cf.MjcfError, match="nested deeper"):
        chain(1500).compile()


def test_fused_bodies_do_not_count() -> None:
    """Bodies without joints that are fused into one are not nested any more."""
    spec = chain(1100, joints=False)
    spec.compiler.set(fusestatic=True)
    assert spec.compile().nbody == 1
