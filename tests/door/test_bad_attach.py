"""Each rule of `attach` and `asset/model` broken once: refused at its place."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

PART = '<mujoco model="part"><worldbody><body name="b"/></worldbody></mujoco>'
LOOP = '<mujoco><asset><model name="x" file="{}"/></asset></mujoco>'


def using(attach: str, asset: str = '<model name="part" file="part.xml"/>') -> str:
    """A model that attaches; the element is on the third line."""
    return f"<mujoco><asset>{asset}</asset>\n<worldbody>\n{attach}</worldbody></mujoco>"


BAD = {
    "no prefix": ('<attach model="part"/>', "prefix", "required"),
    "unknown attribute": ('<attach model="part" prefix="p" suffix="s"/>', "suffix", "no attribute"),
    "body and frame": ('<attach model="part" body="b" frame="f" prefix="p"/>', "frame", "only one"),
    "unknown model": ('<attach model="other" prefix="p"/>', "model", "models in <asset>: part"),
    "unknown body": ('<attach model="part" body="c" prefix="p"/>', "body", "no body of this name"),
    "unknown frame": ('<attach model="part" frame="c" prefix="p"/>', "frame", "no frame"),
    "own world": ('<attach prefix="p"/>', None, "only in part"),
    "a body below": ('<attach body="later" prefix="p"/>', "body", "above this element"),
    "name is taken": (
        '<body name="pb"/><attach model="part" body="b" prefix="p"/>',
        "prefix",
        "there is a body 'pb' already",
    ),
    "same prefix twice": (
        '<attach model="part" body="b" prefix="p"/><attach model="part" body="b" prefix="p"/>',
        "prefix",
        "a prefix of its own",
    ),
    "contents": ('<attach model="part" prefix="p"><geom/></attach>', None, "cannot be in"),
}


@pytest.mark.parametrize("attach,attribute,message", BAD.values(), ids=BAD.keys())
def test_bad_attach_is_refused_at_its_place(attach, attribute, message):
    """The error names the line, the attribute, and what was expected."""
    with pytest.raises(MjcfError) as caught:
        read_mjcf(using(attach), assets={"part.xml": PART.encode()})
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.attribute) == (3, attribute)


ASSETS = {
    "no file": ("<model/>", "file", "required"),
    "missing file": ('<model file="none.xml"/>', "file", "there is no file"),
    "wrong type": ('<model file="part.xml" content_type="image/png"/>', "content_type", "text/xml"),
    "unknown attribute": ('<model file="part.xml" scale="1"/>', "scale", "no attribute"),
    "contents": ('<model file="part.xml"><geom/></model>', None, "cannot be in"),
    "folder": ('<model file="."/>', None, "is a folder"),
}


@pytest.mark.parametrize("asset,attribute,message", ASSETS.values(), ids=ASSETS.keys())
def test_bad_model_asset_is_refused(asset, attribute, message):
    """A model that cannot be read is refused where it is named."""
    with pytest.raises(MjcfError) as caught:
        read_mjcf(using("", asset), assets={"part.xml": PART.encode()})
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.attribute) == (1, attribute)


def test_errors_inside_an_attached_model_name_its_file():
    """What is wrong in a child is reported in the child."""
    bad = b"<mujoco><worldbody>\n<geom size='x'/></worldbody></mujoco>"
    with pytest.raises(MjcfError) as caught:
        read_mjcf(using(""), assets={"part.xml": bad})
    assert (caught.value.file, caught.value.line) == ("part.xml", 2)


@pytest.mark.parametrize("loop", [("a.xml",), ("b.xml", "a.xml"), ("b.xml", "c.xml", "a.xml")])
def test_a_model_cannot_contain_itself(loop):
    """MuJoCo would read forever."""
    names = ["a.xml", *loop]
    files = {name: LOOP.format(to).encode() for name, to in pairwise(names)}
    with pytest.raises(MjcfError, match=r"a model cannot contain itself: .* -> a.xml -> .*a.xml"):
        read_mjcf(LOOP.format("a.xml"), assets=files)


def test_models_that_grow_are_refused_before_they_are_large(monkeypatch):
    """A body attached to itself again and again doubles each time."""
    monkeypatch.setattr("cortenforge.spec.editing.attach.MAX_ELEMENTS", 5000)
    growth = "".join(f'<attach body="a" prefix="p{i}"/>' for i in range(200))
    body = f'<body name="a"><body name="b">{growth}</body></body>'
    text = f"<mujoco><worldbody>{body}</worldbody></mujoco>"
    with pytest.raises(MjcfError, match=r"would grow to 8[0-9]* elements; the limit is 5 000"):
        read_mjcf(text)


def test_bodies_attached_to_themselves_too_deep_are_refused():
    """A long chain in its own last link would be too long."""
    chain = '<body name="a">' + "<body>" * 300 + '<attach body="a" prefix="p"/>'
    text = f"<mujoco><worldbody>{chain}{'</body>' * 301}</worldbody></mujoco>"
    with pytest.raises(MjcfError, match="nested deeper than 500 levels"):
        read_mjcf(text)


def test_models_nested_too_deep_are_refused():
    """A chain of files has an end."""
    files = {f"{i}.xml": LOOP.format(f"{i + 1}.xml").encode() for i in range(80)}
    with pytest.raises(MjcfError, match="nested deeper"):
        read_mjcf(LOOP.format("0.xml"), assets=files)
