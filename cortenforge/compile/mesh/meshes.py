"""Mesh assets: their sources, which geoms and sites use them, errors and warnings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.compile.mesh.builtin_meshes import builtin_mesh
from cortenforge.compile.mesh.cache import find_kept, keep_meshes, mesh_key
from cortenforge.compile.mesh.files import decode, file_type
from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh
from cortenforge.compile.mesh.sdf_shapes import (
    DistanceShape,
    distance_shape_mesh,
    distance_shape_of,
)
from cortenforge.compile.mesh.shape import Request, Shape, add_octree, build_shape
from cortenforge.compile.records import Body, Geom, Site
from cortenforge.enums import GeomType
from cortenforge.errors import MjcfError
from cortenforge.kernel.load.cores import usable_cores
from cortenforge.problems import each_valid, give_warning, raise_or_gather
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import (
    flag,
    integer,
    keyword,
    number_list,
    numbers,
    unknown_reference,
    vector3,
)
from cortenforge.spec.references import element_name
from cortenforge.spec.rotation import Vector, quaternion

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

# a closed mesh that fills less of its hull than this is worth a warning
CONCAVE = 0.5
# vertices and triangles of all builtin meshes of a model: a few letters ask for many
MOST_MADE = 300_000
# cells of all octrees of a model
MOST_CELLS = 400_000


@dataclass(eq=False)
class Mesh:
    """One mesh of a model."""

    element: Element
    name: str
    id: int = -1
    collides: bool = False
    marked: bool = False  # a site has its shape, and sensors test for points inside
    sdf: bool = False
    as_hull: bool = False  # it collides as its hull, not as a signed distance field
    shape: Shape = field(default_factory=Shape)
    distance: DistanceShape = field(default_factory=DistanceShape)

    @property
    def scale(self) -> Vector:
        """Factors along the axes of its file."""
        return vector3(self.element, "scale")

    @property
    def reach(self) -> Vector:
        """Half sizes of the smallest box about the origin that contains the mesh."""
        low, high = self.shape.low, self.shape.high
        x, y, z = (max(abs(a), abs(b)) for a, b in zip(low, high, strict=True))
        return (x, y, z)


@dataclass(frozen=True)
class Source:
    """What a mesh is made from: inline numbers, and a file (`digest`: its hash) or builtin kind."""

    inline: RawMesh = field(default_factory=RawMesh)
    kind: str = ""
    data: bytes = b""
    digest: str = ""
    builtin: str = ""
    params: tuple[float, ...] = ()
    distance: DistanceShape = field(default_factory=DistanceShape)

    def parts(self) -> list[bytes | np.ndarray | str]:
        """Everything that identifies a mesh, for the cache."""
        given = self.inline
        arrays = [given.vert, given.normal, given.texcoord, given.face]
        made = f"{self.builtin} {self.params} {self.distance.kind} {self.distance.params}"
        return [self.kind, self.digest, made, *arrays]


@dataclass
class Work:
    """Shapes that are not in the cache, those that threads build, and totals that are limited."""

    fresh: dict[str, Shape] = field(default_factory=dict)
    pending: dict[str, Future[Shape]] = field(default_factory=dict)
    made: int = 0
    cells: int = 0

    def count(self, mesh: Mesh) -> None:
        """Add a builtin mesh to the total; raise an error if it is too large."""
        self.made += len(mesh.shape.arrays.get("vert", ())) + len(mesh.shape.arrays.get("face", ()))
        if self.made > MOST_MADE:
            raise mesh.element.error(
                f"builtin meshes of more than {MOST_MADE:,} vertices and triangles together",
                "params",
                hint="a coarser mesh, or the mesh in a file",
            )


def compile_meshes(spec: Spec, bodies: Iterable[Body]) -> list[Mesh]:
    """All meshes of a model; geoms and sites that name one get it."""
    meshes: dict[str, Mesh] = {}
    for element in spec.meshes:
        name = element_name(element)
        if not name:
            raise_or_gather(element.error("a mesh without a file needs a name", "name"))
        if name in meshes:
            first = meshes[name].element.where
            raise_or_gather(
                element.error(f"another mesh has the name '{name}' already, at {first}", "name")
            )
        meshes[name] = Mesh(element, name, len(meshes), distance=distance_shape_of(element))
    paired = _paired_geoms(spec)
    for body in bodies:
        for geom in body.geoms:
            _refer(geom, meshes)
            kind = keyword(geom.element, "type")
            if geom.mesh is not None and kind in ("mesh", "sdf"):
                bits = integer(geom.element, "contype") | integer(geom.element, "conaffinity")
                solid = bool(bits) or geom.name in paired
                geom.mesh.collides |= solid
                geom.mesh.as_hull |= solid and kind == "mesh"
                geom.mesh.sdf |= kind == "sdf" and not geom.element["sdf"]
        for site in body.sites:
            _refer(site, meshes)
            if site.mesh is not None:
                site.mesh.marked = True
    work = Work()
    with _build_threads(len(meshes)) as pool:
        started = [_start(mesh, spec, work, pool) for mesh in meshes.values()]
        sound = each_valid(_finish, started, work)
        each_valid(_add_octree, [mesh for mesh in sound if mesh.sdf], work)
        partial = {
            id(mesh.shape) for mesh in sound if mesh.sdf and "oct_depth" not in mesh.shape.arrays
        }
        whole = [shape for shape in work.fresh.values() if id(shape) not in partial]
        keep_meshes(whole, map if pool is None else pool.map)
    _warn_concave(sound)
    return sound


def _paired_geoms(spec: Spec) -> set[str]:
    """Names of geoms in explicit contact pairs."""
    pairs = [one for one in spec.contacts if one.tag == "pair"]
    return {str(pair[name]) for pair in pairs for name in ("geom1", "geom2")} - {"", "None"}


def _refer(part: Geom | Site, meshes: dict[str, Mesh]) -> None:
    name = part.element["mesh"]
    if not isinstance(name, str) or not name:
        return
    if name not in meshes:
        raise_or_gather(unknown_reference(part.element, "mesh", "mesh", meshes))
    part.mesh = meshes.get(name)


@dataclass
class Started:
    """A mesh whose source is known, or what is wrong with it; `key` is that of the cache."""

    made: Mesh
    source: Source = field(default_factory=Source)
    request: Request = field(default_factory=Request)
    key: str = ""
    problem: MjcfError | MeshError | None = None

    @property
    def element(self) -> Element:
        """The element of the mesh, for errors."""
        return self.made.element


@contextmanager
def _build_threads(count: int) -> Iterator[ThreadPoolExecutor | None]:
    """Threads that build so many meshes; None if one thread does."""
    threads = min(count, usable_cores())
    if threads < 2:
        yield None
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads, "meshes")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _start(mesh: Mesh, spec: Spec, work: Work, pool: ThreadPoolExecutor | None) -> Started:
    """Read the source of a mesh, and let a thread build it if it is a file without an entry."""
    started = Started(mesh)
    try:
        source = started.source = _source(mesh.element, spec)
        request = started.request = _request(mesh)
        key = started.key = mesh_key((*source.parts(), repr(request)))
        if key not in work.pending and find_kept(key) is None and pool is not None and source.kind:
            # a context for each: settings of NumPy are part of it
            run = copy_context().run
            work.pending[key] = pool.submit(run, _build, mesh.element, source, request)
    except (MjcfError, MeshError) as problem:
        started.problem = problem
    return started


def _build(element: Element, source: Source, request: Request) -> Shape:
    return build_shape(_given(element, source), request)


def _finish(started: Started, work: Work) -> Mesh:
    """A mesh built but for its octree; errors get its name and file."""
    mesh, element, source, key = started.made, started.element, started.source, started.key
    file = element["file"]
    try:
        if started.problem is not None:
            raise started.problem
        if source.builtin:
            # refuse before building, if the limit is reached already
            work.count(mesh)
        found = work.fresh.get(key) or find_kept(key)
        if found is None and key in work.pending:
            found = work.fresh[key] = work.pending[key].result()
        elif found is None:
            found = work.fresh[key] = _build(element, source, started.request)
        found.key = key
        mesh.shape = found
        if source.builtin:
            work.count(mesh)
    except MeshError as problem:
        attribute = next((one for one in ("file", "builtin") if element[one]), "vertex")
        about = f"mesh '{mesh.name}'" + (f" in '{file}'" if file else "")
        got = None if attribute == "vertex" else str(element[attribute])
        raise MjcfError(
            f"{about}: {problem}", element.where, attribute=attribute, got=got, hint=problem.hint
        ) from None
    return mesh


def _add_octree(mesh: Mesh, work: Work) -> None:
    """Build an octree if it is not in the cache; raise an error if the total is too large."""
    arrays = mesh.shape.arrays
    if work.cells <= MOST_CELLS and "oct_depth" not in arrays:
        add_octree(mesh.shape)
    work.cells += len(arrays.get("oct_depth", ()))
    if work.cells > MOST_CELLS:
        raise mesh.element.error(
            f"octrees of signed distance fields of more than {MOST_CELLS:,} cells together",
            hint='geoms of type="mesh" need no octree',
        )


def _request(mesh: Mesh) -> Request:
    element = mesh.element
    return Request(
        mesh.scale,
        vector3(element, "refpos"),
        quaternion(numbers(element, "refquat")),
        keyword(element, "inertia"),
        integer(element, "maxhullvert"),
        flag(element, "smoothnormal"),
        mesh.collides,
        mesh.marked,
        mesh.sdf,
    )


def _source(element: Element, spec: Spec) -> Source:
    """The source of a mesh, not yet decoded."""
    most = integer(element, "maxhullvert")
    if most != -1 and most < 4:
        raise element.error("a hull has at least 4 vertices; -1 means no limit", "maxhullvert")
    inline = RawMesh(
        _table(element, "vertex", 3),
        _table(element, "normal", 3),
        _table(element, "texcoord", 2),
        _table(element, "face", 3).astype(np.int32),
    )
    builtin, params = keyword(element, "builtin"), number_list(element, "params")
    if builtin:
        for name in ("file", "vertex", "face", "normal"):
            if element.given(name):
                raise element.error("a builtin mesh already has these", name)
    elif element.given("params"):
        raise element.error("parameters belong to a builtin mesh", "params")
    distance = distance_shape_of(element)
    if distance.kind:
        _check_distance_mesh(element)
        return Source(inline, distance=distance)
    if not element["file"]:
        return Source(inline, builtin=builtin, params=params)
    name = str(element["file"]).replace("\\", "/")
    if spec.compiler["strippath"]:
        name = os.path.basename(name)
    origin = spec.origin_of(element)
    folder = origin.compiler["meshdir"] or origin.compiler["assetdir"] or ""
    library = origin.library
    if library is None:
        raise element.error("this description has no folder to read files from", "file")
    file = library.asset(library.locate(str(folder), name, element.where), element.where)
    kind = file_type(name, keyword(element, "content_type"))
    return Source(inline, kind, file.data, file.digest)


def _check_distance_mesh(element: Element) -> None:
    """Raise an error if a distance function's mesh has other data or a frame."""
    for name in ("file", "vertex", "face", "normal", "texcoord", "builtin"):
        if element.given(name):
            raise element.error("a signed distance function already has a surface", name)
    for name in ("scale", "refpos", "refquat"):
        if tuple(numbers(element, name)) not in ((1, 1, 1), (0, 0, 0), (1, 0, 0, 0)):
            raise element.error("a signed distance function cannot be scaled or moved", name)


