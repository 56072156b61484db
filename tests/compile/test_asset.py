"""Textures, materials and height fields equal MuJoCo's, byte for byte."""

from __future__ import annotations

import io
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import conformance.asset
from cortenforge import Model
from cortenforge.compile import compile_spec
from cortenforge.compile.assets.random_marks import marked_pixels
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

from .oracle import _same, differences, mujoco

FLAT = '<texture name="t" builtin="flat" width="3"/><texture name="u" builtin="flat" width="2"/>'
HILL = '<hfield name="h" nrow="2" ncol="3" size="1 2 3 4" elevation="1 2 3 4 5 8"/>'
COLORS = 'rgb1=".1 .2 .9" rgb2="1 .73 0" markrgb="1 0 .3"'
MODES = ("L", "LA", "RGB", "RGBA", "I;16", "P", "1")


def picture(mode: str = "RGB", size: tuple[int, int] = (12, 12), **options) -> bytes:
    """A PNG of noise."""
    width, height = size
    noise = np.random.default_rng(3).integers(0, 256, (height, width, 4)).astype(np.uint8)
    if mode == "I;16":
        image = Image.fromarray(noise[:, :, 0].astype(np.uint16) * 257 + noise[:, :, 1])
    elif mode == "P":
        image = Image.fromarray(noise[:, :, :3]).quantize(16)
    elif mode == "1":
        image = Image.fromarray(noise[:, :, 0]).convert("1")
    else:
        image = Image.fromarray(noise).convert(mode)
    file = io.BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


def srgb() -> PngInfo:
    info = PngInfo()
    info.add(b"sRGB", b"\0")
    return info


FILES = {
    "a.png": picture(),
    "wide.png": picture(size=(12, 8)),
    "srgb.png": picture(pnginfo=srgb()),
    "deep.PNG": picture("I;16", (5, 3)),
    "k.ktx": b"\xabKTX 12345",
    "h.bin": struct.pack("<ii6f", 2, 3, 1, 2, 3, 4, 5, 7.5),
}


def model(assets: str, world: str = "", before: str = "") -> str:
    return f"<mujoco>{before}<asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>"


@pytest.mark.parametrize("mark", ["none", "edge", "cross", "random"])
@pytest.mark.parametrize("builtin", ["gradient", "checker", "flat"])
def test_builtin_textures(builtin: str, mark: str) -> None:
    """Every pattern with every mark, as 2d, cube and skybox, in small and odd sizes."""
    textures = "".join(
        f'<texture name="{kind}{width}" type="{kind}" builtin="{builtin}" mark="{mark}" '
        f'width="{width}" height="{height}" random=".1" {COLORS}/>'
        for kind in ("2d", "cube", "skybox")
        for width, height in ((1, 1), (2, 3), (7, 5), (64, 64))
    )
    assert differences(model(textures)) == []


def test_colors_outside_the_range_wrap() -> None:
    assert differences(model('<texture name="t" builtin="flat" width="2" rgb1="2 -1 .5"/>')) == []


def test_large_sky() -> None:
    """A sky with stars, as environments have it."""
    assert (
        differences(
            model(
                '<texture type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" '
                'width="256" mark="random" markrgb="1 1 1"/>'
            )
        )
        == []
    )


def test_random_marks_do_not_depend_on_the_size_of_the_texture() -> None:
    """The generator starts anew for each texture."""
    few, many = marked_pixels(1000, 0.1), marked_pixels(70_000, 0.1)
    assert np.array_equal(few, many[: len(few)])
    assert not marked_pixels(1000, 0.0).any() and marked_pixels(1000, 2.0).all()


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("mode", MODES)
def test_images(mode: str, channels: int) -> None:
    """Every kind of PNG, to every number of channels, flipped and not; and as a height field."""
    images = {"a.png": picture(mode, (6, 4)), "s.png": picture(mode, (5, 5), pnginfo=srgb())}
    if mode in ("L", "P"):
        images["t.png"] = picture(mode, (4, 4), transparency=3)
    flips = ("", 'hflip="true"', 'vflip="true"', 'hflip="true" vflip="true"')
    textures = "".join(
        f'<texture name="{file}{i}" type="2d" file="{file}" nchannel="{channels}" {flip}/>'
        for file in images
        for i, flip in enumerate(flips)
    )
    hills = "".join(f'<hfield name="{file}" file="{file}" size="1 1 1 1"/>' for file in images)
    assert differences(model(textures + hills), images) == []


