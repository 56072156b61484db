"""Actuators by their transmission, and slider-cranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import GeomType, JointType, ObjType, Transmission
from cortenforge.scene.decor_geoms import ARROW_HEAD_RATIO, Decor
from cortenforge.scene.flags import CASTS_SHADOW
from cortenforge.scene.instances import geom_scales, in_shown_groups
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import BOX, CYLINDER, SPHERE
from cortenforge.scene.tendons import label_tendons, tendon_segments

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: scale of the shell that is drawn around sites and bodies with an actuator
SHELL_SCALE = 1.05
#: shapes of such shells, by type of geom or site
SHELL_SHAPES = {
    GeomType.SPHERE: SPHERE,
    GeomType.ELLIPSOID: SPHERE,
    GeomType.CYLINDER: CYLINDER,
    GeomType.BOX: BOX,
}


def add_slidercranks(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add slider-cranks: slider and rod; a rod too short for its ends has another colour."""
    size, colours = float(model.stat_meansize) * float(model.vis.scale.slidercrank), model.vis.rgba
    for i in np.flatnonzero(np.asarray(model.actuator_trntype) == Transmission.SLIDERCRANK):
        crank, slider = (int(n) for n in model.actuator_trnid[i])
        axis = np.reshape(data.site_xmat[slider], (3, 3))[:, 2]
        begin, pin = np.array(data.site_xpos[slider]), np.array(data.site_xpos[crank])
        way, rod = pin - begin, float(model.actuator_cranklength[i])
        along = float(way @ axis)
        square = along * along + rod * rod - float(way @ way)
        end = begin + axis * (along - np.sqrt(max(square, 0.0)))
        more = {"objtype": ObjType.ACTUATOR, "objid": i, "flags": CASTS_SHADOW}
        decor.cylinder(begin, end, size, colours.slidercrank, **more)
        rgba = colours.crankbroken if square < 0.0 else colours.slidercrank
        decor.capsule(end, pin, 0.5 * size, rgba, **more)
        if options.label == "actuator":
            decor.name(model, "actuator", int(i), 0.5 * (begin + end))


def add_actuators(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add actuators: arrows at joints, tendons, shells of sites and bodies.

    Their colour goes from negative to positive control; with `activation`, by the activation of
    those that have one, such as muscles.
    """
    groups = np.asarray(model.actuator_group)
    off = int(model.opt.disableactuator)
    pulling: list[tuple[int, int, np.ndarray]] = []
    for i in np.flatnonzero(in_shown_groups(groups, options.actuatorgroup)).tolist():
        if 0 <= groups[i] <= 30 and off >> int(groups[i]) & 1:
            continue
        more = {"objtype": ObjType.ACTUATOR, "objid": i}
        rgba = actuator_colour(model, data, int(i), options)
        kind, k = int(model.actuator_trntype[i]), int(model.actuator_trnid[i, 0])
        place = None
        if kind in (Transmission.JOINT, Transmission.JOINTINPARENT):
            _add_at_joint(decor, model, data, k, rgba, more)
            place = data.xanchor[k]
        elif kind == Transmission.TENDON:
            pulling.append((i, k, rgba))
        elif kind == Transmission.SITE:
            _add_shell(decor, model, data, "site", k, rgba, more)
            place = data.site_xpos[k]
        elif kind == Transmission.BODY:
            first = int(model.body_geomadr[k])
            for geom in range(first, first + int(model.body_geomnum[k])):
                _add_shell(decor, model, data, "geom", geom, rgba, more)
        if options.label == "actuator" and place is not None:
            decor.name(model, "actuator", i, place)
    if pulling:
        actuators, tendons, colours = (np.array(column) for column in zip(*pulling, strict=True))
        found = tendon_segments(model, data, tendons)
        decor.capsules(
            found.starts, found.ends, found.width * float(model.vis.map.actuatortendon),
            rgba=colours[found.owner], objtype=ObjType.ACTUATOR, objid=actuators[found.owner],
        )  # fmt: skip
        if options.label == "actuator":
            label_tendons(decor, model, "actuator", actuators, found)


def _add_shell(
    decor: Decor, model: Model, data: Data, name: str, k: int, rgba: Any, more: dict[str, Any]
) -> None:
    """Add a shell around a geom or site; not for meshes and planes."""
    kind = GeomType(int(getattr(model, f"{name}_type")[k]))
    pos = np.array(getattr(data, f"{name}_xpos")[k])
    mat = np.reshape(getattr(data, f"{name}_xmat")[k], (3, 3))
    size = SHELL_SCALE * np.asarray(getattr(model, f"{name}_size")[k], float)
    if kind == GeomType.CAPSULE:
        # as a connector between the centres of its half spheres
        half = size[1] * mat[:, 2]
        decor.capsule(pos - half, pos + half, size[0], rgba, **more)
    elif kind in SHELL_SHAPES:
        scale = geom_scales(np.array([kind]), size[None])[0]
        decor.add(SHELL_SHAPES[kind], pos, mat, scale, rgba, **more)


def actuator_colour(model: Model, data: Data, i: int, options: RenderOptions) -> np.ndarray:
    """Colour of an actuator, interpolated by its control or activation over its range."""
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
        head = ARROW_HEAD_RATIO if kind == JointType.SLIDE else 1.0
        decor.arrow(anchor, end, float(scale.actuatorwidth) * size, rgba, head=head, **more)
        return
    mat = np.reshape(data.xmat[model.jnt_bodyid[j]], (3, 3))
    shape = SPHERE if kind == JointType.BALL else BOX
    decor.add(shape, anchor, mat, (0.33 * float(scale.jointlength) * size,) * 3, rgba, **more)
