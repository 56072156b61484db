"""PNG files as bytes, decoded as MuJoCo decodes them."""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.spec import Element

if TYPE_CHECKING:
    from PIL import Image

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PILLOW_MODES = {1: "grey", 3: "RGB", 4: "RGBA"}
# a small file can unfold to any size; this is as many pixels as a texture may have
MAX_PNG_PIXELS = 2**26
MAX_PNG_SIDE = 2**16
#: how many numbers a pixel has, by PNG's kinds of colours
SAMPLES_PER_PIXEL = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
#: passes of an interlaced image: the first row and column of each, and the steps between them
ADAM7_PASSES = (
    *((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4)),
    *((2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)),
)
#: bytes that are read, and unfolded, at a time
READ_CHUNK = 2**16
# 16-bit greys of Pillow, which it does not cut to 8 bits by itself
GREY_16_BIT = ("I", "I;16", "I;16B", "I;16L")


@dataclass(frozen=True)
class PngImage:
    """Pixels of an image (rows, columns, channels), and whether its file says that it is sRGB."""

    pixels: np.ndarray
    srgb: bool
    file_size: int = 0


def read_png(
    data: bytes, channels: int, element: Element, attribute: str, most: int = MAX_PNG_PIXELS
) -> PngImage:
    """Decode a PNG to 1 (red or grey), 3 or 4 channels of 8 bits; of so many pixels at most."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            width, height = image.size
            if width * height > most or max(width, height) > MAX_PNG_SIDE:
                raise element.error(
                    f"an image of {width} x {height} pixels; at most {most} are read, and "
                    f"{MAX_PNG_SIDE} a side",
                    attribute,
                )
            _check_stream(data, _check_checksums(data))
            return PngImage(_image_channels(image, channels), "srgb" in image.info, len(data))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        raise element.error(
            f"this is not a PNG image that can be read: {problem}", attribute
        ) from None


def _check_checksums(data: bytes) -> list[memoryview]:
    """Parts with pixels; raises if a checksum is wrong, which Pillow does not look at."""
    view, start = memoryview(data), len(PNG_SIGNATURE)
    pixels: list[memoryview] = []
    while start + 12 <= len(data):
        end = start + 8 + int.from_bytes(view[start : start + 4], "big")
        kind = bytes(view[start + 4 : start + 8])
        if zlib.crc32(view[start + 4 : end]) != int.from_bytes(view[end : end + 4], "big"):
            raise ValueError(f"the checksum of its part {kind.decode('latin-1')!r} is wrong")
        if kind == b"IEND":
            return pixels
        if kind == b"IDAT":
            pixels.append(view[start + 8 : end])
        start = end + 4
    raise ValueError("the file is cut off")


def _check_stream(data: bytes, parts: list[memoryview]) -> None:
    """Raise if pixels do not unfold to what there should be, sum and end included.

    Pillow stops where the image is complete.
    """
    folded, wanted = b"".join(parts), _unfolded_size(data)
    stream, found, at = zlib.decompressobj(), 0, 0
    try:
        while at < len(folded) and not stream.eof and found <= wanted:
            rest = folded[at : at + READ_CHUNK]
            at += len(rest)
            while rest and not stream.eof and found <= wanted:
                found += len(stream.decompress(rest, READ_CHUNK))
                rest = stream.unconsumed_tail
    except zlib.error as problem:
        raise ValueError(f"its pixels cannot be decompressed: {problem}") from None
    found += len(stream.flush()) if found <= wanted else 0
    if found != wanted or not stream.eof:
        raise ValueError(f"its pixels are not the {wanted} bytes that they should be")
    if stream.unused_data or at < len(folded):
        raise ValueError("data follow its pixels")


def _unfolded_size(data: bytes) -> int:
    """How many bytes pixels of a PNG are, with a byte in front of each row."""
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    passes = ADAM7_PASSES if interlaced else ((0, 0, 1, 1),)
    total = 0
    for row, column, down, along in passes:
        rows, columns = -(-(height - row) // down), -(-(width - column) // along)
        if rows > 0 and columns > 0:
            total += rows * (1 + -(-columns * SAMPLES_PER_PIXEL.get(colours, 1) * depth // 8))
    return total


def _image_channels(image: Image.Image, channels: int) -> np.ndarray:
    if image.mode in GREY_16_BIT:
        from PIL import Image

        # the upper byte of each grey
        deep = np.asarray(image).astype(np.int64) >> 8
        image = Image.fromarray(deep.astype(np.uint8))
    # greys are the red channel, without any weights
    pixels = np.asarray(image.convert("RGBA" if channels == 4 else "RGB"), np.uint8)
    return np.ascontiguousarray(pixels[:, :, :1] if channels == 1 else pixels)
