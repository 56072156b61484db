"""Deformables of the Python API: Cloth, SoftBody, CapsuleChain."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np

from cortenforge.enums import SoftType
from cortenforge.errors import SoftError
from cortenforge.soft import grid_meshes, mesh_checks
from cortenforge.soft.arguments import (
    bit_mask,
    finite_array,
    finite_number,
    integer_in_range,
    known_names_hint,
    name_string,
    optional_length,
    optional_nonnegative,
    positive_lengths,
    three_values,
)
from cortenforge.soft.material import (
    CHAINS,
    CLOTHS,
    SOFT_BODIES,
    Material,
    Preset,
    preset_of,
)
from cortenforge.soft.placement import placed_vertices
from cortenforge.soft.vertex_selection import Choice, selected_vertices
from cortenforge.suggest import Declared

#: radius of the vertices of a soft body that says nothing about it
RADIUS = 0.005


class Settings(TypedDict, total=False):
    """Keyword arguments of every deformable.

    name:        for access by name.
    material:    a `Material`, or the name of a preset.
    young, poisson, density, friction, damping: in place of the material's.
    pos, quat, euler: where it is put and how it is turned; euler in degrees about x, y and z.
    pinned:      vertices that never move; see `Deformable.pin`.
    radius:      of vertices, as spheres, towards geoms [m].
    spacing:     radius of vertices towards those of deformables [m].
    selfcollide: whether its vertices touch each other.
    contype, conaffinity: kinds of contact, as of geoms.
    solref:      how penetrations are mended: time constant and damping ratio.
    drag:        drag of the fluid on its surface.
    rgba, group: for pictures.
    """

    name: str
    material: str | Material
    young: float
    poisson: float
    density: float
    friction: float
    damping: float
    pos: Any
    quat: Any
    euler: Any
    pinned: Choice
    radius: float
    spacing: float
    selfcollide: bool
    contype: int
    conaffinity: int
    solref: Any
    drag: float
    rgba: Any
    group: int


@dataclass(frozen=True)
class Attachment:
    """Vertices that a rigid body, or a site, holds.

    pos: where, in the frame of the body or site, (n, 3); None for where they are when the model is
         compiled, or the deformable registered.
    """

    vertices: np.ndarray
    body: str = ""
    site: str = ""
    pos: np.ndarray | None = None


class Deformable(Declared):
    """What cloth, soft bodies and chains have in common.

    `vertices` are where they are after a reset, `rest` the same in the deformable's own frame.
    """

    kind: ClassVar[SoftType]
    presets: ClassVar[dict[str, Preset]]
    usual: ClassVar[str]
    rest: np.ndarray
    preset: Preset
    material: Material
    vertices: np.ndarray
    pins: np.ndarray
    attachments: list[Attachment]
    name: str
    given_radius: float
    given_spacing: float
    selfcollide: bool
    contype: int
    conaffinity: int
    group: int
    solref: np.ndarray
    drag: float
    rgba: np.ndarray

    def __init__(self, vertices: Any, settings: Settings) -> None:
        unknown = [name for name in settings if name not in Settings.__annotations__]
        if unknown:
            known = list(Settings.__annotations__)
            raise SoftError(
                f"{type(self).__name__} has no setting of this name",
                unknown[0],
                hint=known_names_hint(unknown[0], known),
            )
        self.rest = finite_array("vertices", vertices, (-1, 3))
        mesh_checks.check_extent(self.rest)
        mesh_checks.check_distinct(self.rest)
        self.preset = preset_of(settings.get("material", self.usual), self.presets)
        changed = {
            name: settings[name]
            for name in ("young", "poisson", "density", "friction", "damping")
            if settings.get(name) is not None
        }
        self.material = replace(self.preset.material, **changed)
        self.vertices = placed_vertices(
            self.rest, settings.get("pos"), settings.get("quat"), settings.get("euler")
        )
        mesh_checks.check_extent(self.vertices)
        self._set_common(settings)
        self.pins = np.zeros(0, np.int64)
        self.attachments = []

    def _set_common(self, settings: Settings) -> None:
        self.name = name_string("name", settings.get("name", ""))
        self.given_radius = optional_length("radius", settings.get("radius"))
        self.given_spacing = optional_length("spacing", settings.get("spacing"))
        self.selfcollide = bool(settings.get("selfcollide", False))
        self.contype = bit_mask("contype", settings.get("contype", 1))
        self.conaffinity = bit_mask("conaffinity", settings.get("conaffinity", 1))
        self.group = integer_in_range("group", settings.get("group", 0), 0)
        self.solref = finite_array("solref", settings.get("solref", (0.02, 1.0)), (2,))
        self.drag = finite_number("drag", settings.get("drag", 1.0))
        if self.drag < 0 or (self.solref <= 0).any():
            name = "drag" if self.drag < 0 else "solref"
            raise SoftError("expected no negative numbers", name)
        self.rgba = finite_array("rgba", settings.get("rgba", (0.8, 0.5, 0.4, 1.0)), (4,))

    @property
    def cells(self) -> np.ndarray:
        """Cells as rows of vertices: triangles, tetrahedra or segments."""
        raise NotImplementedError

    @property
    def faces(self) -> np.ndarray:
        """Triangles of the surface (n, 3), for pictures and for wind."""
        raise NotImplementedError

    def masses(self) -> np.ndarray:
        """The mass of each vertex: each cell gives its vertices equal parts [kg]."""
        cells = self.cells
        part = self.material.density * self.volumes() / cells.shape[1]
        found: np.ndarray = np.bincount(
            cells.ravel(), np.repeat(part, cells.shape[1]), len(self.rest)
        )
        return found

    def volumes(self) -> np.ndarray:
        """Volume of each cell [m^3]."""
        raise NotImplementedError

    @property
    def radius(self) -> float:
        """Radius of vertices towards geoms."""
        return self.given_radius or self._usual_radius()

    def _usual_radius(self) -> float:
        return RADIUS

    @property
    def spacing(self) -> float:
        """Radius of vertices towards those of deformables: half an edge, unless given."""
        if self.given_spacing:
            return self.given_spacing
        edges = grid_meshes.unique_edges(self.cells)
        lengths = np.linalg.norm(self.rest[edges[:, 0]] - self.rest[edges[:, 1]], axis=1)
        return 0.5 * float(lengths.mean())

    def select(self, choice: Choice) -> np.ndarray:
        """Numbers of vertices by a choice: a number, several, a mask, a box, words, or a test.

        Words are "all", "first", "last", "ends", "corners", "border" and, by lowest and highest
        coordinates in the deformable's own frame, "left", "right" (x), "front", "back" (y),
        "bottom", "top" (z). A box is two corners, also in that frame; a function is given all
        vertices (n, 3) there and gives a mask.
        """
        return selected_vertices(choice, self.rest, self._border)

    def _border(self) -> np.ndarray:
        return np.unique(self.faces) if len(self.faces) else np.array([0, len(self.rest) - 1])

    def pin(self, choice: Choice) -> Deformable:
        """Hold vertices where they are for ever; see `select`. Returns the deformable.

        choice: words such as "left", numbers, or a mask of vertices.
        """
        self.pins = np.union1d(self.pins, self.select(choice))
        return self

    def attach(
        self, choice: Choice, *, body: str = "", site: str = "", pos: Any = None
    ) -> Deformable:
        """Let a rigid body, or a site, hold vertices, both ways. Returns the deformable.

        choice: words such as "left", numbers, or a mask of vertices.
        body: its name; vertices keep the place that they have beside it when the model is
              compiled, or the deformable registered.
        site: its name; it holds one vertex, at the site.
        pos:  where, in the frame of the body or site, (3,) or (n, 3), in place of that.
        """
        vertices = self.select(choice)
        body, site = name_string("body", body), name_string("site", site)
        if bool(body) == bool(site):
            raise SoftError("expected a body or a site, one of them", "body")
        if site and pos is None:
            pos = np.zeros(3)
        if pos is not None:
            where = finite_array("pos", pos, (3,) if np.ndim(pos) == 1 else (len(vertices), 3))
            if where.ndim == 1 and len(vertices) > 1:
                raise SoftError(
                    f"{len(vertices)} vertices cannot all be at one place",
                    "site" if site else "pos",
                    hint="attach them to the body, where each keeps its place",
                )
            pos = where.reshape(-1, 3)
        self.attachments.append(Attachment(vertices, body, site, pos))
        return self

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<cortenforge.{type(self).__name__}{name}: {len(self.rest)} vertices>"


class Cloth(Deformable):
    """A thin sheet: triangles that resist strain, and bending where they meet.

    >>> flag = cf.Cloth.grid(40, 30, size=(1.2, 0.8), material="silk", pinned="left")
    """

    kind = SoftType.CLOTH
    presets = CLOTHS
    usual = "cotton"
    thickness: float
    bending: float

    def __init__(
        self,
        vertices: Any,
        faces: Any,
        *,
        thickness: float | None = None,
        bending: float | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """A cloth of vertices (n, 3) and triangles (m, 3).

        thickness: [m]; that of the preset, or 1 mm.
        bending:   stiffness in bending, as a part of that of a solid sheet.
        """
        super().__init__(vertices, settings)
        self._faces = mesh_checks.vertex_rows("faces", faces, 3, len(self.rest))
        mesh_checks.check_used(self._faces, len(self.rest), "faces")
        mesh_checks.check_triangles(self.rest, self._faces)
        mesh_checks.check_manifold(self._faces)
        self.thickness = optional_length("thickness", thickness) or self.preset.thickness or 1e-3
        self.bending = optional_nonnegative("bending", bending, self.preset.bending)
        _pin(self, settings)

    @classmethod
    def grid(
        cls,
        nx: int,
        ny: int,
        size: Any = (1.0, 1.0),
        *,
        thickness: float | None = None,
        bending: float | None = None,
        **settings: Unpack[Settings],
    ) -> Cloth:
        """A rectangle about the origin in the xy plane, of nx by ny vertices.

        size:      lengths of its sides [m].
        thickness: of the sheet [m]; by default that of the material's preset.
        bending:   stiffness against bending, as a fraction of that of a solid sheet.
        settings:  material, place and contacts, as for all deformables.
        """
        counts = (integer_in_range("nx", nx, 2), integer_in_range("ny", ny, 2))
        mesh_checks.check_count("nx", counts[0] * counts[1])
        vertices, faces = grid_meshes.triangle_grid(*counts, positive_lengths("size", size, 2))
        return cls(vertices, faces, thickness=thickness, bending=bending, **settings)

    @classmethod
    def from_mesh(
        cls,
        mesh: Any,
        *,
        scale: Any = 1.0,
        thickness: float | None = None,
        bending: float | None = None,
        **settings: Unpack[Settings],
    ) -> Cloth:
        """A cloth of a surface: a trimesh, (vertices, faces), an STL, OBJ, PLY, OFF or GLB file.

        mesh:      the surface.
        scale:     factor of its coordinates, one or three numbers.
        thickness, bending, settings: as for `grid`.
        """
        from cortenforge.soft.surface import surface_of

        vertices, faces = surface_of(mesh, scale)
        return cls(vertices, faces, thickness=thickness, bending=bending, **settings)

    @property
    def cells(self) -> np.ndarray:
        return self._faces

    @property
    def faces(self) -> np.ndarray:
        return self._faces

    def areas(self) -> np.ndarray:
        """Area of each triangle at rest [m^2]."""
        a, b, c = (self.rest[self._faces[:, i]] for i in range(3))
        found: np.ndarray = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
        return found

    def volumes(self) -> np.ndarray:
        return self.areas() * self.thickness

    def _usual_radius(self) -> float:
        return 0.5 * self.thickness

    def _border(self) -> np.ndarray:
        edges = np.sort(self._faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        found, count = np.unique(edges, axis=0, return_counts=True)
        return np.unique(found[count == 1])


class SoftBody(Deformable):
    """A solid of tetrahedra.

    >>> ball = cf.SoftBody.ball(0.1, cell=0.03, material="gelatin", pos=(0, 0, 1))
    """

    kind = SoftType.SOFTBODY
    presets = SOFT_BODIES
    usual = "rubber"
    tets: np.ndarray
    model: str

    def __init__(
        self, vertices: Any, tets: Any, *, model: str = "solid", **settings: Unpack[Settings]
    ) -> None:
        """A soft body of vertices (n, 3) and tetrahedra (m, 4); those inside out are turned.

        model: "solid" for a neo-Hookean material; "edges" for edges that resist stretching and
               tetrahedra that resist changes of volume, for materials with poisson >= 0.25.
        """
        super().__init__(vertices, settings)
        found = mesh_checks.vertex_rows("tets", tets, 4, len(self.rest))
        mesh_checks.check_used(found, len(self.rest), "tets")
        self.tets = mesh_checks.positively_oriented(self.rest, found)
        if model not in ("solid", "edges"):
            raise SoftError(f"expected 'solid' or 'edges', got {model!r}", "model")
        if model == "edges" and self.material.poisson < 0.25:
            raise SoftError(
                f"edges and volumes make materials with poisson >= 0.25, "
                f"got {self.material.poisson:g}",
                "poisson",
                hint='model="solid" has no such limit',
            )
        self.model = model
        _pin(self, settings)

    @classmethod
    def box(
        cls,
        count: Any = 4,
        size: Any = (0.2, 0.2, 0.2),
        *,
        model: str = "solid",
        **settings: Unpack[Settings],
    ) -> SoftBody:
        """A box about the origin. count: cells along x, y and z, or one number for all.

        size:     lengths of its sides [m].
        model:    "solid", or "edges" for lengths of edges and volumes.
        settings: material, place and contacts, as for all deformables.
        """
        counts = np.array([integer_in_range("count", n, 1) for n in three_values("count", count)])
        mesh_checks.check_count("count", math.prod(n + 1 for n in counts.tolist()))
        vertices, tets = grid_meshes.tetrahedron_grid(counts, positive_lengths("size", size, 3))
        return cls(vertices, tets, model=model, **settings)

    @classmethod
    def ball(
        cls,
        size: Any = 0.1,
        cell: float | None = None,
        *,
        model: str = "solid",
        **settings: Unpack[Settings],
    ) -> SoftBody:
        """A ball about the origin; with three radii an ellipsoid. cell: edge of its lattice.

        size, model, settings: as for `box`; `size` may be one number.
        """
        from cortenforge.soft.isosurface_stuffing import fill_ball

        vertices, tets = fill_ball(positive_lengths("size", size, 3), optional_length("cell", cell))
        return cls(vertices, tets, model=model, **settings)

    @classmethod
    def from_mesh(
        cls,
        mesh: Any,
        *,
        cell: float | None = None,
        scale: Any = 1.0,
        model: str = "solid",
        **settings: Unpack[Settings],
    ) -> SoftBody:
        """A closed surface filled with tetrahedra: a trimesh, (vertices, faces), or a file.

        mesh:  the surface.  scale: factor of its coordinates.  model, settings: as for `box`.
        cell: edge of the lattice that fills it; a tenth of its longest side if not given.
        """
        from cortenforge.soft.isosurface_stuffing import fill_surface
        from cortenforge.soft.surface import surface_of

        vertices, tets = fill_surface(*surface_of(mesh, scale), optional_length("cell", cell))
        return cls(vertices, tets, model=model, **settings)

    @property
    def cells(self) -> np.ndarray:
        return self.tets

    @property
    def faces(self) -> np.ndarray:
        return grid_meshes.boundary_triangles(self.tets)

    def volumes(self) -> np.ndarray:
        corners = self.rest[self.tets]
        found: np.ndarray = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
        return found


class CapsuleChain(Deformable):
    """A rope: segments that resist stretching, bending and twisting.

    >>> rope = cf.CapsuleChain.line((0, 0, 1), (1, 0, 1), 40, material="rope", pinned="first")
    """

    kind = SoftType.CHAIN
    presets = CHAINS
    usual = "rope"
    bending: float

    def __init__(
        self,
        vertices: Any,
        *,
        bending: float | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """A chain through points (n, 3), at rest as they are.

        bending: stiffness in bending and twisting, as a part of that of a solid rod.
        """
        super().__init__(vertices, settings)
        if len(self.rest) < 2:
            raise SoftError("a chain has at least two vertices", "vertices")
        self.bending = optional_nonnegative("bending", bending, self.preset.bending)
        _pin(self, settings)

    @classmethod
    def line(
        cls,
        start: Any,
        end: Any,
        segments: int,
        *,
        bending: float | None = None,
        **settings: Unpack[Settings],
    ) -> CapsuleChain:
        """A straight chain of equal segments between two points.

        start, end: points (3,) [m].
        bending:    stiffness against bending, as a fraction of that of a solid rod.
        settings:   material, place and contacts, as for all deformables.
        """
        count = integer_in_range("segments", segments, 1)
        mesh_checks.check_count("segments", count + 1)
        first, last = finite_array("start", start, (3,)), finite_array("end", end, (3,))
        if np.array_equal(first, last):
            raise SoftError("start and end are the same point", "end")
        points = first + np.linspace(0, 1, count + 1)[:, None] * (last - first)
        return cls(points, bending=bending, **settings)

    @property
    def cells(self) -> np.ndarray:
        numbers = np.arange(len(self.rest) - 1)
        return np.stack([numbers, numbers + 1], axis=1)

    @property
    def faces(self) -> np.ndarray:
        return np.zeros((0, 3), np.int64)

    def lengths(self) -> np.ndarray:
        """Length of each segment at rest [m]."""
        found: np.ndarray = np.linalg.norm(np.diff(self.rest, axis=0), axis=1)
        return found

    def volumes(self) -> np.ndarray:
        return self.lengths() * np.pi * self.radius**2

    def _usual_radius(self) -> float:
        return self.preset.radius or RADIUS


def _pin(body: Deformable, settings: Settings) -> None:
    if settings.get("pinned") is not None:
        body.pin(settings["pinned"])
