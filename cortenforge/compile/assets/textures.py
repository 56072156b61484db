"""Textures: builtin patterns, images from files, cubes of six sides; MuJoCo's bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.assets.builtin_textures import builtin_cube, builtin_flat, color_bytes
from cortenforge.compile.assets.content_type import content_type
from cortenforge.compile.assets.png import PILLOW_MODES, PngImage, read_png
from cortenforge.compile.pack.field_arrays import arrays_of_objects, concatenated_field
from cortenforge.grammar.tables.asset import SIDES
from cortenforge.problems import each_valid
from cortenforge.spec import Element
from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.attribute import flag, integer, keyword, numbers

TEXTURE_TYPES = {"2d": 0, "cube": 1, "skybox": 2}
COLORSPACE_AUTO, COLORSPACE_LINEAR, COLORSPACE_SRGB = 0, 1, 2
COLOR_SPACES = {"auto": COLORSPACE_AUTO, "linear": COLORSPACE_LINEAR, "sRGB": COLORSPACE_SRGB}
PNG_MEDIA_TYPE, KTX_MEDIA_TYPE = "image/png", "image/ktx"
GRID_LETTERS = "RLUDFB"
GRID_CELLS = 12
WITHOUT_PIXELS = np.zeros((0, 0, 3), np.uint8)
# bytes of all textures of a model, beyond what the sizes of their files explain
MAX_TEXTURE_BYTES = 3 * 2**26
ASSUMED_COMPRESSION = 64


@dataclass(frozen=True)
class Texture:
    """One texture; pixels are (rows, columns, channels), the sides of a cube one below another.

    A texture by reference has a path and no pixels.
    """

    element: Element
    pixels: np.ndarray
    colorspace: int
    path: str
    channels: int = 3
    referred: bool = False
    file_size: int = 0

    @property
    def content_type(self) -> str:
        """The media type as the model gives it."""
        return keyword(self.element, "content_type")


def compile_textures(
    elements: list[Element], files: AssetFiles, *, by_reference: bool
) -> list[Texture]:
    """All textures of a model; the files of those by reference are not opened."""
    size = 0

    def compiled(element: Element) -> Texture:
        nonlocal size
        if _is_by_reference(element, files, by_reference=by_reference):
            texture = _texture_by_reference(element, files)
        else:
            texture = _texture_with_pixels(element, files, MAX_TEXTURE_BYTES - size)
        size += max(0, texture.pixels.size - ASSUMED_COMPRESSION * texture.file_size)
        if size > MAX_TEXTURE_BYTES:
            raise _texture_too_large_error(element, None)
        return texture

    return each_valid(compiled, elements)


def texture_arrays(textures: list[Texture]) -> dict[str, np.ndarray]:
    """Arrays of textures."""
    size = np.array([texture.pixels.size for texture in textures], np.int64)
    start = np.cumsum(size) - size
    parts = [texture.pixels.reshape(-1) for texture in textures]
    data = parts[0] if len(parts) == 1 else concatenated_field("tex_data", parts)
    referred = np.array([texture.referred for texture in textures], bool)
    return {
        **arrays_of_objects(
            textures,
            {
                "tex_type": lambda texture: TEXTURE_TYPES[str(texture.element["type"])],
                "tex_colorspace": lambda texture: texture.colorspace,
                "tex_height": lambda texture: texture.pixels.shape[0],
                "tex_width": lambda texture: texture.pixels.shape[1],
                "tex_nchannel": lambda texture: texture.channels,
            },
        ),
        "tex_adr": np.where(referred, -1, start).astype(np.int64),
        "tex_data": data,
    }


def _is_by_reference(element: Element, files: AssetFiles, *, by_reference: bool) -> bool:
    """True when a texture is to keep the path of its file instead of pixels."""
    embed = keyword(element, "embed")
    if embed == "true" or (embed == "auto" and not by_reference):
        return False
    obstacle = _reason_for_pixels(element, files)
    if obstacle and embed == "false":
        raise element.error(f"cannot be left by reference: {obstacle}", "embed")
    return not obstacle


def _reason_for_pixels(element: Element, files: AssetFiles) -> str:
    """Why the pixels of a texture have to be in the model; empty when they need not."""
    if keyword(element, "builtin") != "none":
        return "it is builtin"
    if not keyword(element, "file"):
        return "it has no single file"
    if flag(element, "hflip") or flag(element, "vflip"):
        return "it is flipped"
    if keyword(element, "type") != "2d" and tuple(_cube_grid(element)) != (1, 1):
        return "it is cut from a grid"
    return "its file comes from memory" if files.in_memory(element) else ""


def _texture_by_reference(element: Element, files: AssetFiles) -> Texture:
    channels = (
        1 if content_type(element, "file") == KTX_MEDIA_TYPE else integer(element, "nchannel")
    )
    space = COLOR_SPACES[keyword(element, "colorspace")]
    return Texture(element, WITHOUT_PIXELS, space, files.path(element), channels, referred=True)


def _texture_with_pixels(element: Element, files: AssetFiles, room: int) -> Texture:
    """A texture with its pixels."""
    flat = keyword(element, "type") == "2d"
    space = COLOR_SPACES[keyword(element, "colorspace")]
    path = files.path(element)
    if keyword(element, "builtin") != "none":
        return Texture(element, _builtin_texture(element, room, flat=flat), space, path)
    if keyword(element, "file"):
        picture = _file_image(element, files, "file", cube=not flat)
        pixels = picture.pixels if flat else _cube_from_image(element, picture.pixels)
    elif flat:
        raise element.error("a 2d texture needs a file or a builtin pattern", "file")
    else:
        picture = _cube_from_files(element, files)
        pixels = picture.pixels
    if space == COLORSPACE_AUTO:
        space = COLORSPACE_SRGB if picture.srgb else COLORSPACE_LINEAR
    return Texture(element, pixels, space, path, pixels.shape[2], file_size=picture.file_size)


def _builtin_texture(element: Element, room: int, *, flat: bool) -> np.ndarray:
    width = integer(element, "width")
    height = integer(element, "height") if flat else 6 * width
    if width < 1:
        raise element.error("a builtin texture needs a positive width", "width")
    if height < 1:
        raise element.error("a builtin 2d texture needs a positive height", "height")
    if integer(element, "nchannel") != 3:
        raise element.error("a builtin texture has 3 channels", "nchannel")
    if 3 * width * height > room:
        raise _texture_too_large_error(element, "width")
    return builtin_flat(element, width, height) if flat else builtin_cube(element, width)


def _file_image(element: Element, files: AssetFiles, attribute: str, *, cube: bool) -> PngImage:
    """The image of one file, flipped if its element has hflip or vflip."""
    kind = content_type(element, attribute)
    channels = integer(element, "nchannel")
    if kind not in (PNG_MEDIA_TYPE, KTX_MEDIA_TYPE):
        known = f"expected a file of type {PNG_MEDIA_TYPE} or {KTX_MEDIA_TYPE}"
        raise element.error(known, "content_type" if element.given("content_type") else attribute)
    if channels not in PILLOW_MODES:
        raise element.error("expected 1, 3 or 4 channels", "nchannel")
    if cube and (channels != 3 or kind == KTX_MEDIA_TYPE):
        raise element.error("cube and skybox textures need images of 3 channels", "nchannel")
    across, down = flag(element, "hflip"), flag(element, "vflip")
    if kind == KTX_MEDIA_TYPE and (across or down):
        raise element.error("KTX textures cannot be flipped", "hflip" if across else "vflip")
    data = files.read(element, attribute).data
    if not data:
        raise element.error("the file is empty", attribute)
    if kind == KTX_MEDIA_TYPE:
        # kept as it is: one row of bytes
        return PngImage(np.frombuffer(data, np.uint8).reshape(1, -1, 1), False, len(data))
    picture = read_png(data, channels, element, attribute)
    pixels = picture.pixels[:: -1 if down else 1, :: -1 if across else 1]
    return PngImage(pixels, picture.srgb, picture.file_size)


def _cube_grid(element: Element) -> tuple[int, ...]:
    return tuple(int(n) for n in numbers(element, "gridsize"))


def _cube_from_image(element: Element, image: np.ndarray) -> np.ndarray:
    """A cube from one image: the same for all sides, or cut from a grid."""
    rows, columns = _cube_grid(element)
    if rows < 1 or columns < 1 or rows * columns > GRID_CELLS:
        raise element.error(f"expected a grid of 1 to {GRID_CELLS} cells", "gridsize")
    height, width = image.shape[:2]
    side = width // columns
    if side != height // rows or width % columns or height % rows:
        raise element.error(
            f"an image of {width} x {height} pixels cannot be cut into squares, {rows} rows of "
            f"{columns}",
            "gridsize",
        )
    if rows == columns == 1:
        return image
    layout = keyword(element, "gridlayout").ljust(rows * columns, ".")
    sides: dict[int, np.ndarray] = {}
    for cell, letter in enumerate(layout):
        if letter == ".":
            continue
        if letter not in GRID_LETTERS:
            raise element.error(f"expected letters of .{GRID_LETTERS}", "gridlayout")
        row, column = side * (cell // columns), side * (cell % columns)
        sides[GRID_LETTERS.index(letter)] = image[row : row + side, column : column + side]
    return _assembled_cube(element, sides, side)


def _cube_from_files(element: Element, files: AssetFiles) -> PngImage:
    """A cube from one file a side; sides without a file have the first colour."""
    sides: dict[int, np.ndarray] = {}
    srgb, width, size = False, 0, 0
    for i, name in enumerate(SIDES):
        attribute = f"file{name}"
        if not keyword(element, attribute):
            continue
        picture = _file_image(element, files, attribute, cube=True)
        rows, columns = picture.pixels.shape[:2]
        if rows != columns:
            raise element.error(
                f"the side of a cube must be square, this is {columns} x {rows}", attribute
            )
        if not sides:
            # all sides are taken to have the colour space of the first
            srgb, width = picture.srgb, columns
        elif columns != width:
            raise element.error(f"the sides before have {width} pixels, not {columns}", attribute)
        sides[i] = picture.pixels
        size += picture.file_size
    if not sides:
        raise element.error("a cube or skybox needs a file, files of sides, or a pattern", "file")
    return PngImage(_assembled_cube(element, sides, width), srgb, size)


def _assembled_cube(element: Element, sides: dict[int, np.ndarray], width: int) -> np.ndarray:
    cube = np.empty((6, width, width, 3), np.uint8)
    cube[:] = color_bytes(element, "rgb1")
    for i, pixels in sides.items():
        cube[i] = pixels
    return cube.reshape(6 * width, width, 3)


def _texture_too_large_error(element: Element, attribute: str | None) -> Exception:
    return element.error(
        f"more than {MAX_TEXTURE_BYTES >> 20} MB of pixels beyond what the files hold", attribute
    )
