"""A description that is written and read again compiles to the same bits."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import cortenforge as cf
from conformance.cases import Case, handmade_cases, random_cases
from conformance.roundtrip import changed_fields, changed_in_mujoco, trip
from cortenforge import models
from cortenforge.compare import load_reference
from cortenforge.compile import compile_spec
from cortenforge.spec.spec import SPEC_LISTS

BUNDLED = ("pendulum", "double_pendulum", "chain30", "tumbling_box", "humanoid_floating")


def again(spec: cf.Spec, assets: dict[str, bytes] | None = None) -> list[str]:
    """What changes when a description is written and read as text."""
    text = spec.to_xml()
    return changed_fields(compile_spec(spec), compile_spec(cf.Spec.from_mjcf(text, assets)))


@pytest.mark.parametrize("case", handmade_cases(), ids=lambda case: case.name)
def test_handmade_models(case: Case, tmp_path: Path) -> None:
    """Models of each feature keep every bit, in MuJoCo, too."""
    assert trip(case, tmp_path, mujoco=True) == []


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_models(name: str, tmp_path: Path) -> None:
    """Models that come with the package keep every bit."""
    assert trip(Case(name, models.find(name), 0), tmp_path, mujoco=True) == []


@pytest.mark.parametrize("case", list(random_cases(0, 6)), ids=lambda case: case.name)
def test_random_models(case: Case, tmp_path: Path) -> None:
    """Random models keep every bit: default classes, actuators, sensors, tendons, assets."""
    assert trip(case, tmp_path, mujoco=True) == []


def test_numbers_keep_their_bits() -> None:
    """Awkward doubles, and a zero with a sign, come back as they were."""
    numbers = [0.1 + 0.2, 1 / 3, -0.0, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1e22]
    data = " ".join(float(n).hex() for n in numbers)
    spec = cf.Spec.from_mjcf(f'<mujoco><custom><numeric name="n" data="{data}"/></custom></mujoco>')
    back = cf.Model.from_mjcf(spec.to_xml()).numeric("n").data
    assert back.tobytes() == np.array(numbers).tobytes()
    assert "0.30000000000000004 0.3333333333333333 -0 5e-324" in spec.to_xml()


def test_special_characters() -> None:
    """Names and texts with quotes, brackets, ampersands, lines and other scripts survive."""
    name = "a&lt;b&gt; &quot;c&quot; 'd' &amp; ö 腕"
    spec = cf.Spec.from_mjcf(
        f'<mujoco model="{name}"><custom><text name="{name}"><![CDATA[x < y\n\t& z]]></text>'
        f'</custom><worldbody><body name="{name}"/></worldbody></mujoco>'
    )
    text = spec.to_xml()
    back = cf.Spec.from_mjcf(text)
    assert back.modelname == spec.modelname == "a<b> \"c\" 'd' & ö 腕"
    assert again(spec) == []
    assert back.compile().text(spec.modelname) == "x < y\n\t& z"
    assert load_reference(text).body(1).name == spec.modelname


def test_text_that_xml_cannot_hold() -> None:
    """A control character in a name is refused when it is written, with the element."""
    spec = cf.Spec.from_mjcf('<mujoco><worldbody><body name="b"/></worldbody></mujoco>')
    spec.worldbody.children[0].attributes["name"] = "a\x01b"
    with pytest.raises(cf.MjcfError, match="cannot hold") as caught:
        spec.to_xml()
    assert caught.value.element == "body" and caught.value.attribute == "name"


def test_classes_are_kept() -> None:
    """Default classes are written as classes, and lists given in part stay so."""
    spec = cf.Spec.from_mjcf(
        '<mujoco><default><geom friction="1 2 3"/><default class="red"><geom rgba="1 0 0 1"/>'
        '</default></default><worldbody><geom class="red" size="0.1" friction="5"/></worldbody>'
        "</mujoco>"
    )
    text = spec.to_xml()
    assert '<default class="red">' in text and 'friction="5"' in text
    assert again(spec) == []


def test_repeated_default_sections_stay_apart() -> None:
    """A class takes what main says where the class stands, not what main says later."""
    spec = cf.Spec.from_mjcf(
        '<mujoco><default><geom margin="1"/><default class="a"><geom gap="0.5"/></default>'
        '</default><default><geom margin="2"/></default><worldbody><geom class="a" size="1"/>'
        '<geom size="1"/></worldbody></mujoco>'
    )
    assert compile_spec(spec).arrays["geom_margin"].tolist() == [1, 2]
    assert again(spec) == []


def test_replicate_with_a_class_around_it() -> None:
    """Replicas keep the class that their replicate gave to what is inside."""
    spec = cf.Spec.from_mjcf(
        '<mujoco><default><default class="c"><geom rgba="1 0 0 1"/></default></default><worldbody>'
        '<replicate count="3" offset="0.1 0 0" euler="0 0 7" childclass="c"><body name="b">'
        '<geom size="0.1"/></body></replicate></worldbody></mujoco>'
    )
    assert "replicate" not in spec.to_xml()
    assert again(spec) == []


def test_merged_sections() -> None:
    """Settings of repeated sections are written once, with flags and length ranges."""
    spec = cf.Spec.from_mjcf(
        '<mujoco><compiler angle="radian" assetdir="x"><lengthrange mode="all"/></compiler>'
        '<compiler meshdir="y"/><option timestep="0.1" actuatorgroupdisable="1"><flag gravity='
        '"disable"/></option><option actuatorgroupdisable="2"><flag energy="enable"/></option>'
        '<size memory="2M"/><visual><map znear="0.5"/></visual><statistic extent="3"/></mujoco>'
    )
    back = cf.Spec.from_mjcf(spec.to_xml())
    assert again(spec) == []
    for tag in ("compiler", "option", "flag", "size", "statistic"):
        assert repr(getattr(back, tag).attributes) == repr(getattr(spec, tag).attributes)
    assert [one.tag for one in back.compiler.children] == ["lengthrange"]


def png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (4, 4), (200, 30, 60)).save(file, "png")
    return file.getvalue()


ASSETS = (
    '<mujoco><compiler meshdir="meshes" texturedir="pictures"/><asset><mesh file="tet.obj"/>'
    '<texture file="red.png" type="2d"/><material name="m" texture="red"/></asset><worldbody>'
    '<geom type="mesh" mesh="tet" material="m"/></worldbody></mujoco>'
)
TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def test_assets_in_memory() -> None:
    """Files from a dictionary are found again in the same dictionary."""
    assets = {"meshes/tet.obj": TETRAHEDRON, "pictures/red.png": png()}
    spec = cf.Spec.from_mjcf(ASSETS, assets)
    assert again(spec, assets) == []


def test_a_saved_model_finds_its_files(tmp_path: Path) -> None:
    """File names lead from the new folder to the old files, whatever folders were set."""
    for name, data in (("meshes/tet.obj", TETRAHEDRON), ("pictures/red.png", png())):
        (tmp_path / "model" / name).parent.mkdir(parents=True)
        (tmp_path / "model" / name).write_bytes(data)
    (tmp_path / "model" / "m.xml").write_text(ASSETS)
    spec = cf.Spec.from_mjcf(tmp_path / "model" / "m.xml")
    (tmp_path / "else" / "where").mkdir(parents=True)
    spec.save(tmp_path / "else" / "where" / "saved.xml")
    text = (tmp_path / "else" / "where" / "saved.xml").read_text()
    assert 'file="../../model/meshes/tet.obj"' in text and "meshdir" not in text
    back = cf.Spec.from_mjcf(tmp_path / "else" / "where" / "saved.xml")
    assert changed_fields(compile_spec(spec), compile_spec(back)) == []
    pair = [load_reference(Path(one.file)) for one in (spec, back)]
    assert changed_in_mujoco(*pair) == []
    spec.save(tmp_path / "model" / "copy.xml")
    assert 'meshdir="meshes"' in (tmp_path / "model" / "copy.xml").read_text()


def test_a_file_beside_an_included_one(tmp_path: Path) -> None:
    """An asset that lies beside an included file is found without the include."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "tet.obj").write_bytes(TETRAHEDRON)
    (tmp_path / "part" / "part.xml").write_text(
        '<mujoco><asset><mesh file="tet.obj"/></asset></mujoco>'
    )
    (tmp_path / "main.xml").write_text(
        '<mujoco><include file="part/part.xml"/><worldbody><geom type="mesh" mesh="tet"/>'
        "</worldbody></mujoco>"
    )
    spec = cf.Spec.from_mjcf(tmp_path / "main.xml")
    spec.save(tmp_path / "flat.xml")
    assert 'file="part/tet.obj"' in (tmp_path / "flat.xml").read_text()
    back = cf.Spec.from_mjcf(tmp_path / "flat.xml")
    assert changed_fields(compile_spec(spec), compile_spec(back)) == []


