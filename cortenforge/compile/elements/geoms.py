"""Geoms and sites: type, size, pose in the body (also from two end points), mass.

fromto p q    pos = (p + q) / 2,  z axis along p - q,  half length |p - q| / 2
mass          given, or density times volume (area for a shell)
"""

from __future__ import annotations

from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.elements.primitive_shapes import (
    REQUIRED_SIZES,
    fluid_coefficients,
    shape_inertia,
    shape_volume,
)
from cortenforge.compile.elements.sdf_grid_inertia import grid_inertia
from cortenforge.compile.mesh.fit import attach_mesh
from cortenforge.compile.mesh.meshes import site_size
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body, Geom, Site
from cortenforge.enums import GeomType
from cortenforge.spec import Element
from cortenforge.spec.attribute import (
    flag,
    integer,
    keyword,
    keyword_code,
    number,
    numbers,
    vector3,
)
from cortenforge.spec.rotation import (
    MIN_NORM,
    Pose,
    Vector,
    compose_poses,
    from_z_to,
    subtract,
    vector,
    vector_norm,
)

GEOM_TYPES = {
    "plane": GeomType.PLANE,
    "hfield": GeomType.HFIELD,
    "sphere": GeomType.SPHERE,
    "capsule": GeomType.CAPSULE,
    "ellipsoid": GeomType.ELLIPSOID,
    "cylinder": GeomType.CYLINDER,
    "box": GeomType.BOX,
    "mesh": GeomType.MESH,
    "sdf": GeomType.SDF,
}
FLAT_TYPES = (GeomType.PLANE, GeomType.HFIELD)
SITE_TYPES = {name: kind for name, kind in GEOM_TYPES.items() if kind not in FLAT_TYPES}
FROMTO_TYPES = (GeomType.CAPSULE, GeomType.CYLINDER, GeomType.ELLIPSOID, GeomType.BOX)


def compile_geom(geom: Geom, settings: CompilerSettings, weighed: bool) -> None:
    """Read one geom; `weighed` if the inertia of its body is inferred from it."""
    element = geom.element
    geom.type = keyword_code(element, "type", GEOM_TYPES)
    _read_geom_numbers(geom, element)
    if geom.condim not in (1, 3, 4, 6):
        raise element.error("expected 1, 3, 4 or 6", "condim")
    pose = attach_mesh(geom, _pose_and_size(geom, settings), fitaabb=settings.fitaabb)
    _check_size(element, geom.type, geom.size)
    _set_hfield_size(geom)
    if weighed:
        _set_geom_mass(geom)
    if keyword(element, "fluidshape") == "ellipsoid":
        _set_fluid_coefficients(geom)
    geom.pos, geom.quat = compose_poses(geom.frame, pose)


def compile_site(site: Site, settings: CompilerSettings) -> None:
    """Read one site."""
    element = site.element
    if keyword(element, "type") in ("plane", "hfield"):
        raise element.error("a site cannot be a plane or a height field", "type")
    site.type = keyword_code(element, "type", SITE_TYPES)
    site.size = vector3(element, "size")
    site.group = integer(element, "group")
    site.rgba = numbers(element, "rgba")
    pose = _pose_and_size(site, settings)
    site.size = site_size(site)
    site.pos, site.quat = compose_poses(site.frame, pose)
    _check_size(element, site.type, site.size)


def check_planes(body: Body) -> None:
    """Planes are infinite: they stay on bodies that do not move by themselves."""
    weld = body
    while weld.parent and not weld.joints and not weld.mocap:
        weld = weld.parent
    if not weld.joints:
        return
    for geom in body.geoms:
        if geom.type == GeomType.PLANE:
            raise geom.element.error("a plane cannot be on a moving body", "type")


def _read_geom_numbers(geom: Geom, element: Element) -> None:
    geom.size = vector3(element, "size")
    geom.contype = integer(element, "contype")
    geom.conaffinity = integer(element, "conaffinity")
    geom.condim = integer(element, "condim")
    geom.group = integer(element, "group")
    geom.priority = integer(element, "priority")
    geom.castshadow = flag(element, "castshadow")
    geom.solmix = number(element, "solmix")
    geom.solref = numbers(element, "solref")
    geom.solimp = numbers(element, "solimp")
    geom.friction = numbers(element, "friction")
    geom.margin = number(element, "margin")
    geom.gap = number(element, "gap")
    geom.surfacevel = numbers(element, "surfacevel")
    geom.adhesion = number(element, "adhesion")
    geom.rgba = numbers(element, "rgba")