TEXTURES = {
    "cube from one image": '<texture file="a.png"/>',
    "sky from one image": '<texture type="skybox" file="a.png" hflip="true"/>',
    "grid": '<texture file="wide.png" gridsize="2 3" gridlayout="RLUDFB" vflip="true"/>',
    "grid with gaps": '<texture file="a.png" gridsize="3 3" gridlayout=".U.LFR.D." rgb1="1 0 1"/>',
    "grid without layout": '<texture file="a.png" gridsize="2 2"/>',
    "letter twice": '<texture file="a.png" gridsize="2 2" gridlayout="RRLL"/>',
    "one cell": '<texture file="a.png" gridlayout="R"/>',
    "six files": '<texture name="c" fileright="a.png" fileleft="srgb.png" fileup="a.png" '
    'filedown="a.png" filefront="a.png" fileback="srgb.png"/>',
    "three files": '<texture name="c" fileup="srgb.png" filedown="a.png" filefront="a.png" '
    'hflip="true" rgb1="0 .5 1"/>',
    "color spaces": '<texture name="a" file="srgb.png"/><texture name="b" file="srgb.png" '
    'colorspace="linear"/><texture name="c" file="a.png" colorspace="sRGB"/>'
    '<texture name="d" builtin="flat" width="1" colorspace="sRGB"/>',
    "KTX": '<texture file="k.ktx" type="2d"/>',
    "KTX by type": '<texture file="h.bin" content_type="image/ktx" type="2d" nchannel="4"/>',
    "PNG by type": '<texture name="n" file="deep.PNG" content_type="image/png" type="2d"/>',
    "capital extension": '<texture file="deep.PNG" type="2d"/>',
    "pattern and file": '<texture file="a.png" builtin="flat" width="2"/>',
    "sky without a name": '<texture type="skybox" builtin="flat" width="2"/>',
    "embedded": '<texture file="a.png" type="2d" embed="true"/>',
    "ignored size": '<texture file="a.png" type="2d" width="-3" height="4" random="-1"/>',
    "no file": FLAT,
}


@pytest.mark.parametrize("name", TEXTURES)
@pytest.mark.parametrize("passthrough", ["none", "textures"])
def test_textures(name: str, passthrough: str) -> None:
    """Files as 2d images and as sides of cubes, with all attributes."""
    before = f'<compiler passthrough="{passthrough}"/>'
    assert differences(model(TEXTURES[name], before=before), FILES) == []


MATERIALS = {
    "plain": '<material name="m"/>',
    "all": '<material name="m" texture="t" texrepeat="3 4" texuniform="true" emission=".1" '
    'specular=".2" shininess=".3" reflectance=".4" metallic=".6" roughness=".7" rgba="2 0 0 .5"/>',
    "before its texture": '<material name="m" texture="u"/>',
    "layers": '<material name="m"><layer role="orm" texture="t"/><layer role="normal" texture="u"/>'
    '<layer role="rgb" texture="u"/><layer role="orm" texture="u"/></material>',
    "every role": '<material name="m">'
    + "".join(f'<layer role="{role}" texture="t"/>' for role in conformance.asset.ROLES)
    + "</material>",
    "layer taken back": '<material name="m"><layer role="rgb" texture="t"/>'
    '<layer role="rgb" texture=""/></material>',
}
DEFAULTS = {
    "none": "",
    "texture": '<default><material texture="t" rgba="1 0 0 1"/></default>',
    "layer": '<default><material shininess=".1"><layer role="orm" texture="t"/></material>'
    "</default>",
    "both": '<default><material texture="t"/><default class="c"><material emission="1">'
    '<layer role="opacity" texture="u"/></material></default></default>',
}


