"""Mesh assets: read, checked, centred on their principal axes, and laid out as arrays."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.attribute import flag, integer, keyword, listed, numbers
from cortenforge.compile.mesh_builtin import builtin_mesh
from cortenforge.compile.mesh_clean import (
    check_mesh,
    check_winding,
    mirrored,
    place,
    turned_rows,
    vertex_normals,
)
from cortenforge.compile.mesh_files import MeshError, RawMesh, decode
from cortenforge.compile.mesh_hull import Hull, convex_hull, extreme_vertices, polygon_normals
from cortenforge.compile.mesh_inertia import measure, signed_volume
from cortenforge.compile.records import Body, Geom, Site
from cortenforge.compile.rotation import UNIT, ZERO, Quaternion, Vector, conjugate, matrix
from cortenforge.enums import GeomType
from cortenforge.errors import MjcfError, MjcfWarning
from cortenforge.spec import Element, Spec

# a closed mesh that fills less of its hull than this is worth a warning
CONCAVE = 0.5
ONES = (1.0, 1.0, 1.0)


@dataclass(eq=False)
class Mesh:
    """One mesh, centred and turned; `pos` and `quat` say where it was."""

    element: Element
    name: str
    id: int = -1
    collides: bool = False
    raw: RawMesh = field(default_factory=RawMesh)
    vert: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    hull: Hull | None = None
    polynormal: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    scale: Vector = ONES
    pos: Vector = ZERO
    quat: Quaternion = UNIT
    box: Vector = ZERO  # half-sizes of the box of the same inertia
    volume: float = 0.0
    low: Vector = ZERO
    high: Vector = ZERO
    fill: float = 1.0  # how much of the hull a closed mesh fills

    @property
    def reach(self) -> Vector:
        """Half-sizes of the smallest box about the origin that holds the mesh."""
        x, y, z = (max(abs(a), abs(b)) for a, b in zip(self.low, self.high, strict=True))
        return (x, y, z)


def compile_meshes(spec: Spec, bodies: Iterable[Body]) -> list[Mesh]:
    """All meshes of a model; geoms and sites that name one get it."""
    meshes: dict[str, Mesh] = {}
    for element in spec.meshes:
        name = mesh_name(element)
        if not name:
            raise element.error("a mesh without a file needs a name", "name")
        if name in meshes:
            first = meshes[name].element.where
            raise element.error(f"another mesh has the name '{name}' already, at {first}", "name")
        meshes[name] = Mesh(element, name, len(meshes))
    paired = _paired_geoms(spec)
    for body in bodies:
        for geom in body.geoms:
            _refer(geom, meshes)
            if geom.mesh is not None and keyword(geom.element, "type", "sphere") == "mesh":
                bits = integer(geom.element, "contype", 1) | integer(geom.element, "conaffinity", 1)
                geom.mesh.collides |= bool(bits) or geom.name in paired
        for site in body.sites:
            _refer(site, meshes)
    for mesh in meshes.values():
        _compile(mesh, spec)
    _warn_concave(meshes.values())
    return list(meshes.values())


def mesh_name(element: Element) -> str:
    """The mesh's name, or else its file's without folder and ending."""
    file = element["file"]
    if element.name or not isinstance(file, str):
        return element.name
    return os.path.splitext(os.path.basename(file.replace("\\", "/")))[0]


def _paired_geoms(spec: Spec) -> set[str]:
    """Names of geoms that collide because a contact pair says so."""
    pairs = [one for one in spec.contacts if one.tag == "pair"]
    return {str(pair[name]) for pair in pairs for name in ("geom1", "geom2")} - {"", "None"}


def _refer(part: Geom | Site, meshes: dict[str, Mesh]) -> None:
    name = part.element["mesh"]
    if not isinstance(name, str) or not name:
        return
    if name not in meshes:
        raise part.element.error("there is no mesh of this name", "mesh")
    part.mesh = meshes[name]


def _compile(mesh: Mesh, spec: Spec) -> None:
    """Everything about one mesh; what is wrong with it is said with its name and file."""
    element = mesh.element
    file = element["file"]
    try:
        raw = _given(element, spec)
        _process(mesh, raw, "shell" if raw.flat else keyword(element, "inertia", "legacy"))
    except MeshError as problem:
        attribute = next((one for one in ("file", "builtin") if element[one]), "vertex")
        about = f"mesh '{mesh.name}'" + (f" in '{file}'" if file else "")
        got = None if attribute == "vertex" else str(element[attribute])
        raise MjcfError(
            f"{about}: {problem}", element.where, attribute=attribute, got=got
        ) from None


def _given(element: Element, spec: Spec) -> RawMesh:
    """The mesh as its file, its attributes or its parameters give it."""
    inline = RawMesh(
        _table(element, "vertex", 3),
        _table(element, "normal", 3),
        _table(element, "texcoord", 2),
        _table(element, "face", 3).astype(np.int32),
    )
    most = integer(element, "maxhullvert", -1)
    if most != -1 and most < 4:
        raise element.error("a hull has at least 4 vertices; -1 means no limit", "maxhullvert")
    if element["builtin"]:
        for name in ("file", "vertex", "face", "normal"):
            if element.given(name):
                raise element.error("a builtin mesh already has these", name)
        made = builtin_mesh(str(element["builtin"]), listed(element, "params"))
        made.texcoord = inline.texcoord
        return made
    if element.given("params"):
        raise element.error("parameters belong to a builtin mesh", "params")
    return _with_file(element, inline, spec) if element["file"] else inline


def _table(element: Element, name: str, width: int) -> np.ndarray:
    values = listed(element, name)
    if len(values) % width:
        raise element.error(f"expected a multiple of {width} numbers, not {len(values)}", name)
    return (
        np.array(values, np.float64)
        .astype(np.float32 if name != "face" else np.int64)
        .reshape(-1, width)
    )


def _with_file(element: Element, inline: RawMesh, spec: Spec) -> RawMesh:
    """The file's mesh, with what only the attributes give."""
    name = str(element["file"]).replace("\\", "/")
    if spec.compiler["strippath"]:
        name = os.path.basename(name)
    folder = spec.compiler["meshdir"] or spec.compiler["assetdir"] or ""
    library = spec.library
    if library is None:
        raise element.error("this description has no folder to read files from", "file")
    source = library.asset(library.locate(str(folder), name, element.where), element.where)
    raw = decode(source.data, name, str(element["content_type"] or ""))
    for part, attribute in (
        ("normal", "normal"),
        ("texcoord", "texcoord"),
        ("face", "face"),
        ("vert", "vertex"),
    ):
        if len(getattr(inline, part)):
            if len(getattr(raw, part)):
                raise element.error("the file already has these", attribute)
            setattr(raw, part, getattr(inline, part))
    return raw


