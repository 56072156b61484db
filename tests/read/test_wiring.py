"""Contact, equality and tendon sections as the reader hands them on."""

from __future__ import annotations

import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

SITES = '<site site="s"/><site site="t"/>'


def test_sections_merge_in_document_order() -> None:
    spec = read_mjcf(
        '<mujoco><contact><pair name="p" geom1="a" geom2="b"/></contact><contact><exclude name="e"'
        ' body1="a" body2="b"/><pair name="q" geom1="a" geom2="b"/></contact><tendon><fixed'
        f' name="f"/></tendon><tendon><spatial name="s">{SITES}<pulley divisor="2"/>{SITES}'
        '</spatial></tendon><equality><weld name="w" body1="a"/><joint name="j" joint1="x"/>'
        "</equality></mujoco>"
    )
    assert [one.name for one in spec.contacts] == ["p", "e", "q"]
    assert [one.name for one in spec.equalities] == ["w", "j"]
    assert [one.tag for one in spec.tendons] == ["fixed", "spatial"]
    path = [step.tag for step in spec.tendons[1].children]
    assert path == ["site", "site", "pulley", "site", "site"]


def test_one_rest_length_stands_for_two() -> None:
    spec = read_mjcf(
        '<mujoco><default><tendon springlength=".5"/></default><tendon><fixed/>'
        '<fixed springlength="1"/><fixed springlength="1 2"/></tendon></mujoco>'
    )
    lengths = [one["springlength"].tolist() for one in spec.tendons]
    assert lengths == [[0.5, 0.5], [1, 1], [1, 2]]


def test_a_fixed_tendon_inherits_what_it_cannot_say() -> None:
    """Width and colour of a fixed tendon come from its class or from the grammar."""
    spec = read_mjcf(
        '<mujoco><default><default class="c"><tendon width=".2"/></default></default><tendon>'
        '<fixed class="c"/><fixed/></tendon></mujoco>'
    )
    assert [one["width"] for one in spec.tendons] == [0.2, 0.003]


def test_partial_lists_keep_the_inherited_tail() -> None:
    spec = read_mjcf(
        '<mujoco><default><pair friction="1 2 3"/><equality solimp=".5 .6 .7"/></default>'
        '<contact><pair geom1="a" geom2="b" friction="9"/></contact>'
        '<equality><weld body1="a" solimp=".1"/></equality></mujoco>'
    )
    assert spec.contacts[0]["friction"].tolist() == [9, 2, 3, 0.0001, 0.0001]
    assert spec.equalities[0]["solimp"].tolist() == [0.1, 0.6, 0.7, 0.5, 2]


REPLICATE = (
    '<worldbody><body name="out"/><replicate count="2" sep="-"><body name="in"><joint name="j"/>'
    '<site name="s"/></body></replicate></worldbody>'
)


def test_references_into_a_replicate_are_copied_behind_the_others() -> None:
    spec = read_mjcf(
        f'<mujoco>{REPLICATE}<contact><exclude name="x" body1="out" body2="in"/>'
        '<exclude name="y" body1="out" body2="world"/></contact></mujoco>'
    )
    ends = [(one.name, one["body1"], one["body2"]) for one in spec.contacts]
    assert ends == [("y", "out", "world"), ("x-0", "out", "in-0"), ("x-1", "out", "in-1")]


def test_equalities_follow_the_tendons_they_hold() -> None:
    spec = read_mjcf(
        f'<mujoco>{REPLICATE}<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
        '<equality><tendon tendon1="t"/></equality></mujoco>'
    )
    assert [one.name for one in spec.tendons] == ["t-0", "t-1"]
    assert [one.children[0]["joint"] for one in spec.tendons] == ["j-0", "j-1"]
    assert [one["tendon1"] for one in spec.equalities] == ["t-0", "t-1"]


def test_an_equality_cannot_mix_replicas_with_others() -> None:
    """MuJoCo drops such an equality without a word."""
    with pytest.raises(MjcfError, match="cannot mix"):
        read_mjcf(
            f'<mujoco>{REPLICATE}<equality><weld body1="in" body2="out"/></equality></mujoco>'
        )
