"""Tendons as capsules along their paths; slack ones between two sites as catenaries.

A slack tendon of length L, whose ends are h apart horizontally and v vertically, hangs in the shape

    y(x) = a (cosh((x - x0) / a) - cosh(x0 / a)),    x0 = (h - a ln((L + v) / (L - v))) / 2
    sqrt(L^2 - v^2) = 2 a sinh(h / (2 a))

The second line is solved by bisection for b = a / h in the form 1 / sqrt(2 b sinh(1 / (2 b)) - 1),
which is nearly linear in b. Source: Beer and Johnston, Vector Mechanics for Engineers: Statics,
chapter "Cables", section "Catenary"; MuJoCo draws the same (mjv_catenary).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import ConstraintType, Disable, ObjType, Transmission
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.flags import CASTS_SHADOW
from cortenforge.scene.instances import DEFAULT_RGBA, Appearance, appearance_of, in_shown_groups
from cortenforge.scene.island_colours import row_colour
from cortenforge.scene.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: wrap_obj of a pulley, which ends a branch of a path
WRAP_PULLEY = -2
#: length over horizontal distance from which on a slack tendon is drawn as two straight lines
VERTICAL_RATIO = 100.0
#: points of a catenary, at most
MAX_CATENARY_POINTS = 100
#: relative slack below which a tendon is drawn straight
TAUT_TOLERANCE = 1e-8
#: relative tolerance of the bisection for a catenary
CATENARY_TOLERANCE = 1e-9


def add_tendons(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add tendons: straight segments as capsules, thinner on wrapping geoms, and slack ones."""
    matid, rgba = np.asarray(model.tendon_matid), np.asarray(model.tendon_rgba)
    look = appearance_of(model, matid, rgba, np.ones(model.ntendon, bool), options)
    seen = in_shown_groups(np.asarray(model.tendon_group), options.tendongroup) & (
        look.rgba[:, 3] != 0
    )
    tendons = np.flatnonzero(seen)
    slack = add_slack_tendons(decor, model, data, tendons, look)
    straight = np.setdiff1d(tendons, list(slack))
    colours = look.rgba.copy()
    if data.nl:
        for i in straight[(matid[straight] < 0) & (rgba[straight] == DEFAULT_RGBA).all(1)]:
            share = limit_impedance(data, ConstraintType.LIMIT_TENDON, int(i))
            colours[i, :3] += share * (model.vis.rgba.constraint[:3] - colours[i, :3])
    if options.island:
        for i in straight:
            colours[i] = row_colour(data, int(data.tendon_efcadr[i]))
    found = tendon_segments(model, data, straight)
    owner = straight[found.owner]
    decor.capsules(
        found.starts, found.ends, found.width, rgba=colours[owner], gloss=look.gloss[owner],
        objtype=ObjType.TENDON, objid=owner, flags=CASTS_SHADOW,
    )  # fmt: skip
    if options.label == "tendon":
        label_tendons(decor, model, "tendon", straight, found)
        for i, place in slack.items():
            decor.name(model, "tendon", i, place)


def add_slack_tendons(
    decor: Decor, model: Model, data: Data, tendons: np.ndarray, look: Appearance
) -> dict[int, np.ndarray]:
    """Add slack tendons as catenaries.  Returns a point of each, by the tendon's number."""
    found = {}
    for i in tendons[np.asarray(model.tendon_num)[tendons] == 2].tolist():
        length = catenary_length(model, data, i)
        if length is None:
            continue
        ends = tendon_segments(model, data, np.array([i]))
        points = catenary_points(
            ends.starts[0], ends.ends[0], np.array(model.opt.gravity), length, model
        )
        width = np.full(len(points) - 1, float(model.tendon_width[i]))
        decor.capsules(
            points[:-1], points[1:], width, rgba=look.rgba[i], gloss=look.gloss[i],
            objtype=ObjType.TENDON, objid=i, flags=CASTS_SHADOW,
        )  # fmt: skip
        found[i] = 0.5 * (points[0] + points[1])
    return found


