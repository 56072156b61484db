"""Tendons: strings that are straight, lie on what they wrap around, or sag."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ConstraintType, Disable, ObjType, Transmission
from cortenforge.render.islands import row_colour
from cortenforge.render.layout import CASTS
from cortenforge.render.options import RenderOptions
from cortenforge.render.pieces import Decor
from cortenforge.render.things import UNSET, look_of, shown

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: wrap_obj of what ends one string of a pulley
PULLEY = -2
#: a string that is so many times as long as its ends are apart hangs straight down
UPRIGHT = 100.0
#: points of a string that sags, at most
MOST_POINTS = 100
#: a string that is shorter than this by so much of its length sags by less than one can see
TAUT = 1e-8
#: when a search for the shape of a string that sags ends
TOLERANCE = 1e-9


def add_tendons(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Strings as capsules; thinner where they lie on what they wrap around."""
    seen = shown(np.asarray(model.tendon_group), options.tendongroup)
    matid, rgba = np.asarray(model.tendon_matid), np.asarray(model.tendon_rgba)
    look = look_of(model, matid, rgba, np.ones(model.ntendon, bool), options)
    for i in np.flatnonzero(seen).tolist():
        colour = look.rgba[i].copy()
        start, end, width = strings(model, data, i)
        length = sagging_length(model, data, i)
        if length is not None:
            points = sagging(start[0], end[0], np.array(model.opt.gravity), length, model)
            start, end = points[:-1], points[1:]
            width = np.full(len(start), float(model.tendon_width[i]))
        elif matid[i] < 0 and (rgba[i] == UNSET).all():
            share = limit_impedance(data, ConstraintType.LIMIT_TENDON, i)
            colour[:3] += share * (model.vis.rgba.constraint[:3] - colour[:3])
        if options.island and length is None:
            colour[:] = row_colour(data, int(data.tendon_efcadr[i]))
        if colour[3] == 0 or not len(start):
            continue
        more = {"gloss": look.gloss[i], "objtype": ObjType.TENDON, "objid": i, "flags": CASTS}
        decor.capsules(start, end, width, colour, **more)
        if options.label == "tendon":
            decor.name(model, "tendon", i, 0.5 * (start[0] + end[0]))


def limit_impedance(data: Data, kind: ConstraintType, number: int) -> float:
    """How hard the limit of a joint or tendon holds it; 0 if it does not."""
    rows = slice(int(data.ne + data.nf), int(data.ne + data.nf + data.nl))
    own = np.asarray(data.efc_type[rows]) == kind
    own &= np.asarray(data.efc_id[rows]) == number
    return float(np.reshape(data.efc_KBIP, (-1, 4))[rows][own, 2].max(initial=0.0))


def strings(model: Model, data: Data, tendon: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Straight parts of a spatial tendon: ends, and how wide; thinner on what they wrap."""
    first, count = int(data.ten_wrapadr[tendon]), int(data.ten_wrapnum[tendon])
    objects = np.ravel(data.wrap_obj)[first : first + count]
    points = np.reshape(data.wrap_xpos, (-1, 3))[first : first + count]
    begin, end = objects[:-1], objects[1:]
    kept = (begin != PULLEY) & (end != PULLEY)
    thin = np.where((begin >= 0) & (end >= 0), 0.5, 1.0)[kept]
    return points[:-1][kept], points[1:][kept], float(model.tendon_width[tendon]) * thin


def sagging_length(model: Model, data: Data, i: int) -> float | None:
    """How long a string is that nothing but its length holds; None for others.

    As mjv_isCatenary: between two sites, with a limit or a spring at its longest only.
    """
    stiff = bool(model.tendon_stiffness[i]) or bool(np.any(model.tendon_stiffnesspoly[i]))
    damped = bool(model.tendon_damping[i]) or bool(np.any(model.tendon_dampingpoly[i]))
    low, high = (float(n) for n in model.tendon_range[i])
    rest = [float(n) for n in model.tendon_lengthspring[i]]
    springs = stiff and rest[0] == 0 and rest[1] > 0
    slack = float(data.ten_length[i]) < high
    limited = not stiff and bool(model.tendon_limited[i]) and low == 0 and slack
    falls = not int(model.opt.disableflags) & Disable.GRAVITY
    falls = falls and float(np.linalg.norm(model.opt.gravity)) > 1e-15
    held = int(model.tendon_num[i]) != 2 or damped or float(model.tendon_frictionloss[i]) != 0
    pulled = np.asarray(model.actuator_trntype) == Transmission.TENDON
    pulled &= np.asarray(model.actuator_trnid)[:, 0] == i
    if springs == limited or not falls or held or pulled.any():
        return None
    return high if limited else rest[1]


def sagging(
    start: np.ndarray, end: np.ndarray, gravity: np.ndarray, length: float, model: Model
) -> np.ndarray:
    """Points along a string of some length between two points: a catenary.  As mjv_catenary."""
    way = end - start
    if np.linalg.norm(way) > (1.0 - TAUT) * length:
        return np.array([start, end])
    up = -gravity / np.linalg.norm(gravity)
    across = way - up * (up @ way)
    far = float(np.linalg.norm(across))
    across = across / far if far > 1e-15 else 0.0 * across
    level, rise = float(way @ across), float(way @ up)
    if length > UPRIGHT * level:
        # all but upright: as if a bead hung on it
        down = -0.5 * (math.sqrt(length**2 - level**2) - rise)
        aside = level * down / (2.0 * down - rise)
        return np.array([start, start + down * up + aside * across, end])
    scale = catenary_scale(rise, level, length) * level
    middle = -0.5 * (math.log((length + rise) / (length - rise)) * scale - level)
    count = min(int(model.vis.quality.numslices) + 1, MOST_POINTS)
    # MuJoCo's points are a little closer together than they could be; the last is at the end
    along = np.arange(1, count - 1) * level / count
    height = scale * (np.cosh((along - middle) / scale) - math.cosh(middle / scale))
    between = start + np.outer(along, across) + np.outer(height, up)
    return np.concatenate([[start], between, [end]])


def catenary_scale(rise: float, level: float, length: float) -> float:
    """How flat a catenary is, over its width: where its length is that of the string."""
    wanted = 1.0 / math.sqrt(math.sqrt(length**2 - rise**2) / level - 1.0)

    def residual(b: float) -> float:
        return 1.0 / math.sqrt(2.0 * b * math.sinh(0.5 / b) - 1.0) - wanted

    # the residual grows with b and is nearly a straight line
    low, high = 1e-2, 1.0
    while residual(high) < 0.0:
        high *= 2.0
    while high - low > TOLERANCE * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if residual(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)
