"""Height fields: elevations inline, from PNG or from MuJoCo's binary format, between 0 and 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cortenforge.compile.assets.content_type import content_type
from cortenforge.compile.assets.png import read_png
from cortenforge.compile.pack.field_arrays import (
    arrays_of_objects,
    block_addresses,
    concatenated_field,
)
from cortenforge.problems import each_valid
from cortenforge.spec import Element
from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.attribute import integer, keyword, number_list, numbers
from cortenforge.spec.rotation import MIN_NORM, Vector

HFIELD_MEDIA_TYPE = "image/vnd.mujoco.hfield"
# points of all height fields of a model
MAX_HFIELD_POINTS = 2**24
LARGEST_ELEVATION = 1e10


@dataclass(frozen=True)
class HFieldExtent:
    """Half widths, height above and below the base of a height field."""

    size: tuple[float, ...]

    @property
    def geom_size(self) -> Vector:
        """Half sizes of the box that stands for it where a shape is needed."""
        x, y, top, base = self.size
        return (x, y, 0.25 * top + 0.5 * base)

    @property
    def radius(self) -> float:
        """Radius of the sphere around it."""
        x, y, top, base = self.size
        return math.sqrt(x * x + y * y + max(top * top, base * base))

    @property
    def box(self) -> tuple[float, ...]:
        """Centre and half sizes of the box around it, with its base."""
        x, y, top, base = self.size
        return (0.0, 0.0, (top - base) / 2, x, y, (top + base) / 2)


@dataclass(frozen=True)
class HField(HFieldExtent):
    """One height field; `data` has its rows from the lowest y to the highest."""

    element: Element
    data: np.ndarray
    path: str = ""


def compile_hfields(elements: list[Element], files: AssetFiles) -> list[HField]:
    """All height fields of a model."""
    points = 0

    def compiled(element: Element) -> HField:
        nonlocal points
        data = _elevations(element, files, MAX_HFIELD_POINTS - points)
        points += data.size
        size = numbers(element, "size")
        return HField(size, element, _normalized(data, element), files.path(element))

    return each_valid(compiled, elements)


def hfield_arrays(hfields: list[HField]) -> dict[str, np.ndarray]:
    """Arrays of height fields."""
    return {
        **arrays_of_objects(
            hfields,
            {
                "hfield_size": lambda hfield: hfield.size,
                "hfield_nrow": lambda hfield: hfield.data.shape[0],
                "hfield_ncol": lambda hfield: hfield.data.shape[1],
            },
        ),
        "hfield_adr": block_addresses([hfield.data.size for hfield in hfields]),
        "hfield_data": concatenated_field("hfield_data", (hfield.data for hfield in hfields)),
    }


def _elevations(element: Element, files: AssetFiles, room: int) -> np.ndarray:
    """Elevations as given, in single precision (rows, columns)."""
    if keyword(element, "file"):
        data = _file_elevations(element, files)
        if data.size > room:
            raise _too_many_points_error(element, "file")
    else:
        data = _inline_elevations(element, room)
    if min(data.shape) < 2:
        rows, columns = data.shape
        raise element.error(
            f"a height field needs at least 2 rows and 2 columns, this has {rows} x {columns}",
            "file" if keyword(element, "file") else "nrow" if rows < 2 else "ncol",
        )
    return data


def _inline_elevations(element: Element, room: int) -> np.ndarray:
    """Elevations from the attribute, where the last row of the text has the lowest y; or zeros."""
    rows, columns = integer(element, "nrow"), integer(element, "ncol")
    if rows < 1 or columns < 1:
        raise element.error(
            "a height field needs a file, or nrow and ncol", "nrow" if rows < 1 else "ncol"
        )
    if rows * columns > room:
        raise _too_many_points_error(element, "nrow")
    given = number_list(element, "elevation")
    if not given:
        return np.zeros((rows, columns), np.float32)
    if len(given) != rows * columns:
        raise element.error(
            f"{len(given)} elevations for {rows} rows of {columns}", "elevation" if given else None
        )
    return np.array(given, np.float32).reshape(rows, columns)[::-1]


def _file_elevations(element: Element, files: AssetFiles) -> np.ndarray:
    kind = content_type(element, "file") or HFIELD_MEDIA_TYPE
    if kind not in ("image/png", HFIELD_MEDIA_TYPE):
        raise element.error(
            f"expected image/png or {HFIELD_MEDIA_TYPE}, this is '{kind}'", "content_type"
        )
    data = files.read(element).data
    if kind == "image/png":
        return (
            read_png(data, 1, element, "file", most=MAX_HFIELD_POINTS)
            .pixels[::-1, :, 0]
            .astype(np.float32)
        )
    return _binary_elevations(data, element)


def _binary_elevations(data: bytes, element: Element) -> np.ndarray:
    """MuJoCo's own format: rows, columns, then numbers in single precision."""
    if len(data) < 8:
        raise element.error("the file is too short for a height field", "file")
    rows, columns = (int(n) for n in np.frombuffer(data, "<i4", 2))
    if rows < 1 or columns < 1:
        raise element.error(f"the file says {rows} rows and {columns} columns", "file")
    if len(data) != 8 + 4 * rows * columns:
        raise element.error(
            f"the file has {len(data)} bytes; {rows} x {columns} elevations need "
            f"{8 + 4 * rows * columns}",
            "file",
        )
    values = np.frombuffer(data, "<f4", offset=8).astype(np.float32)
    if not np.isfinite(values).all():
        raise element.error("the file has elevations that are not finite numbers", "file")
    return values.reshape(rows, columns)


def _normalized(data: np.ndarray, element: Element) -> np.ndarray:
    """Elevations (x - min) / (max - min), in the single precision in which they are stored."""
    lowest = np.minimum(np.float32(LARGEST_ELEVATION), data.min())
    highest = np.maximum(np.float32(-LARGEST_ELEVATION), data.max())
    if lowest > highest or np.abs(data).max() > LARGEST_ELEVATION:
        raise element.error(
            f"expected elevations of magnitude below {LARGEST_ELEVATION:g}", "elevation"
        )
    data = data - lowest
    if float(highest - lowest) > MIN_NORM:
        data /= highest - lowest
    return data


def _too_many_points_error(element: Element, attribute: str) -> Exception:
    return element.error(f"height fields of more than {MAX_HFIELD_POINTS} points", attribute)