@pytest.mark.parametrize("default", DEFAULTS)
@pytest.mark.parametrize("name", MATERIALS)
def test_materials(name: str, default: str) -> None:
    """Materials with textures and layers, on top of default classes."""
    text = MATERIALS[name] + FLAT
    if default == "both":
        text = text.replace('name="m"', 'name="m" class="c"')
    world = '<geom size="1" material="m"/><geom size="1"/><site material="m" rgba="1 0 0 1"/>'
    assert differences(model(text, world, DEFAULTS[default])) == []


def test_references_through_defaults() -> None:
    """Materials and height fields from classes; an empty name takes them back."""
    before = '<default><geom material="m" hfield="h"/><site material="m"/></default>'
    world = (
        '<geom type="hfield"/><geom type="hfield" material=""/><site/><site material=""/>'
        '<light texture="t"/><light/><geom size="1" hfield=""/>'
    )
    assert differences(model(FLAT + HILL + '<material name="m"/>', world, before)) == []


@pytest.mark.parametrize("inherited", ['gridlayout="RLUD"', ""])
@pytest.mark.parametrize(
    "own", ["", 'gridsize="2 2"', 'gridsize="1 1"', 'gridsize="3 3"', 'gridlayout="UDRL"']
)
def test_texture_classes(own: str, inherited: str) -> None:
    """A grid of another size forgets the inherited layout."""
    before = (
        f'<default><texture rgb1="1 0 .5" gridsize="2 2" {inherited}/><default class="s">'
        '<texture builtin="checker" width="4" type="skybox" mark="edge"/></default></default>'
    )
    text = f'<texture file="a.png" {own}/><texture class="s"/><texture class="s" name="x"/>'
    text = text.replace('<texture class="s"/>', '<texture class="s" width="2"/>')
    assert differences(model(text, before=before), FILES) == []


HFIELDS = {
    "inline": HILL,
    "zeros": '<hfield name="h" nrow="3" ncol="2" size="1 2 3 4"/>',
    "empty": '<hfield name="h" nrow="3" ncol="2" size="1 2 3 4" elevation=""/>',
    "level": '<hfield name="h" nrow="2" ncol="2" size="1 2 3 4" elevation="5 5 5 5"/>',
    "nearly level": '<hfield name="h" nrow="2" ncol="2" size="1 2 .3 .4" '
    'elevation="1 1.0000001 1 1.0000002"/>',
    "negative": '<hfield name="h" nrow="2" ncol="2" size="3 2 1 .1" elevation="-5 .1 1e9 -1e3"/>',
    "binary": '<hfield name="h" file="h.bin" size="1 2 3 4"/>',
    "binary by type": '<hfield name="h" file="h.bin" size="1 2 3 4" '
    'content_type="image/vnd.mujoco.hfield"/>',
    "image": '<hfield name="h" file="wide.png" size="1 2 3 4"/>',
    "deep image": '<hfield name="h" file="deep.PNG" size="1 2 3 4"/>',
    "several": HILL + '<hfield file="h.bin" name="i" size="1 1 1 1"/><hfield file="a.png"'
    ' size="2 1 1 1"/>',
    "file and counts": '<hfield name="h" file="h.bin" nrow="7" ncol="7" size="1 2 3 4"/>',
}


@pytest.mark.parametrize("name", HFIELDS)
def test_hfields(name: str) -> None:
    """6a-AC1: elevations of every origin, in geoms that stand still and that move."""
    geom = '<geom type="hfield" hfield="h" pos="1 2 3" euler="10 20 30"'
    world = (
        f'{geom}/><body><freejoint/>{geom} fluidshape="ellipsoid" size="5 5 5"/></body>'
        f'<body><joint/>{geom} mass="3" shellinertia="true"/></body>'
    )
    assert differences(model(HFIELDS[name], world), FILES) == []


