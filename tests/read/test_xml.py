"""XML to nodes: lines, byte order marks, declarations, comments, CDATA."""

from __future__ import annotations

import gc

import pytest

from cortenforge.errors import MjcfError, MjcfWarning
from cortenforge.read import read_mjcf
from cortenforge.read.xml import parse_xml
from cortenforge.spec.files import Source


def nodes(text: str):
    return parse_xml(Source(text.encode(), "m.xml", "m.xml", ""))


def test_lines_and_names() -> None:
    root = nodes('<mujoco>\n<!-- two\nlines -->\n<a name="n"/>\n  <b\n x="1"/></mujoco>')
    first, second = root.children
    assert str(first.where) == 'm.xml:4: <a> "n"'
    assert (second.where.line, second.attributes) == (5, {"x": "1"})


def test_lines_beyond_16_bits() -> None:
    root = nodes("<mujoco>" + "\n" * 100_000 + "<a/></mujoco>")
    assert root.children[0].where.line == 100_001


@pytest.mark.parametrize(
    "text",
    [
        "<mujoco/>",
        "\ufeff<mujoco/>",
        "\n  <?xml version='1.0'?>\n<mujoco/>",
        "<?xml version='1.0' encoding='UTF-8'?><mujoco/>",
        "<!-- <!DOCTYPE x> --><mujoco/>",
        "<mujoco><!-- é ٣ --></mujoco>",
        "<?xml version='1.0'?><!-- a --><?pi b?>\n<mujoco/>",
    ],
)
def test_documents_that_are_fine(text) -> None:
    assert read_mjcf(text).modelname == "MuJoCo Model"


def test_leading_blank_lines_count() -> None:
    with pytest.raises(MjcfError) as refused:
        read_mjcf("\n\n<?xml version='1.0'?>\n<mujoco>\n<boddy/></mujoco>")
    assert refused.value.line == 5


def test_standard_entities_and_characters() -> None:
    assert read_mjcf('<mujoco model="a&amp;b&lt;&#65;é"/>').modelname == "a&b<Aé"


def test_custom_text_as_cdata() -> None:
    spec = read_mjcf(
        '<mujoco><custom><text name="t">\n<![CDATA[a <b>\n c]]>\n</text></custom></mujoco>'
    )
    assert spec.texts[0]["data"] == "a <b>\n c"


@pytest.mark.parametrize(
    "element",
    [
        '<text name="t">plain</text>',
        '<text name="t" data="x"><![CDATA[y]]></text>',
        '<text name="t"><![CDATA[]]></text>',
        '<text name="t">x<![CDATA[y]]></text>',
    ],
)
@pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")
def test_custom_text_refused(element) -> None:
    with pytest.raises(MjcfError):
        read_mjcf(f"<mujoco><custom>{element}</custom></mujoco>")


@pytest.mark.parametrize("place", ["<body>wheel</body>", "<body/>\n  wheel", "<![CDATA[wheel]]>"])
def test_text_between_tags_changes_nothing(place) -> None:
    """MuJoCo ignores it, and some public models have a stray character."""
    with pytest.warns(MjcfWarning, match="text 'wheel' between the tags"):
        read_mjcf(f"<mujoco><worldbody>{place}</worldbody></mujoco>")


def test_garbage_is_looked_for_again_after_a_refusal() -> None:
    with pytest.raises(MjcfError):
        read_mjcf("<mujoco><worldbody><geom/></worldbody")
    assert gc.isenabled()