def _pose_and_size(part: Geom | Site, settings: CompilerSettings) -> Pose:
    """Pose of a geom or site before its frames; end points also set the size."""
    element = part.element
    if not element.given("fromto"):
        return element_pose(element, settings)
    if part.type not in FROMTO_TYPES:
        raise element.error(
            "end points need a capsule, cylinder, ellipsoid or box",
            "fromto",
            hint='the default type is "sphere"',
        )
    if any(numbers(element, "pos")):
        raise element.error("pos and fromto exclude each other", "pos")
    ends = numbers(element, "fromto")
    start, end = vector(ends[:3]), vector(ends[3:])
    along = subtract(start, end)
    length = vector_norm(along)
    if length / 2 < MIN_NORM:
        raise element.error("the end points coincide", "fromto")
    radius = part.size[0]
    part.size = (
        (radius, length / 2, part.size[2])
        if part.type in FROMTO_TYPES[:2]
        else (radius, radius, length / 2)
    )
    middle = vector((a + b) / 2 for a, b in zip(start, end, strict=True))
    return middle, from_z_to(vector(value / length for value in along))


def _check_size(element: Element, kind: GeomType, size: Vector) -> None:
    if kind == GeomType.PLANE:
        if size[2] <= 0:
            raise element.error(
                "a plane's third size (spacing of its grid lines) must be positive", "size"
            )
        return
    for i in range(REQUIRED_SIZES.get(kind, 0)):
        if size[i] <= 0:
            raise element.error(
                f"a {kind.name.lower()} needs {REQUIRED_SIZES[kind]} positive size(s): "
                f"number {i + 1} is {size[i]:g}",
                "size",
            )


def _set_hfield_size(geom: Geom) -> None:
    """A height field brings its own size; only a geom of that type can have one."""
    if (geom.type == GeomType.HFIELD) != (geom.hfield is not None):
        message = (
            "a geom of this type needs the name of a height field"
            if geom.hfield is None
            else 'only a geom with type="hfield" can have a height field'
        )
        raise geom.element.error(message, "hfield")
    if geom.hfield is not None:
        geom.size = geom.hfield.geom_size


def _set_geom_mass(geom: Geom) -> None:
    """Mass and inertia from the given mass, or from the density."""
    element = geom.element
    shell = flag(element, "shellinertia")
    density = number(element, "density")
    kind = GeomType.BOX if geom.distance is not None else geom.type
    inside = grid_inertia(geom.distance.grid) if geom.distance and geom.distance.grid else None
    if inside is not None:
        content = inside.volume
    elif geom.mesh is not None:
        content = geom.mesh.shape.volume
    else:
        content = shape_volume(kind, geom.size, shell=shell)
    if element["mass"] is not None:
        mass = number(element, "mass")
        if mass < 0:
            raise element.error("mass cannot be negative", "mass")
        # too small to have a density: MuJoCo leaves such a geom without mass
        geom.mass = mass if content > MIN_NORM else 0.0
    else:
        if density < 0:
            raise element.error("density cannot be negative", "density")
        geom.mass = density * content
    if geom.mass and inside is not None:
        geom.inertia, geom.centre = (
            vector(geom.mass * moment for moment in inside.moments),
            inside.pose,
        )
    elif geom.mass and geom.mesh is not None:
        geom.inertia = shape_inertia(GeomType.BOX, geom.mesh.shape.box, geom.mass)
    elif geom.mass:
        geom.inertia = shape_inertia(kind, geom.size, geom.mass, shell=shell)
    if min(geom.inertia) < 0:
        raise element.error("this shape has a negative moment of inertia", "size")


def _set_fluid_coefficients(geom: Geom) -> None:
    """Set geom_fluid: coefficients of the ellipsoid model at the geom's size."""
    coefficients = numbers(geom.element, "fluidcoef")
    if min(geom.size[: REQUIRED_SIZES.get(geom.type, 3)]) <= 0:
        raise geom.element.error("an infinite plane has no equivalent ellipsoid", "fluidshape")
    geom.fluid = fluid_coefficients(geom.type, geom.size, coefficients)