def _given(element: Element, source: Source) -> RawMesh:
    """The mesh as its file, its attributes or its parameters define it."""
    if source.distance.kind:
        return distance_shape_mesh(source.distance)
    if source.builtin:
        made = builtin_mesh(source.builtin, source.params)
        made.texcoord = source.inline.texcoord
        return made
    if not source.kind:
        return source.inline
    raw = decode(source.data, source.kind)
    for part, attribute in (
        ("normal", "normal"),
        ("texcoord", "texcoord"),
        ("face", "face"),
        ("vert", "vertex"),
    ):
        if len(getattr(source.inline, part)):
            if len(getattr(raw, part)):
                raise element.error("the file already has these", attribute)
            setattr(raw, part, getattr(source.inline, part))
    return raw


def _table(element: Element, name: str, width: int) -> np.ndarray:
    values = number_list(element, name)
    if len(values) % width:
        raise element.error(f"expected a multiple of {width} numbers, not {len(values)}", name)
    return (
        np.array(values, np.float64)
        .astype(np.float32 if name != "face" else np.int64)
        .reshape(-1, width)
    )


def _warn_concave(meshes: Iterable[Mesh]) -> None:
    """One warning for all meshes whose convex hull is much larger than they are."""
    hollow = sorted(
        (mesh for mesh in meshes if mesh.as_hull and mesh.shape.fill < CONCAVE),
        key=lambda mesh: mesh.shape.fill,
    )
    if not hollow:
        return
    shown = ", ".join(f"'{mesh.name}' ({1 / mesh.shape.fill:.1f} times)" for mesh in hollow[:5])
    more = f" and {len(hollow) - 5} more" if len(hollow) > 5 else ""
    give_warning(
        f"{hollow[0].element.where}: meshes collide as their convex hulls, which are much larger "
        f"than these meshes: {shown}{more}; split them into convex parts if their hollows matter",
    )


def kept_meshes(meshes: list[Mesh], bodies: Iterable[Body], named: set[str]) -> list[Mesh]:
    """Meshes that are left when those of dropped geoms go, numbered again; named ones stay."""
    bodies = list(bodies)
    used = {part.mesh for body in bodies for part in body.shapes}
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