def _process(mesh: Mesh, raw: RawMesh, inertia: str) -> None:
    """Hull, normals, placing, inertia, frame; in MuJoCo's order."""
    element = mesh.element
    check_mesh(raw)
    vert = raw.vert.astype(np.float64)
    if inertia == "exact":
        check_winding(raw.face, vert)
    if mesh.collides or inertia == "convex" or not len(raw.face):
        mesh.hull = convex_hull(vert, integer(element, "maxhullvert", -1))
    if not len(raw.face) and mesh.hull is not None:
        raw.face = mesh.hull.face.astype(np.int32)
    _fill_in(raw, vert, smooth=flag(element, "smoothnormal"))
    if mesh.collides and mesh.hull is not None:
        mesh.fill = _fill(raw.face, mesh.hull.face, vert)
    mesh.scale = numbers(element, "scale", ONES)
    if np.prod(mesh.scale) <= 0:
        raw.face, raw.facenormal = mirrored(raw.face), mirrored(raw.facenormal)
        raw.facetexcoord = mirrored(raw.facetexcoord)
        mesh.hull = mesh.hull and mesh.hull.mirrored()
    refpos, refquat = numbers(element, "refpos", ZERO), numbers(element, "refquat", UNIT)
    vert, normal = place(vert, raw.normal, refpos, refquat, mesh.scale)
    solid = mesh.hull.face if inertia == "convex" and mesh.hull is not None else raw.face
    measured = measure(vert, raw.face, solid, inertia)
    mesh.volume, mesh.box = measured.volume, measured.box
    mesh.pos, mesh.quat = measured.centre, measured.quat
    turn = np.array(matrix(conjugate(mesh.quat))).reshape(3, 3)
    vert = turned_rows(vert - np.array(mesh.pos), turn)
    raw.normal = turned_rows(normal.astype(float), turn).astype(np.float32)
    mesh.low, mesh.high = tuple(vert.min(axis=0).tolist()), tuple(vert.max(axis=0).tolist())
    if mesh.hull is not None:
        mesh.polynormal = polygon_normals(mesh.hull.polygons, vert)
    mesh.raw, mesh.vert = raw, vert.astype(np.float32)


