"""Bad contact, equality and tendon sections: refused at their line, element and attribute."""

from __future__ import annotations

import pytest

from cortenforge.compile import compile_spec
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

WORLD = (
    '<worldbody><site name="w"/><geom name="box" type="box" size="1 1 1"/>'
    '<body name="a"><joint name="j" type="slide"/><geom name="g" size="1"/><site name="s"/></body>'
    '<body name="b"><joint name="q" type="ball"/><geom name="h" size="1"/><site name="t"/></body>'
    '<replicate count="2"><body name="r"><joint name="k"/><geom name="i" size="1"/>'
    '<site name="u"/></body></replicate></worldbody>'
)
SITES = '<site site="s"/><site site="t"/>'
FIXED = '<fixed><joint joint="j" coef="1"/></fixed>'

CONTACT = [
    ('<pair geom1="g"/>', "pair", "geom2"),
    ('<pair geom1="g" geom2="none"/>', "pair", "geom2"),
    ('<pair geom1="g" geom2="h" condim="2"/>', "pair", "condim"),
    ('<pair geom1="g" geom2="h" friction="1 1 1 1 1 1"/>', "pair", "friction"),
    ('<pair geom1="g" geom2="h" margin="wide"/>', "pair", "margin"),
    ('<pair geom1="g" geom2="h" class="none"/>', "pair", "class"),
    ('<pair geom1="g" geom2="h" colour="red"/>', "pair", "colour"),
    ('<pair geom1="g" geom2="h"><site/></pair>', "site", None),
    ('<pair name="p" geom1="g" geom2="h"/><pair name="p" geom1="g" geom2="h"/>', "pair", "name"),
    ('<exclude body1="a"/>', "exclude", "body2"),
    ('<exclude body1="none" body2="a"/>', "exclude", "body1"),
    ('<exclude body1="a" body2="b" margin="1"/>', "exclude", "margin"),
    (
        '<exclude name="e" body1="a" body2="b"/><exclude name="e" body1="a" body2="b"/>',
        "exclude",
        "name",
    ),
    ("<include_me/>", "include_me", None),
]
EQUALITY = [
    ('<connect body1="a"/>', "connect", "anchor"),
    ('<connect anchor="0 0 0"/>', "connect", "body1"),
    ('<connect site1="s"/>', "connect", "site2"),
    ('<connect site1="s" site2="t" anchor="0 0 0"/>', "connect", "anchor"),
    ('<connect body1="a" anchor="0 0"/>', "connect", "anchor"),
    ('<connect body1="none" anchor="0 0 0"/>', "connect", "body1"),
    ('<connect body1="a" body2="a" anchor="0 0 0"/>', "connect", "body2"),
    ('<connect body1="world" anchor="0 0 0"/>', "connect", "body1"),
    ("<weld/>", "weld", "body1"),
    ('<weld body1="a" relpose="0 0 0"/>', "weld", "relpose"),
    ('<weld site1="s" site2="s"/>', "weld", "site2"),
    ('<weld site1="s" site2="none"/>', "weld", "site2"),
    ('<weld body1="a" active="maybe"/>', "weld", "active"),
    ('<weld body1="a" body2="r"/>', "weld", "body1"),
    ('<weld body1="a" torquescale="much"/>', "weld", "torquescale"),
    ("<joint/>", "joint", "joint1"),
    ('<joint joint1="none"/>', "joint", "joint1"),
    ('<joint joint1="q"/>', "joint", "joint1"),
    ('<joint joint1="j" joint2="q"/>', "joint", "joint2"),
    ('<joint joint1="j" joint2="j"/>', "joint", "joint2"),
    ('<joint joint1="j" polycoef="1 2 3 4 5 6"/>', "joint", "polycoef"),
    ('<joint joint1="j" axis="1 0 0"/>', "joint", "axis"),
    ("<tendon/>", "tendon", "tendon1"),
    ('<tendon tendon1="none"/>', "tendon", "tendon1"),
    ('<joint name="e" joint1="j"/><weld name="e" body1="a"/>', "weld", "name"),
    ('<flex flex="x"/>', "flex", None),
    ("<flexstrain/>", "flexstrain", None),
    ("<flexvert/>", "flexvert", None),
    ("<distance/>", "distance", "geom1"),
]
TENDON = [
    ("<fixed/>", "fixed", None),
    ('<fixed><joint joint="j"/></fixed>', "joint", "coef"),
    ('<fixed><joint coef="1"/></fixed>', "joint", "joint"),
    ('<fixed><joint joint="none" coef="1"/></fixed>', "joint", "joint"),
    ('<fixed><joint joint="q" coef="1"/></fixed>', "joint", "joint"),
    ('<fixed><joint joint="j" coef="1"/><joint joint="j" coef="2"/></fixed>', "joint", "joint"),
    ('<fixed><site site="s"/></fixed>', "site", None),
    ('<fixed width="1"><joint joint="j" coef="1"/></fixed>', "fixed", "width"),
    ('<fixed armature="-1"><joint joint="j" coef="1"/></fixed>', "fixed", "armature"),
    ("<spatial/>", "spatial", None),
    ('<spatial><site site="s"/></spatial>', "spatial", None),
    ("<spatial><site/><site/></spatial>", "site", "site"),
    ('<spatial><site site="s"/><site site="none"/></spatial>', "site", "site"),
    ('<spatial><site site="s"/><site site="s"/></spatial>', "site", "site"),
    (f"<spatial>{SITES}<pulley/>{SITES}</spatial>", "pulley", "divisor"),
    (f'<spatial>{SITES}<pulley divisor="0"/>{SITES}</spatial>', "pulley", "divisor"),
    (f'<spatial>{SITES}<pulley divisor="1"/></spatial>', "pulley", None),
    (
        f'<spatial>{SITES}<pulley divisor="1"/><pulley divisor="1"/>{SITES}</spatial>',
        "pulley",
        None,
    ),
    (f'<spatial>{SITES}<pulley divisor="1"/><site site="w"/></spatial>', "site", "site"),
    ('<spatial><site site="s"/><geom geom="g"/></spatial>', "geom", "geom"),
    ('<spatial><site site="s"/><geom geom="none"/><site site="t"/></spatial>', "geom", "geom"),
    ('<spatial><site site="s"/><geom geom="box"/><site site="t"/></spatial>', "geom", "geom"),
    (
        '<spatial><site site="s"/><geom geom="g" sidesite="none"/><site site="t"/></spatial>',
        "geom",
        "sidesite",
    ),
    (
        '<spatial><site site="s"/><geom geom="g" sidesite="u"/><site site="t"/></spatial>',
        "geom",
        "geom",
    ),
    (
        '<spatial armature="1"><site site="s"/><geom geom="g"/><site site="t"/></spatial>',
        "geom",
        "geom",
    ),
    (f'<spatial armature="-1">{SITES}</spatial>', "spatial", "armature"),
    (f'<spatial width="0">{SITES}</spatial>', "spatial", "width"),
    (f'<spatial range="2 1">{SITES}</spatial>', "spatial", "range"),
    (f'<spatial limited="true">{SITES}</spatial>', "spatial", "range"),
    (f'<spatial actuatorfrcrange="1 2">{SITES}</spatial>', "spatial", "actuatorfrcrange"),
    (f'<spatial springlength="2 1">{SITES}</spatial>', "spatial", "springlength"),
    (f'<spatial springlength="1 2 3">{SITES}</spatial>', "spatial", "springlength"),
    (f'<spatial springyield="-1">{SITES}</spatial>', "spatial", "springyield"),
    (f'<spatial material="none">{SITES}</spatial>', "spatial", "material"),
    (f'<spatial stiffness="nan">{SITES}</spatial>', "spatial", "stiffness"),
    (f'<spatial class="none">{SITES}</spatial>', "spatial", "class"),
    (
        f'<spatial name="t">{SITES}</spatial><fixed name="t"><joint joint="j" coef="1"/></fixed>',
        "fixed",
        "name",
    ),
    ('<spatial><site site="s"/><joint joint="j" coef="1"/></spatial>', "joint", None),
]
OTHER = [
    (f'<compiler autolimits="false"/><tendon><spatial range="0 1">{SITES}</spatial></tendon>',
     "spatial", "range"),
    (f'<size nuser_tendon="1"/><tendon><spatial user="1 2">{SITES}</spatial></tendon>',
     "spatial", "user"),
    (f'<size nuser_tendon="-2"/><tendon>{FIXED}</tendon>', "size", "nuser_tendon"),
    ('<default><tendon name="x"/></default>', "tendon", "name"),
    ('<default><pair geom1="g"/></default>', "pair", "geom1"),
    ('<default><equality body1="a"/></default>', "equality", "body1"),
    ('<contact name="x"/>', "contact", "name"),
    ('<tendon stiffness="1"/>', "tendon", "stiffness"),
    ('<custom><tuple name="x"><element objtype="tendon" objname="none"/></tuple></custom>',
     "element", "objname"),
]  # fmt: skip
CASES = [
    *((f"<contact>{text}</contact>", *blame) for text, *blame in CONTACT),
    *((f"<equality>{text}</equality>", *blame) for text, *blame in EQUALITY),
    *((f"<tendon>{text}</tendon>", *blame) for text, *blame in TENDON),
    *OTHER,
]


