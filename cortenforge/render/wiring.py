"""Actuators by what they do, rays of range finders, and equality constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import EqualityType, JointType, ObjType, SensorType, Transmission
from cortenforge.render.camera import Lens
from cortenforge.render.options import RenderOptions
from cortenforge.render.shapes import BOX, SPHERE
from cortenforge.render.things import WIDE_HEAD, Decor, shown

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: wrap_obj of what ends one string of a pulley
PULLEY = -2
#: half the width of a ray, in pixels
RAY = 1.5
#: emission, specular and shininess of what lights do not fall on
GLOWING = (1.0, 0.0, 0.0)


def add_actuators(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Arrows at joints, and strings, in colours from negative to positive.

    With `activation`, those that have one are coloured by it: so muscles show how they are excited.
    """
    groups = np.asarray(model.actuator_group)
    off = int(model.opt.disableactuator)
    pulling: list[tuple[int, int, np.ndarray]] = []
    for i in np.flatnonzero(shown(groups, options.actuatorgroup)):
        if 0 <= groups[i] <= 30 and off >> int(groups[i]) & 1:
            continue
        more = {"objtype": ObjType.ACTUATOR, "objid": i}
        rgba = actuator_colour(model, data, int(i), options)
        kind, k = int(model.actuator_trntype[i]), int(model.actuator_trnid[i, 0])
        if kind in (Transmission.JOINT, Transmission.JOINTINPARENT):
            _add_at_joint(decor, model, data, k, rgba, more)
        elif kind == Transmission.TENDON:
            pulling.append((int(i), k, rgba))
    if pulling:
        actuators, tendons, colours = (np.array(column) for column in zip(*pulling, strict=True))
        found = strings_of(model, data, tendons)
        decor.capsules(
            found.starts, found.ends, found.width * float(model.vis.map.actuatortendon),
            rgba=colours[found.owner], objtype=ObjType.ACTUATOR, objid=actuators[found.owner],
        )  # fmt: skip


def actuator_colour(model: Model, data: Data, i: int, options: RenderOptions) -> np.ndarray:
    """Between the colours of actuators that pull one way, rest, and pull the other way."""
    at = int(model.actuator_ctrladr[i])
    low, high = -1.0, 1.0
    if model.actuator_ctrllimited[at]:
        low, high = (float(n) for n in model.actuator_ctrlrange[at])
    elif options.activation and model.actuator_actlimited[i]:
        low, high = (float(n) for n in model.actuator_actrange[i])
    rest = low if low >= 0 else high if high <= 0 else 0.0
    low, high = min(low, -1.0 if low >= 0 else low), max(high, 1.0 if high <= 0 else high)
    value = float(data.ctrl[at])
    if options.activation and model.actuator_dyntype[i]:
        value = float(data.act[int(model.actuator_actadr[i] + model.actuator_actnum[i]) - 1])
    colours = model.vis.rgba
    end, edge = colours.actuatornegative, low
    if value > rest:
        end, edge = colours.actuatorpositive, high
    share = min(abs(value - rest) / max(abs(edge - rest), 1e-15), 1.0)
    return np.asarray(colours.actuator + share * (end - colours.actuator))


def _add_at_joint(
    decor: Decor, model: Model, data: Data, j: int, rgba: Any, more: dict[str, Any]
) -> None:
    size, scale, kind = float(model.stat_meansize), model.vis.scale, int(model.jnt_type[j])
    anchor = np.array(data.xanchor[j])
    if kind in (JointType.HINGE, JointType.SLIDE):
        end = anchor + float(scale.actuatorlength) * size * np.array(data.xaxis[j])
        head = WIDE_HEAD if kind == JointType.SLIDE else 1.0
        decor.arrow(anchor, end, float(scale.actuatorwidth) * size, rgba, head=head, **more)
        return
    mat = np.reshape(data.xmat[model.jnt_bodyid[j]], (3, 3))
    shape = SPHERE if kind == JointType.BALL else BOX
    decor.add(shape, anchor, mat, (0.33 * float(scale.jointlength) * size,) * 3, rgba, **more)


@dataclass
class Strings:
    """Straight parts of spatial tendons.

    owner: for each of them which of the tendons that were asked for it belongs to.
    """

    owner: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    width: np.ndarray


def strings_of(model: Model, data: Data, tendons: np.ndarray) -> Strings:
    """Straight parts of some tendons; thinner on what they wrap."""
    objects, points = np.ravel(data.wrap_obj), np.reshape(data.wrap_xpos, (-1, 3))
    # from each point of a path but its last to the next one
    counts = np.maximum(np.asarray(data.ten_wrapnum)[tendons] - 1, 0)
    owner = np.repeat(np.arange(len(tendons)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    j = np.asarray(data.ten_wrapadr)[tendons][owner] + within
    whole = (objects[j] != PULLEY) & (objects[j + 1] != PULLEY)
    owner, j = owner[whole], j[whole]
    wraps = (objects[j] >= 0) & (objects[j + 1] >= 0)
    width = np.asarray(model.tendon_width, float)[tendons][owner] * np.where(wraps, 0.5, 1.0)
    return Strings(owner, points[j], points[j + 1], width)


def add_rays(decor: Decor, model: Model, data: Data, lens: Lens) -> None:
    """Rays of range finders at sites that see something, a few pixels wide."""
    kinds = np.asarray(model.sensor_type) == SensorType.RANGEFINDER
    at_sites = np.asarray(model.sensor_objtype) == ObjType.SITE
    for i in np.flatnonzero(kinds & at_sites):
        site, far = int(model.sensor_objid[i]), float(data.sensordata[model.sensor_adr[i]])
        # the first bit says that the first number is a distance
        if not int(model.sensor_intprm[i, 0]) & 1 or far < 0.0:
            continue
        start = np.array(data.site_xpos[site])
        end = start + far * np.reshape(data.site_xmat[site], (3, 3))[:, 2]
        deep = 1.0 if lens.parallel else float((0.5 * (start + end) - lens.pos) @ lens.forward)
        width = RAY * max(deep, lens.near) / lens.focal[1]
        rgba = model.vis.rgba.rangefinder
        decor.cylinder(start, end, width, rgba, gloss=GLOWING, objtype=ObjType.SENSOR, objid=i)


def add_equalities(decor: Decor, model: Model, data: Data) -> None:
    """The two points that a connect or a weld holds together."""
    radius = float(model.vis.scale.constraint) * float(model.stat_meansize)
    colours = (model.vis.rgba.connect, model.vis.rgba.constraint)
    for i in range(model.neq):
        kind = int(model.eq_type[i])
        if kind not in (EqualityType.CONNECT, EqualityType.WELD) or not data.eq_active[i]:
            continue
        for side, rgba in enumerate(colours):
            k = int((model.eq_obj1id, model.eq_obj2id)[side][i])
            if model.eq_objtype[i] == ObjType.SITE:
                pos = np.array(data.site_xpos[k])
            else:
                # a weld's anchor is that of its second body, and comes first of the two
                first = 3 * ((kind == EqualityType.WELD) != bool(side))
                own = np.array(model.eq_data[i, first : first + 3])
                pos = np.reshape(data.xmat[k], (3, 3)) @ own + data.xpos[k]
            more = {"objtype": ObjType.EQUALITY, "objid": i}
            decor.add(SPHERE, pos, np.eye(3), (radius,) * 3, rgba, **more)
