"""Checks of arguments of pictures, and of a model's visual fields, before anything is drawn.

Kernels do not check their input, so each number is checked here: finite, within bounds.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError, ModelError
from cortenforge.model.changes.watch import check_integers

if TYPE_CHECKING:
    from cortenforge.model import Model

#: largest magnitude of a number; steps have the same limit; squares of it are still numbers
MAX_NUMBER = 1e10
#: largest magnitude of a coordinate of what is drawn, such as corners of infinite planes
MAX_COORDINATE = MAX_NUMBER * MAX_NUMBER
#: smallest length: of near clipping distances, focal lengths, extents
MIN_LENGTH = 1e-10
#: largest values of `vis.quality`; a sphere has slices times stacks of quads
MAX_COUNTS = {
    "shadowsize": 2**31, "offsamples": 2**31, "numslices": 1024, "numstacks": 1024,
    "numquads": 1024,
}  # fmt: skip
#: fields of a model that are read for each picture
VISUAL_FIELDS = (
    *("cam_intrinsic", "cam_sensorsize"),
    *(f"light_{name}" for name in ("attenuation", "cutoff", "exponent")),
    *(f"light_{name}" for name in ("ambient", "diffuse", "specular")),
    *(f"mat_{name}" for name in ("texrepeat", "emission", "specular", "shininess", "reflectance")),
    *(f"{kind}_rgba" for kind in ("mat", "geom", "site", "tendon", "skin")),
    *("stat_center", "stat_meansize", "stat_meanmass", "tendon_width"),
)


def checked_real(value: Any, name: str) -> float:
    """A finite number of limited size.  Raises ArgumentError for others."""
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= MAX_NUMBER:
        raise ArgumentError(f"{name}: expected a finite number up to {MAX_NUMBER:g}, got {value!r}")
    return number


def checked_integer(value: Any, name: str, low: int, high: int) -> int:
    """An integer within bounds.  Raises ArgumentError for others."""
    kind = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not kind or not low <= value <= high:
        raise ArgumentError(f"{name}: expected an integer from {low} to {high}, got {value!r}")
    return int(value)


def checked_reals(values: Any, shape: tuple[int, ...], name: str) -> np.ndarray:
    """An array of finite numbers of a shape.  Raises ArgumentError for others."""
    try:
        found = np.asarray(values, float)
    except (TypeError, ValueError, OverflowError):
        found = np.full(0, math.nan)
    if found.shape != shape or not (np.abs(found) <= MAX_NUMBER).all():
        raise ArgumentError(f"{name}: expected {' × '.join(map(str, shape))} finite numbers")
    return found


def check_visuals(model: Model) -> None:
    """Raise ModelError for fields that pictures read and that are not finite or out of bounds."""
    if not _all_valid(model):
        for group, own in model.vis.settings().items():
            for name, value in own.items():
                _check_vis(group, name, value)
        for name in VISUAL_FIELDS:
            found = np.asarray(getattr(model, name))
            bad = ~(np.abs(found) <= MAX_NUMBER)
            if bad.any():
                where = np.argwhere(bad)[0].tolist()
                _raise_invalid(f"{name}{where or ''}", "a finite number", found[bad][0])
    if model.ncam:
        _check_camera_sensors(model)
    if not float(model.vis.map.haze) >= 0.0:
        _raise_invalid("vis.map.haze", "0 or more", model.vis.map.haze)
    if not float(model.stat_meanmass) >= MIN_LENGTH:
        _raise_invalid("stat.meanmass", f"{MIN_LENGTH:g} or more", model.stat_meanmass)
    check_integers(model)


def _check_camera_sensors(model: Model) -> None:
    """Raise ModelError for a camera with a sensor but without focal length or size."""
    size = np.asarray(model.cam_sensorsize)
    has = np.flatnonzero(size[:, 1])
    for name, found in (("cam_sensorsize", size), ("cam_intrinsic", model.cam_intrinsic)):
        small = has[(np.asarray(found)[has, :2] < MIN_LENGTH).any(1)]
        if len(small):
            _raise_invalid(
                f"{name}[{small[0]}]", f"{MIN_LENGTH:g} or more", np.asarray(found)[small[0]]
            )


def _all_valid(model: Model) -> bool:
    """Whether all fields are valid: one test of all, which is faster than one for each."""
    groups = model.vis.settings()
    quality = groups.get("quality", {})
    values = [value for own in groups.values() for value in own.values()]
    values += [getattr(model, name) for name in VISUAL_FIELDS]
    try:
        numbers = np.concatenate([np.ravel(value) for value in values])
        counted = all(0 <= quality[name] <= most for name, most in MAX_COUNTS.items())
    except (TypeError, ValueError, OverflowError, KeyError):
        return False
    return counted and numbers.dtype.kind == "f" and bool((np.abs(numbers) <= MAX_NUMBER).all())


def _check_vis(group: str, name: str, value: Any) -> None:
    label = f"vis.{group}.{name}"
    most = MAX_COUNTS.get(name) if group == "quality" else None
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError, OverflowError):
        numbers = np.full(1, math.nan)
    if most is not None and not ((numbers >= 0) & (numbers <= most)).all():
        _raise_invalid(label, f"a count of at most {most}", value)
    if most is None and not (np.abs(numbers) <= MAX_NUMBER).all():
        _raise_invalid(label, "a finite number", value)


def clip_distances(model: Model) -> tuple[float, float]:
    """Near and far clipping distances of a model."""
    extent, depths = float(model.stat_extent), model.vis.map
    if not MIN_LENGTH <= extent <= MAX_NUMBER:
        _raise_invalid("stat.extent", f"a number from {MIN_LENGTH:g} to {MAX_NUMBER:g}", extent)
    near, far = float(depths.znear) * extent, float(depths.zfar) * extent
    if not MIN_LENGTH <= near < far <= MAX_COORDINATE:
        _raise_invalid(
            "vis.map.znear, vis.map.zfar",
            f"zfar above znear, and znear times stat.extent at least {MIN_LENGTH:g}",
            (depths.znear, depths.zfar),
        )
    return near, far


def half_height_at_one(fovy: float, parallel: bool, name: str) -> float:
    """Half the height of the image at distance one: tan(fovy / 2), or fovy / 2 if parallel."""
    most = MAX_NUMBER if parallel else 179.999
    if not MIN_LENGTH <= fovy <= most:
        _raise_invalid(name, f"a number above 0, and at most {most:g}", fovy)
    return 0.5 * fovy if parallel else math.tan(math.radians(0.5 * fovy))


def _raise_invalid(name: str, expected: str, got: Any) -> None:
    raise ModelError(f"{name}: a picture needs {expected}, got {got}")
