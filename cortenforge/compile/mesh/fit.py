"""Geoms and sites with a mesh: the mesh itself, or a primitive fitted to it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cortenforge.compile.elements.primitive_shapes import shape_aabb
from cortenforge.compile.mesh.sdf_shapes import DistanceShape, distance_shape_of
from cortenforge.enums import GeomType, SdfShape
from cortenforge.model.changes.bounding_radius import bounding_radius
from cortenforge.spec.attribute import number
from cortenforge.spec.rotation import (
    ZERO_VECTOR,
    Pose,
    Vector,
    add,
    compose_poses,
    conjugate,
    cross,
    rotate,
    subtract,
    vector,
)

if TYPE_CHECKING:
    from cortenforge.compile.mesh.meshes import Mesh
    from cortenforge.compile.records import Geom, Site

# geoms that are the mesh itself
MESH_ITSELF = (GeomType.MESH, GeomType.SDF)
FITTED = (
    GeomType.SPHERE,
    GeomType.CAPSULE,
    GeomType.CYLINDER,
    GeomType.ELLIPSOID,
    GeomType.BOX,
)


def attach_mesh(geom: Geom, pose: Pose, *, fitaabb: bool) -> Pose:
    """Give a geom its mesh's size, or fit it; returns its pose with the mesh's own frame."""
    mesh, element = geom.mesh, geom.element
    set_distance_function(geom)
    if mesh is None:
        if geom.type == GeomType.MESH or (geom.distance and geom.distance.params):
            raise element.error(f"a geom of type {geom.type.name.lower()} needs a mesh", "mesh")
        return pose
    if element.given("fromto"):
        raise element.error("end points and a mesh cannot both be given", "fromto")
    centre = ZERO_VECTOR
    if geom.type in MESH_ITSELF:
        if element["shellinertia"]:
            raise element.error(
                "the inertia of a mesh is chosen where the mesh is defined",
                "shellinertia",
                hint='<mesh inertia="shell"/>',
            )
        geom.size = mesh.reach
        if geom.distance and geom.distance.grid:
            raise element.error(
                "a grid of signed distances and a mesh cannot both be given", "mesh"
            )
    elif geom.type in FITTED:
        centre = _fit(geom, mesh, fitaabb=fitaabb)
    else:
        raise element.error("only spheres, capsules, cylinders, ellipsoids and boxes fit", "type")
    place = add(rotate(mesh.shape.quat, centre), mesh.shape.pos)
    if any(geom.surfacevel):
        geom.surfacevel = _moved_velocity(geom.surfacevel, (place, mesh.shape.quat))
    if geom.type not in MESH_ITSELF:
        geom.mesh, geom.fitted = None, mesh
    return compose_poses(pose, (place, mesh.shape.quat))


def set_distance_function(geom: Geom) -> None:
    """Set the distance function of a geom of type sdf: its own, its mesh's, or an octree."""
    own = distance_shape_of(geom.element)
    if geom.type != GeomType.SDF:
        if own.kind:
            raise geom.element.error("only a geom of type sdf can be a distance function", "sdf")
        return
    if not own.kind and geom.mesh is not None:
        own = geom.mesh.distance if geom.mesh.distance.kind else DistanceShape(SdfShape.MESH)
    geom.distance = own
    if own.grid is not None:
        geom.size = vector(own.grid.reach.tolist())


def _fit(geom: Geom, mesh: Mesh, *, fitaabb: bool) -> Vector:
    """Size a primitive by the mesh's inertia box or bounding box; returns its centre."""
    if fitaabb:
        centre = vector((a + b) / 2 for a, b in zip(mesh.shape.low, mesh.shape.high, strict=True))
        half = subtract(mesh.shape.high, centre)
        size = _size_from_bounding_box(geom.type, half, geom.size)
    else:
        centre = ZERO_VECTOR
        size = _size_from_inertia_box(geom.type, mesh.shape.box, geom.size)
    scale = number(geom.element, "fitscale")
    geom.size = vector(value * scale for value in size)
    return centre


def _size_from_bounding_box(kind: GeomType, half: Vector, size: Vector) -> Vector:
    """Size of the shape whose bounding box is the mesh's."""
    x, y, z = half
    if kind == GeomType.SPHERE:
        return (max(half), *size[1:])
    if kind == GeomType.CAPSULE:
        return (max(x, y), z - max(x, y), size[2])
    if kind == GeomType.CYLINDER:
        return (max(x, y), z, size[2])
    return half


def _size_from_inertia_box(kind: GeomType, box: Vector, size: Vector) -> Vector:
    """Size of the shape that matches the mesh's equivalent inertia box."""
    x, y, z = box
    if kind == GeomType.SPHERE:
        return ((x + y + z) / 3, *size[1:])
    if kind == GeomType.CAPSULE:
        radius = (x + y) / 2
        return (radius, max(0.0, z - radius / 2), size[2])
    if kind == GeomType.CYLINDER:
        return ((x + y) / 2, z, size[2])
    return box


def _moved_velocity(velocity: tuple[float, ...], pose: Pose) -> tuple[float, ...]:
    """Surface velocity, given in the geom's frame, in the mesh's frame."""
    linear, angular = vector(velocity[:3]), vector(velocity[3:])
    back = conjugate(pose[1])
    moved = add(linear, cross(angular, pose[0]))
    return (*rotate(back, moved), *rotate(back, angular))


def data_id(part: Geom | Site) -> int:
    """Id of the mesh or height field of a geom or site, or -1."""
    return getattr(part, "dataid", -1) if part.mesh is None else part.mesh.id


def geom_box(geom: Geom) -> tuple[float, ...]:
    """Centre and half sizes of a geom's bounding box, in its own frame."""
    if geom.hfield is not None:
        return geom.hfield.box
    if geom.distance is not None and geom.distance.grid is not None:
        centre, half = geom.distance.grid.box
        return (*centre.tolist(), *half.tolist())
    if geom.mesh is None:
        return shape_aabb(geom.type, geom.size)
    pairs = list(zip(geom.mesh.shape.low, geom.mesh.shape.high, strict=True))
    return (*((a + b) / 2 for a, b in pairs), *((b - a) / 2 for a, b in pairs))


def geom_radius(geom: Geom) -> float:
    """Radius of a geom's bounding sphere; 0 for a plane."""
    if geom.hfield is not None:
        return geom.hfield.radius
    if geom.mesh is None and geom.distance is None:
        return bounding_radius(geom.type, geom.size)
    x, y, z = geom.size if geom.mesh is None else geom.mesh.reach
    return math.sqrt(x * x + y * y + z * z)