def label_tendons(
    decor: Decor, model: Model, kind: str, owners: np.ndarray, found: TendonSegments
) -> None:
    """Add names of tendons, or of their actuators, at the middle of their first segments."""
    which, first = np.unique(found.owner, return_index=True)
    for k, row in zip(which, first, strict=True):
        middle = 0.5 * (found.starts[row] + found.ends[row])
        decor.name(model, kind, int(owners[k]), middle)


def limit_impedance(data: Data, kind: ConstraintType, number: int) -> float:
    """Impedance of the limit constraint of a joint or tendon; 0 if it is not active."""
    rows = slice(int(data.ne + data.nf), int(data.ne + data.nf + data.nl))
    own = np.asarray(data.efc_type[rows]) == kind
    own &= np.asarray(data.efc_id[rows]) == number
    return float(np.reshape(data.efc_KBIP, (-1, 4))[rows][own, 2].max(initial=0.0))


@dataclass
class TendonSegments:
    """Straight segments of spatial tendons.

    owner: position of each segment's tendon in the requested list.
    """

    owner: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    width: np.ndarray


def tendon_segments(model: Model, data: Data, tendons: np.ndarray) -> TendonSegments:
    """Segments of some tendons, at half the width where they lie on a wrapping geom."""
    objects, points = np.ravel(data.wrap_obj), np.reshape(data.wrap_xpos, (-1, 3))
    # a segment from each point of a path but its last
    counts = np.maximum(np.asarray(data.ten_wrapnum)[tendons] - 1, 0)
    owner = np.repeat(np.arange(len(tendons)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    j = np.asarray(data.ten_wrapadr)[tendons][owner] + within
    whole = (objects[j] != WRAP_PULLEY) & (objects[j + 1] != WRAP_PULLEY)
    owner, j = owner[whole], j[whole]
    wraps = (objects[j] >= 0) & (objects[j + 1] >= 0)
    width = np.asarray(model.tendon_width, float)[tendons][owner] * np.where(wraps, 0.5, 1.0)
    return TendonSegments(owner, points[j], points[j + 1], width)


def catenary_length(model: Model, data: Data, i: int) -> float | None:
    """Length of a tendon that is drawn as a catenary; None for others.

    That is one between two sites, with an upper limit or a spring's upper rest length only.
    Mirrors mjv_isCatenary.
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


def catenary_points(
    start: np.ndarray, end: np.ndarray, gravity: np.ndarray, length: float, model: Model
) -> np.ndarray:
    """Points along a catenary of some length between two points.  Mirrors mjv_catenary."""
    way = end - start
    if np.linalg.norm(way) > (1.0 - TAUT_TOLERANCE) * length:
        return np.array([start, end])
    up = -gravity / np.linalg.norm(gravity)
    across = way - up * (up @ way)
    far = float(np.linalg.norm(across))
    across = across / far if far > 1e-15 else 0.0 * across
    level, rise = float(way @ across), float(way @ up)
    if length > VERTICAL_RATIO * level:
        # nearly vertical: two straight lines to a lowest point
        down = -0.5 * (math.sqrt(length**2 - level**2) - rise)
        aside = level * down / (2.0 * down - rise)
        return np.array([start, start + down * up + aside * across, end])
    scale = catenary_scale(rise, level, length) * level
    middle = -0.5 * (math.log((length + rise) / (length - rise)) * scale - level)
    count = min(int(model.vis.quality.numslices) + 1, MAX_CATENARY_POINTS)
    # as MuJoCo: points h / count apart, and the last one at the end
    along = np.arange(1, count - 1) * level / count
    height = scale * (np.cosh((along - middle) / scale) - math.cosh(middle / scale))
    between = start + np.outer(along, across) + np.outer(height, up)
    return np.concatenate([[start], between, [end]])


def catenary_scale(rise: float, level: float, length: float) -> float:
    """Parameter b = a / h of the catenary whose length is that of the tendon."""
    wanted = 1.0 / math.sqrt(math.sqrt(length**2 - rise**2) / level - 1.0)

    def residual(b: float) -> float:
        return 1.0 / math.sqrt(2.0 * b * math.sinh(0.5 / b) - 1.0) - wanted

    # the residual increases with b, nearly linearly
    low, high = 1e-2, 1.0
    while residual(high) < 0.0:
        high *= 2.0
    while high - low > CATENARY_TOLERANCE * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if residual(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)
