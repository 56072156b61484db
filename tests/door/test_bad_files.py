"""Bad files: devices, pipes, folders, loops, files outside the sandbox."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf
from cortenforge.spec.files import LARGEST_FILE

MODEL = '<mujoco>\n<worldbody>\n<include file="{}"/>\n</worldbody>\n</mujoco>'
PART = '<mujocoinclude><geom name="part" size="1"/></mujocoinclude>'


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def refused(model: str | Path, **options) -> MjcfError:
    with pytest.raises(MjcfError) as caught:
        read_mjcf(model, **options)
    return caught.value


def test_missing_file(tmp_path) -> None:
    error = refused(tmp_path / "none.xml")
    assert "there is no such file" in str(error)
    assert error.file == str(tmp_path / "none.xml")


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_at_all(text) -> None:
    assert "found nothing" in str(refused(text))


def test_xml_that_does_not_begin_with_a_bracket() -> None:
    assert "begins with '<'" in str(refused("model: <mujoco/>"))


def test_path_with_nul() -> None:
    assert "there is no such file" in str(refused("a\0b.xml"))


def test_very_long_path() -> None:
    assert "there is no such file" in str(refused("a" * 100_000))


def test_wrong_type() -> None:
    with pytest.raises(TypeError):
        read_mjcf(b"<mujoco/>")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_device(device) -> None:
    if not os.path.exists(device):
        pytest.skip(f"no {device}")
    assert "is a device" in str(refused(device))


def test_pipe(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.xml")
    assert "is a pipe" in str(refused(tmp_path / "pipe.xml"))


def test_socket(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.xml")
        assert "is a socket" in str(refused("socket.xml"))


def test_folder(tmp_path) -> None:
    assert "is a folder" in str(refused(tmp_path))


def test_link_in_a_circle(tmp_path) -> None:
    (tmp_path / "a.xml").symlink_to(tmp_path / "b.xml")
    (tmp_path / "b.xml").symlink_to(tmp_path / "a.xml")
    refused(tmp_path / "a.xml")


def test_file_that_is_too_large(tmp_path) -> None:
    with open(tmp_path / "large.xml", "wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert "larger than the limit" in str(refused(tmp_path / "large.xml"))


def test_empty_file(tmp_path) -> None:
    assert "empty" in str(refused(write(tmp_path / "empty.xml", "")))


@pytest.mark.parametrize("data", [b"\xff\xfe<\0m\0", b"<mujoco>\xe9</mujoco>", b"\x7fELF\0\0\0\1"])
def test_not_text(tmp_path, data) -> None:
    (tmp_path / "model.xml").write_bytes(data)
    assert refused(tmp_path / "model.xml").file == str(tmp_path / "model.xml")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none.xml", "there is no file"),
        ("/dev/zero", "is a device"),
        ("pipe", "is a pipe"),
        ("folder", "is a folder"),
        ("empty.xml", "empty"),
        ("hollow.xml", "nothing to include"),
        ("large.xml", "larger than the limit"),
        ("../" * 50 + "dev/zero", "is a device"),
    ],
)
def test_bad_include_is_blamed_on_the_include(tmp_path, name, says) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    write(tmp_path / "empty.xml", "")
    write(tmp_path / "hollow.xml", "<mujocoinclude/>")
    with open(tmp_path / "large.xml", "wb") as file:
        file.truncate(LARGEST_FILE + 1)
    error = refused(write(tmp_path / "model.xml", MODEL.format(name)))
    assert says in str(error)
    if says != "empty":
        assert (error.line, error.element) == (3, "include")


def test_fault_in_an_included_file_is_reported_there(tmp_path) -> None:
    part = write(tmp_path / "part.xml", '<m>\n\n\n<geom sise="1"/></m>')
    error = refused(write(tmp_path / "model.xml", MODEL.format("part.xml")))
    assert (error.file, error.line, error.attribute) == (str(part), 4, "sise")


@pytest.mark.parametrize(
    "include",
    [
        "<include/>",
        '<include file=""/>',
        '<include file="a.xml"><geom/></include>',
        '<include file="a.xml" prefix="p"/>',
    ],
)
def test_bad_include_element(include) -> None:
    error = refused(f"<mujoco>\n\n{include}</mujoco>", assets={"a.xml": PART.encode()})
    assert (error.line, error.element) == (3, "include")


def test_file_that_includes_itself(tmp_path) -> None:
    path = write(tmp_path / "model.xml", MODEL.format("model.xml"))
    assert f"include loop: {path} -> {path}" in str(refused(path))


def test_include_loop_names_the_chain(tmp_path) -> None:
    model = write(tmp_path / "model.xml", MODEL.format("a.xml"))
    write(tmp_path / "a.xml", '<m><include file="b.xml"/></m>')
    write(tmp_path / "b.xml", '<m>\n<include file="a.xml"/></m>')
    error = refused(model)
    assert "include loop" in str(error)
    assert "model.xml -> " in str(error) and "a.xml -> " in str(error)
    assert (error.file, error.line) == (str(tmp_path / "b.xml"), 2)


@pytest.mark.parametrize("again", ["part.xml", "./part.xml", "folder/../part.xml", "link.xml"])
def test_file_included_twice(tmp_path, again) -> None:
    write(tmp_path / "part.xml", PART)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.xml").symlink_to("part.xml")
    both = (
        f'<mujoco>\n<worldbody>\n<include file="part.xml"/>\n<include file="{again}"/>\n'
        "</worldbody>\n</mujoco>"
    )
    error = refused(write(tmp_path / "model.xml", both))
    assert "already included" in str(error)
    assert error.line == 4


def test_include_loop_in_memory() -> None:
    error = refused(MODEL.format("a.xml"), assets={"a.xml": b'<m><include file="a.xml"/></m>'})
    assert "include loop" in str(error)


def test_include_chain_without_end() -> None:
    """Files that include the next one are refused by number, not by running out of memory."""
    assets = {f"{i}.xml": f'<m><include file="{i + 1}.xml"/></m>'.encode() for i in range(3000)}
    assert "included files" in str(refused(MODEL.format("0.xml"), assets=assets))


def test_included_depth_adds_up() -> None:
    """Each file is shallow enough; spliced into one another they are not."""
    deep = "<body>" * 300 + "{}" + "</body>" * 300
    assets = {"a.xml": f"<m>{deep.format('<body/>')}</m>".encode()}
    inner = deep.format('<include file="a.xml"/>')
    error = refused(f"<mujoco><worldbody>{inner}</worldbody></mujoco>", assets=assets)
    assert "nested deeper" in str(error)


# sandbox


@pytest.fixture
def outside(tmp_path) -> Path:
    write(tmp_path / "outside.xml", PART)
    (tmp_path / "models").mkdir()
    return tmp_path


def test_sandbox_refuses_a_parent_folder(outside) -> None:
    model = write(outside / "models/model.xml", MODEL.format("../outside.xml"))
    assert read_mjcf(model).worldbody.children
    error = refused(model, sandbox=True)
    assert "outside the model's folder" in str(error)
    assert (error.line, error.element, error.attribute) == (3, "include", "file")


def test_sandbox_refuses_an_absolute_path(outside) -> None:
    model = write(outside / "models/model.xml", MODEL.format(outside / "outside.xml"))
    assert read_mjcf(model).worldbody.children
    assert "outside the model's folder" in str(refused(model, sandbox=True))


def test_sandbox_does_not_tell_whether_a_file_exists(outside) -> None:
    model = write(outside / "models/model.xml", MODEL.format("/no/such/file.xml"))
    assert "outside the model's folder" in str(refused(model, sandbox=True))


def test_sandbox_refuses_a_link_to_a_file(outside) -> None:
    (outside / "models/link.xml").symlink_to(outside / "outside.xml")
    model = write(outside / "models/model.xml", MODEL.format("link.xml"))
    assert read_mjcf(model).worldbody.children
    assert "outside the model's folder" in str(refused(model, sandbox=True))


def test_sandbox_refuses_a_link_to_a_folder(outside) -> None:
    (outside / "models/up").symlink_to(outside)
    model = write(outside / "models/model.xml", MODEL.format("up/outside.xml"))
    assert "outside the model's folder" in str(refused(model, sandbox=True))


def test_sandbox_refuses_a_model_that_is_a_link_elsewhere(outside) -> None:
    (outside / "models/model.xml").symlink_to(write(outside / "real.xml", "<mujoco/>"))
    assert "sandbox" in str(refused(outside / "models/model.xml", sandbox=True))


def test_sandbox_does_not_confuse_folders_with_the_same_beginning(outside) -> None:
    write(outside / "models2/part.xml", PART)
    model = write(outside / "models/model.xml", MODEL.format("../models2/part.xml"))
    assert "outside the model's folder" in str(refused(model, sandbox=True))


def test_sandbox_allows_the_folder_and_below(outside) -> None:
    write(outside / "models/parts/part.xml", PART)
    model = write(outside / "models/model.xml", MODEL.format("parts/part.xml"))
    assert read_mjcf(model, sandbox=True).worldbody.children[0].name == "part"


def test_sandbox_of_a_string_allows_memory_only(outside, monkeypatch) -> None:
    monkeypatch.chdir(outside)
    text = MODEL.format("outside.xml")
    assert read_mjcf(text).worldbody.children
    assert "outside the model's folder" in str(refused(text, sandbox=True))
    assert read_mjcf(text, sandbox=True, assets={"outside.xml": PART.encode()}).worldbody.children
