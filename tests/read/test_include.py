"""Includes: where files are looked for, and where their elements go."""

from __future__ import annotations

import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

GEOM = b'<m><geom name="g" size="1"/></m>'


def names(spec) -> list[str]:
    return [element.name for element in spec.worldbody.children]


def test_elements_take_the_place_of_the_include() -> None:
    text = (
        '<mujoco><worldbody><geom name="a" size="1"/><include file="b.xml"/>'
        '<geom name="d" size="1"/></worldbody></mujoco>'
    )
    part = b'<any model="x"><geom name="b" size="1"/><geom name="c" size="1"/></any>'
    assert names(read_mjcf(text, assets={"b.xml": part})) == ["a", "b", "c", "d"]


def test_nested_includes_keep_the_order() -> None:
    assets = {
        "1.xml": b'<m><geom name="a" size="1"/><include file="2.xml"/>'
        b'<geom name="d" size="1"/></m>',
        "2.xml": b'<m><include file="3.xml"/><geom name="c" size="1"/></m>',
        "3.xml": b'<m><geom name="b" size="1"/></m>',
    }
    text = '<mujoco><worldbody><include file="1.xml"/></worldbody></mujoco>'
    assert names(read_mjcf(text, assets=assets)) == ["a", "b", "c", "d"]


def test_whole_sections_can_be_included() -> None:
    part = (
        b'<mujoco><option timestep="0.5"/><worldbody><geom name="g" size="1"/></worldbody></mujoco>'
    )
    spec = read_mjcf('<mujoco><include file="p.xml"/></mujoco>', assets={"p.xml": part})
    assert spec.option["timestep"] == 0.5
    assert names(spec) == ["g"]


def test_include_in_a_default_class() -> None:
    part = b'<m><geom size="3"/></m>'
    spec = read_mjcf(
        '<mujoco><default><include file="d.xml"/></default><worldbody><geom/></worldbody></mujoco>',
        assets={"d.xml": part},
    )
    assert spec.worldbody.children[0]["size"][0] == 3


@pytest.mark.parametrize("name", ["part.xml", "./part.xml", "sub/part.xml", "PART.xml"])
def test_files_in_memory_are_found_as_in_mujoco(name) -> None:
    text = f'<mujoco><worldbody><include file="{name}"/></worldbody></mujoco>'
    assert names(read_mjcf(text, assets={"part.xml": GEOM})) == ["g"]


def test_memory_comes_before_the_disk(tmp_path) -> None:
    (tmp_path / "part.xml").write_bytes(b'<m><geom name="disk" size="1"/></m>')
    model = tmp_path / "model.xml"
    model.write_text('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>')
    assert names(read_mjcf(model)) == ["disk"]
    assert names(read_mjcf(model, assets={"part.xml": GEOM})) == ["g"]


def test_paths_are_relative_to_the_main_file_then_to_the_includer(tmp_path) -> None:
    (tmp_path / "sub").mkdir()
    model = tmp_path / "model.xml"
    model.write_text('<mujoco><worldbody><include file="sub/a.xml"/></worldbody></mujoco>')
    (tmp_path / "sub/a.xml").write_text('<m><include file="b.xml"/></m>')
    (tmp_path / "sub/b.xml").write_bytes(b'<m><geom name="beside" size="1"/></m>')
    assert names(read_mjcf(model)) == ["beside"]
    (tmp_path / "b.xml").write_bytes(b'<m><geom name="main" size="1"/></m>')
    assert names(read_mjcf(model)) == ["main"]


def test_string_models_include_from_the_working_folder(tmp_path, monkeypatch) -> None:
    (tmp_path / "part.xml").write_bytes(GEOM)
    monkeypatch.chdir(tmp_path)
    text = '<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>'
    assert names(read_mjcf(text)) == ["g"]


def test_place_of_an_included_element(tmp_path) -> None:
    (tmp_path / "part.xml").write_text('<m>\n<geom name="g"\n size="1"/></m>')
    model = tmp_path / "model.xml"
    model.write_text('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>')
    where = read_mjcf(model).worldbody.children[0].where
    assert (where.file, where.line) == (str(tmp_path / "part.xml"), 2)


def test_include_is_no_root() -> None:
    with pytest.raises(MjcfError, match="expected <mujoco>"):
        read_mjcf('<include file="a.xml"/>', assets={"a.xml": GEOM})