@pytest.mark.parametrize("kept", ["", "m", "n", "m n"])
def test_discard_visual_tendons(kept: str) -> None:
    """Tendons keep their material if tuples name all materials, and lose it with the first."""
    members = "".join(f'<element objtype="material" objname="{name}"/>' for name in kept.split())
    custom = f'<custom><tuple name="x">{members}</tuple></custom>' if kept else ""
    text = f"""<mujoco><compiler discardvisual="true"/>{custom}<asset><material name="m"/>
      <material name="n"/></asset><worldbody><site name="a" material="n"/><body><joint/>
      <geom size="1"/><site name="b" pos="1 0 0"/></body></worldbody><tendon>
      <spatial material="n"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""
    assert differences(text) == []


@pytest.mark.parametrize("custom", ["", "material", "texture", "hfield"])
def test_discard_visual(custom: str) -> None:
    """Materials and textures go, unless a tuple names them; nothing refers to them any more."""
    names = {"material": "m", "texture": "u", "hfield": "h"}
    before = '<compiler discardvisual="true"/>'
    if custom:
        before += (
            f'<custom><tuple name="x"><element objtype="{custom}" objname="{names[custom]}"/>'
            "</tuple></custom>"
        )
    text = (
        FLAT
        + HILL
        + '<material name="m" texture="t"/><texture file="missing.png"/><texture builtin="flat"/>'
    )
    world = (
        '<geom size="1" material="m"/><geom size="1" contype="0" conaffinity="0" material="m"/>'
        '<site material="m"/><light texture="t"/><geom type="hfield" hfield="h"/>'
    )
    assert differences(model(text, world, before)) == []


def test_replicated_geoms_share_their_assets() -> None:
    world = (
        '<replicate count="3" offset="1 0 0"><geom type="hfield" hfield="h" material="m"/>'
        '<site material="m"/></replicate>'
    )
    assert differences(model(FLAT + HILL + '<material name="m"/>', world)) == []


COMPILERS = (
    '<compiler texturedir="t" meshdir="m"/>',
    '<compiler texturedir="t/"/><compiler meshdir="m/../m"/>',
    '<compiler assetdir="both"/>',
    '<compiler assetdir="both" texturedir="t"/>',
    '<compiler texturedir="m"/><compiler assetdir="both"/>',
    '<compiler assetdir="m"/><compiler texturedir="t" meshdir="m"/>',
    '<compiler texturedir="{folder}/t" meshdir="m" strippath="true"/>',
    '<compiler texturedir="." meshdir=""/>',
)


def folders(folder: Path, compiler: str, file: str) -> Path:
    """A model in a folder with its files in folders below."""
    for name, data in {"a.png": FILES["a.png"], "h.bin": FILES["h.bin"]}.items():
        for place in ("", "t", "m", "both", "t/deep"):
            (folder / place).mkdir(parents=True, exist_ok=True)
            # a different image in each folder, so that the right one is found
            size = (len(place) + 3, len(place) + 3)
            content = picture(size=size) if name == "a.png" else data
            (folder / place / name).write_bytes(content)
    text = model(
        f'<texture name="x" type="2d" file="{file}"/><hfield file="h.bin" size="1 1 1 1"/>'
        '<texture name="y" type="2d" file="../{}/a.png" embed="false" content_type="image/png"/>'
        '<texture name="z" type="2d" file="none.png" embed="false"/>'.format(folder.name),
        before=compiler.format(folder=folder),
    )
    (folder / "model.xml").write_text(text)
    return folder / "model.xml"


@pytest.mark.parametrize("file", ["a.png", "./a.png", "deep/../a.png"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_folders(tmp_path, monkeypatch, compiler: str, file: str) -> None:
    """Files are found below texturedir and meshdir, and their paths are MuJoCo's."""
    path = folders(tmp_path, compiler, file)
    monkeypatch.chdir(tmp_path)
    if "deep" in file and "t" not in compiler:
        (tmp_path / "both/deep").mkdir()
    (tmp_path / "deep").mkdir(exist_ok=True)
    (tmp_path / "both/deep").mkdir(exist_ok=True)
    for name in (str(path), "model.xml", "./model.xml"):
        ours, theirs = compile_spec(read_mjcf(name)), mujoco.MjModel.from_xml_path(name)
        for field in ("paths", "tex_pathadr", "tex_data", "tex_adr", "hfield_pathadr", "tex_width"):
            assert _same(field, ours.arrays[field], theirs), field