def _fill_in(raw: RawMesh, vert: np.ndarray, *, smooth: bool) -> None:
    """Normals and indices that are not given."""
    if not len(raw.normal):
        raw.normal = vertex_normals(raw.face, vert, smooth=smooth)
        raw.facenormal = raw.face
    if not len(raw.facenormal):
        raw.facenormal = (len(raw.normal) // len(vert)) * raw.face
    if raw.facenormal.max() >= len(raw.normal):
        raise MeshError(f"{len(raw.normal)} normals for {len(vert)} vertices")
    if not len(raw.facetexcoord):
        raw.facetexcoord = raw.face if len(raw.texcoord) else np.zeros_like(raw.face)
        if len(raw.texcoord) and raw.facetexcoord.max() >= len(raw.texcoord):
            raise MeshError(f"{len(raw.texcoord)} texture coordinates for {len(vert)} vertices")


def _fill(face: np.ndarray, hull: np.ndarray, vert: np.ndarray) -> float:
    """How much of its hull a closed mesh fills; 1 if it is not closed."""
    a, b = face.astype(np.int64), len(vert)
    there = np.concatenate([a[:, i] * b + a[:, (i + 1) % 3] for i in range(3)])
    back = np.concatenate([a[:, (i + 1) % 3] * b + a[:, i] for i in range(3)])
    if not np.array_equal(np.sort(there), np.sort(back)):
        return 1.0
    own, around = signed_volume(face, vert), signed_volume(hull, vert)
    return own / around if own > 0 and around > 0 else 1.0


def _warn_concave(meshes: Iterable[Mesh]) -> None:
    """One warning for all meshes whose hull is much larger than they are."""
    hollow = sorted((mesh for mesh in meshes if mesh.fill < CONCAVE), key=lambda mesh: mesh.fill)
    if not hollow:
        return
    shown = ", ".join(f"'{mesh.name}' ({1 / mesh.fill:.1f} times)" for mesh in hollow[:5])
    more = f" and {len(hollow) - 5} more" if len(hollow) > 5 else ""
    warnings.warn(
        f"{hollow[0].element.where}: meshes collide as their convex hulls, which are much larger "
        f"than these meshes: {shown}{more}; split them into convex parts if their hollows matter",
        MjcfWarning,
        stacklevel=2,
    )


def kept_meshes(meshes: list[Mesh], bodies: Iterable[Body], named: set[str]) -> list[Mesh]:
    """Meshes that are left when those of dropped geoms go, numbered again; named ones stay."""
    bodies = list(bodies)
    used = {part.mesh for body in bodies for part in (*body.geoms, *body.sites)}
    used |= {geom.fitted for body in bodies for geom in body.geoms}
    kept = [mesh for mesh in meshes if mesh in used or mesh.name in named]
    for number, mesh in enumerate(kept):
        mesh.id = number
    return kept


def site_size(site: Site) -> Vector:
    """Size of a site, from its mesh if it has one."""
    if (site.type == GeomType.MESH) != (site.mesh is not None):
        if site.mesh is None:
            raise site.element.error("a site of type mesh needs a mesh", "mesh")
        raise site.element.error("only a site of type mesh can have a mesh", "mesh")
    return site.size if site.mesh is None else site.mesh.reach


def mesh_arrays(meshes: list[Mesh]) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Arrays of meshes, one behind the other, and their sizes."""
    arrays: dict[str, np.ndarray] = {}
    for name, width, dtype in (
        ("vert", 3, np.float32),
        ("normal", 3, np.float32),
        ("texcoord", 2, np.float32),
        ("face", 3, np.int32),
    ):
        parts = [mesh.vert if name == "vert" else getattr(mesh.raw, name) for mesh in meshes]
        adr, num = _ranges([len(part) for part in parts])
        arrays[f"mesh_{name}"] = _stacked(parts, width, dtype)
        arrays[f"mesh_{name}adr"] = np.where(num > 0, adr, -1) if name == "texcoord" else adr
        arrays[f"mesh_{name}num"] = num
    for name in ("facenormal", "facetexcoord"):
        arrays[f"mesh_{name}"] = _stacked([getattr(m.raw, name) for m in meshes], 3, np.int32)
    arrays |= _hull_arrays(meshes)
    for name, width in (("scale", 3), ("pos", 3), ("quat", 4)):
        rows = [getattr(mesh, name) for mesh in meshes]
        arrays[f"mesh_{name}"] = np.array(rows, np.float64).reshape(-1, width)
    arrays["mesh_octadr"] = np.full(len(meshes), -1)
    arrays["mesh_octnum"] = np.zeros(len(meshes))
    sizes = {
        "nmesh": len(meshes),
        "nmeshdegmax": int(arrays["mesh_polymapnum"].max(initial=0)),
    }
    for name in ("vert", "normal", "texcoord", "face", "graph", "polyvert", "polymap"):
        sizes[f"nmesh{name}"] = len(arrays[f"mesh_{name}"])
    sizes["nmeshpoly"] = len(arrays["mesh_polynormal"])
    for name, array in arrays.items():
        if array.dtype.kind == "i" or name.startswith("mesh_oct"):
            arrays[name] = array.astype(np.int32)
    return arrays, sizes


def _hull_arrays(meshes: list[Mesh]) -> dict[str, np.ndarray]:
    """Graphs, polygons and extreme vertices."""
    hulls = [mesh.hull for mesh in meshes]
    graphs = [np.zeros(0, np.int32) if hull is None else hull.graph for hull in hulls]
    graphadr, graphnum = _ranges([len(graph) for graph in graphs])
    polygons = [[] if hull is None else hull.polygons for hull in hulls]
    polyadr, polynum = _ranges([len(some) for some in polygons])
    flat = [polygon for some in polygons for polygon in some]
    polyvertadr, polyvertnum = _ranges([len(polygon) for polygon in flat])
    maps = [_polygon_map(p, len(m.vert)) for p, m in zip(polygons, meshes, strict=True)]
    polymapadr, polymapnum = _ranges(
        np.concatenate([counts for _, counts in maps]).tolist() if maps else []
    )
    extrema = [
        np.zeros(27, np.int32) if mesh.hull is None else extreme_vertices(mesh.hull, mesh.vert)
        for mesh in meshes
    ]
    return {
        "mesh_graph": _joined(graphs),
        "mesh_graphadr": np.where(graphnum > 0, graphadr, -1),
        "mesh_polyadr": polyadr,
        "mesh_polynum": polynum,
        "mesh_polynormal": _stacked([mesh.polynormal for mesh in meshes], 3, np.float64),
        "mesh_polyvert": _joined(flat),
        "mesh_polyvertadr": polyvertadr,
        "mesh_polyvertnum": polyvertnum,
        "mesh_polymap": _joined([members for members, _ in maps]),
        "mesh_polymapadr": polymapadr,
        "mesh_polymapnum": polymapnum,
        "mesh_extrema": np.array(extrema, np.int32).reshape(-1, 27),
    }


def _polygon_map(polygons: list[np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Polygons at each vertex, vertex by vertex, and how many there are."""
    if not polygons:
        return np.zeros(0, np.int32), np.zeros(count, np.int64)
    vertex = np.concatenate(polygons)
    owner = np.repeat(np.arange(len(polygons)), [len(polygon) for polygon in polygons])
    return owner[np.argsort(vertex, kind="stable")], np.bincount(vertex, minlength=count)


def _ranges(counts: list[int]) -> tuple[np.ndarray, np.ndarray]:
    num = np.array(counts, np.int32)
    return (np.cumsum(num) - num).astype(np.int32), num


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, np.int32), *parts]).astype(np.int32)


def _stacked(parts: list[np.ndarray], width: int, dtype: type) -> np.ndarray:
    return np.concatenate([np.zeros((0, width), dtype), *parts]).astype(dtype)