def test_every_list_is_written() -> None:
    """A list that a description gains is not forgotten by the writer."""
    spec = cf.Spec()
    lists = {name for name, value in vars(spec).items() if isinstance(value, list)}
    assert lists - {"defaults"} == set(SPEC_LISTS)


def test_compiling_changes_nothing() -> None:
    """A description can be compiled again, to the same bits."""
    spec = cf.Spec.from_mjcf(models.find("humanoid_floating"))
    first, text = compile_spec(spec), spec.to_xml()
    assert changed_fields(first, compile_spec(spec)) == []
    assert spec.to_xml() == text


@pytest.mark.parametrize("main", ["", '<geom margin="1"/><motor gear="3"/>'])
def test_classes_beside_main(main: str) -> None:
    """Classes that inherit nothing from `main`, as attached models bring them, are written so."""
    spec = cf.Spec.from_mjcf(
        f'<mujoco><default>{main}<default class="own"><geom gap="2"/></default></default>'
        "<default><geom group='3'/></default><asset><material name='m'/></asset><worldbody>"
        '<geom size="1"/><geom size="1" class="main"/><body childclass="own"><geom size="1"/>'
        '<joint name="j"/></body><body><geom size="1"/><geom size="1" class="main"/></body>'
        '</worldbody><actuator><motor joint="j"/></actuator></mujoco>'
    )
    guest = cf.Spec.from_mjcf(
        '<mujoco><default><geom rgba="1 0 0 1"/><default class="x"><geom condim="1"/></default>'
        "</default></mujoco>"
    ).defaults[0]
    guest.attributes["class"] = "guest"
    spec.defaults.append(guest)
    spec.link()
    spec.default("own").set(class_="own")  # work out all classes again
    frame = spec.worldbody.add_frame(childclass="guest")
    frame.add_geom(name="a", size=1)
    frame.add_geom(name="b", size=1, class_="x")
    back = cf.Spec.from_mjcf(spec.to_xml())
    assert changed_fields(compile_spec(spec), compile_spec(back)) == []
    reference = load_reference(spec.to_xml())
    assert reference.geom_margin.tolist() == compile_spec(spec).arrays["geom_margin"].tolist()
    assert [reference.geom(name).margin[0] for name in "ab"] == [0, 0]