def test_files_beside_an_included_file(tmp_path) -> None:
    """A file that is not below the model's folder is looked for beside the file that names it."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part/a.png").write_bytes(FILES["a.png"])
    (tmp_path / "part/part.xml").write_text('<m><asset><texture file="a.png"/></asset></m>')
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><include file="part/part.xml"/></mujoco>')
    ours, theirs = compile_spec(read_mjcf(path)), mujoco.MjModel.from_xml_path(str(path))
    for field in ("tex_data", "paths"):
        assert _same(field, ours.arrays[field], theirs), field


def test_sandbox(tmp_path) -> None:
    """No file of an asset outside the model's folder is read, not even through a link."""
    (tmp_path / "models").mkdir()
    (tmp_path / "a.png").write_bytes(FILES["a.png"])
    (tmp_path / "models/link.png").symlink_to(tmp_path / "a.png")
    (tmp_path / "models/in.png").write_bytes(FILES["a.png"])
    path = tmp_path / "models/model.xml"
    for file in ("../a.png", str(tmp_path / "a.png"), "link.png", "../none.png"):
        path.write_text(model(f'<texture file="{file}"/>'))
        with pytest.raises(MjcfError, match="outside the model's folder"):
            compile_spec(read_mjcf(path, sandbox=True))
    path.write_text(model('<texture file="in.png"/>'))
    assert compile_spec(read_mjcf(path, sandbox=True)).sizes["ntex"] == 1
    memory = read_mjcf(model('<texture file="in.png"/>'), assets=FILES | {"in.png": picture()})
    assert compile_spec(memory).sizes["ntex"] == 1


def test_named_access_and_hash(tmp_path) -> None:
    """Assets by name with their data; where a file lies does not make another model."""
    assets = '<texture type="2d" file="a.png" name="x"/><material name="m" texture="x"/>' + HILL
    hashes = set()
    for folder in ("one", "another"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.png").write_bytes(FILES["a.png"])
        (tmp_path / folder / "m.xml").write_text(model(assets))
        loaded = Model.from_mjcf(tmp_path / folder / "m.xml")
        hashes.add(loaded.hash)
    assert len(hashes) == 1
    assert loaded.texture("x").width == 12 and loaded.texture("x").data.shape == (12, 12, 3)
    assert loaded.material("m").texid[1] == 0
    assert loaded.hfield("h").data.ravel().tolist() == pytest.approx(
        [3 / 7, 4 / 7, 1, 0, 1 / 7, 2 / 7]
    )
    assert loaded.supported() == []


@pytest.mark.parametrize(
    "more", ['type="2d" width="1024" height="1024"', 'type="skybox" width="512"']
)
def test_patterns_need_little_more_memory_than_their_pixels(more) -> None:
    """Gradients are reals before they are bytes: not all of them at once."""
    spec = read_mjcf(
        f'<mujoco><asset><texture name="a" builtin="gradient" {more} mark="random" '
        'random=".9"/></asset></mujoco>'
    )
    marked_pixels.cache_clear()
    tracemalloc.start()
    try:
        pixels = compile_spec(spec).arrays["tex_data"]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # marks take eight bytes a pixel while they are drawn
    assert peak < pixels.nbytes + 9 * pixels.size // 3 + 12e6
