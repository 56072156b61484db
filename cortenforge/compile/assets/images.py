"""PNG files as bytes, decoded as MuJoCo decodes them."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass

import numpy as np
from PIL import Image

from cortenforge.spec import Element

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MODES = {1: "grey", 3: "RGB", 4: "RGBA"}
# a small file can unfold to any size; this is as many pixels as a texture may have
MOST_PIXELS = 2**26
# 16-bit greys of Pillow, which it does not cut to 8 bits by itself
DEEP_GREY = ("I", "I;16", "I;16B", "I;16L")


@dataclass(frozen=True)
class Picture:
    """Pixels of an image (rows, columns, channels), and whether its file says that it is sRGB."""

    pixels: np.ndarray
    srgb: bool
    file_size: int = 0


def read_png(data: bytes, channels: int, element: Element, attribute: str) -> Picture:
    """Decode a PNG to 1 (red or grey), 3 or 4 channels of 8 bits."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise element.error(
                    f"an image of {width} x {height} pixels; at most {MOST_PIXELS} are read",
                    attribute,
                )
            _check_sums(data)
            return Picture(_pixels(image, channels), "srgb" in image.info, len(data))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        raise element.error(
            f"this is not a PNG image that can be read: {problem}", attribute
        ) from None


def _check_sums(data: bytes) -> None:
    """Raise if a checksum is wrong: Pillow decodes pixels without a look at theirs."""
    view, start = memoryview(data), len(SIGNATURE)
    while start + 12 <= len(data):
        end = start + 8 + int.from_bytes(view[start : start + 4], "big")
        kind = bytes(view[start + 4 : start + 8])
        if zlib.crc32(view[start + 4 : end]) != int.from_bytes(view[end : end + 4], "big"):
            raise ValueError(f"the checksum of its part {kind.decode('latin-1')!r} is wrong")
        if kind == b"IEND":
            return
        start = end + 4
    raise ValueError("the file is cut off")


def _pixels(image: Image.Image, channels: int) -> np.ndarray:
    if image.mode in DEEP_GREY:
        # the upper byte of each grey
        deep = np.asarray(image).astype(np.int64) >> 8
        image = Image.fromarray(deep.astype(np.uint8))
    # greys are the red channel, without any weights
    pixels = np.asarray(image.convert("RGBA" if channels == 4 else "RGB"), np.uint8)
    return np.ascontiguousarray(pixels[:, :, :1] if channels == 1 else pixels)