@pytest.mark.parametrize(("text", "element", "attribute"), CASES, ids=[case[0] for case in CASES])
def test_refused_at_its_place(text: str, element: str, attribute: str | None) -> None:
    with pytest.raises(MjcfError) as refused:
        compile_spec(read_mjcf(f"<mujoco>\n{WORLD}\n{text}\n</mujoco>"))
    error = refused.value
    assert (error.file, error.line, error.element) == ("<string>", 3, element)
    assert error.attribute == attribute
    assert "<string>:3" in str(error)


def test_trees_joined_by_a_spring_may_not_sleep() -> None:
    text = (
        '<mujoco><worldbody><body name="a" sleep="allowed"><freejoint/><geom size=".1"/>'
        '<site name="s"/></body><body><freejoint/><geom size=".1"/><site name="t" pos="1 0 0"/>'
        f'</body></worldbody>\n<tendon><spatial stiffness="1">{SITES}</spatial></tendon></mujoco>'
    )
    with pytest.raises(MjcfError, match="may not sleep"):
        compile_spec(read_mjcf(text))


def test_many_replicas_of_many_pairs_are_refused() -> None:
    """A short file cannot ask for millions of pairs."""
    pairs = '<pair geom1="g" geom2="f"/>' * 300
    text = (
        '<mujoco><worldbody><geom name="f" size="1"/><replicate count="9999"><geom name="g"'
        f' size="1"/></replicate></worldbody><contact>{pairs}</contact></mujoco>'
    )
    with pytest.raises(MjcfError, match="more elements than a model"):
        read_mjcf(text)


def test_armature_that_spoils_the_inertia_is_refused() -> None:
    """Two branches of a tree, joined by a heavy tendon: MuJoCo's inertia is not positive."""
    arm = '<body><joint name="{0}"/><geom size=".1" pos="1 0 0"/></body>'
    text = (
        f'<mujoco><worldbody><body><joint name="z"/><geom size=".1" pos=".1 0 0"/>{arm.format("x")}'
        f'{arm.format("y")}</body></worldbody>\n<tendon><fixed armature="1000"><joint joint="x"'
        ' coef="1"/><joint joint="y" coef="1"/><joint joint="z" coef="1"/></fixed></tendon>'
        "</mujoco>"
    )
    with pytest.raises(MjcfError, match="not positive") as refused:
        compile_spec(read_mjcf(text))
    assert (refused.value.element, refused.value.attribute) == ("fixed", "armature")
