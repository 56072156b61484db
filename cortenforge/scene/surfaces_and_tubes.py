"""Surfaces and tubes: triangle meshes and edges given as arrays for each frame.

Cloth, soft bodies and skins are surfaces; cords are tubes. A program can draw its own:

>>> sheet = Surface(vert, face, rgba=(0.8, 0.2, 0.2, 1.0), radius=0.005, sheet=True)
>>> cord = Tubes(vert, edge, radius=0.01)
>>> renderer.render(data, extra=[sheet, cord])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.errors import ArgumentError
from cortenforge.scene.checks import MAX_COORDINATE, checked_integer, checked_real, checked_reals
from cortenforge.scene.flags import CASTS_SHADOW
from cortenforge.scene.instances import (
    InstanceTable,
    appearance_of,
    instance_table,
    join_tables,
    texture_mapping,
)
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import SPHERE, TUBE, Shape, ShapeLibrary, face_normals, unit_vectors
from cortenforge.suggest import Declared

if TYPE_CHECKING:
    from cortenforge.model import Model

#: default colour, MuJoCo's grey, which a material's colour replaces
DEFAULT_GREY = (0.5, 0.5, 0.5, 1.0)
Z_AXIS = np.array([0.0, 0.0, 1.0])


@dataclass
class Surface(Declared):
    """A triangle mesh in world coordinates, as of cloth, a soft body or a skin.

    vert, face: vertices `(n, 3)` and triangles `(k, 3)`, counterclockwise seen from the front.
    sheet:      visible from both sides, as cloth.
    radius:     offset of the surface along its normals; a sheet is offset to both sides, and closed
                at its edges.
    rgba, matid: as those of a geom: a colour other than the default replaces the material's.
    texcoord, face_texcoord: texture coordinates `(t, 2)`, and indices of them for the corners of
                triangles `(k, 3)`; by default those of the vertices.
    textured:   whether the material's texture is applied; without coordinates, projected along z.
    flat:       flat shading, with normals of triangles.
    by_area:    whether smooth normals are weighted by the areas of triangles.
    flags:      bits of `flags`: whether it casts a shadow, and so on.
    """

    vert: Any
    face: Any
    rgba: Any = DEFAULT_GREY
    matid: int = -1
    sheet: bool = False
    radius: float = 0.0
    texcoord: Any = None
    face_texcoord: Any = None
    textured: bool = True
    flat: bool = False
    by_area: bool = False
    flags: int = CASTS_SHADOW
    objtype: int = ObjType.UNKNOWN
    objid: int = -1

    def __post_init__(self) -> None:
        """Raise ArgumentError for non-finite vertices, and indices out of range."""
        _check_appearance(self)
        checked_integer(self.flags, "flags", 0, 2**31 - 1)
        self.vert = _checked_array(self.vert, float, 3, "vert")
        self.face = _checked_array(self.face, int, 3, "face", len(self.vert))
        if self.texcoord is not None:
            self.texcoord = _checked_array(self.texcoord, float, 2, "texcoord")
            own = self.face if self.face_texcoord is None else self.face_texcoord
            self.face_texcoord = _checked_array(own, int, 3, "face_texcoord", len(self.texcoord))

    def shape(self) -> Shape:
        """The mesh with normals, offset by its radius."""
        vert, face = self.vert, self.face
        out = smooth_normals(vert, face, self.by_area)
        numbers, texcoord, on_texture = face, self.texcoord, self.face_texcoord
        normal = out
        if self.flat:
            normal, numbers = face_normals(vert, face), _per_corner(np.arange(len(face)))
        vert = vert + self.radius * out
        if self.sheet:
            n = len(self.vert)
            vert = np.concatenate([vert, self.vert - self.radius * out])
            face = np.concatenate([face, face[:, ::-1] + n])
            numbers = np.concatenate([numbers, numbers[:, ::-1] + len(normal)])
            normal = np.concatenate([normal, -normal])
            if on_texture is not None:
                on_texture = np.concatenate([on_texture, on_texture[:, ::-1]])
            if self.radius > 0.0:
                closing, at_edge = self._sides(out)
                face = np.concatenate([face, closing])
                # each open edge has one normal and two triangles
                count = len(normal) + np.tile(np.arange(len(at_edge)), 2)
                numbers = np.concatenate([numbers, _per_corner(count)])
                normal = np.concatenate([normal, at_edge])
                if on_texture is not None:
                    on_texture = np.concatenate([on_texture, self._texture_of_sides()])
        return Shape(
            vert, normal, face, np.zeros((1, 2)) if texcoord is None else texcoord,
            face_normal=numbers, face_texcoord=0 * face if on_texture is None else on_texture,
        )  # fmt: skip

    def _open_edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Edges of one triangle only.  Returns (triangle, its corner where the edge begins)."""
        begin, end = self.face.ravel(), np.roll(self.face, -1, 1).ravel()
        n = len(self.vert)
        keys = np.minimum(begin, end).astype(np.int64) * n + np.maximum(begin, end)
        _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
        alone = np.flatnonzero(counts[which] == 1)
        return alone // 3, alone % 3

    def _sides(self, out: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Triangles that close a sheet at open edges.  Returns (triangles, normals of edges)."""
        k, corner = self._open_edges()
        a, b = self.face[k, corner], self.face[k, (corner + 1) % 3]
        n = len(self.vert)
        closing = np.concatenate([np.stack([b, a, b + n], 1), np.stack([a, a + n, b + n], 1)])
        return closing, unit_vectors(np.cross(self.vert[b] - self.vert[a], out[b]))

    def _texture_of_sides(self) -> np.ndarray:
        k, corner = self._open_edges()
        a = self.face_texcoord[k, corner]
        b = self.face_texcoord[k, (corner + 1) % 3]
        return np.concatenate([np.stack([b, a, b], 1), np.stack([a, a, b], 1)])


@dataclass
class Tubes(Declared):
    """Edges between points as tubes, and points as spheres: a cord, or a net.

    vert, edge: points `(n, 3)`, and pairs of indices `(k, 2)`.
    balls:      whether points are drawn; without them, tubes have open ends.
    """

    vert: Any
    edge: Any
    radius: float
    rgba: Any = DEFAULT_GREY
    matid: int = -1
    balls: bool = True
    objtype: int = ObjType.UNKNOWN
    objid: int = -1

    def __post_init__(self) -> None:
        """Raise ArgumentError for non-finite points, and indices out of range."""
        _check_appearance(self)
        self.vert = _checked_array(self.vert, float, 3, "vert")
        self.edge = _checked_array(self.edge, int, 2, "edge", len(self.vert))

    def instances(self, model: Model, options: RenderOptions) -> InstanceTable:
        """An instance for each tube and each sphere.

        model, options: whose materials there are, and how things are drawn.
        """
        start, end = self.vert[self.edge[:, 0]], self.vert[self.edge[:, 1]]
        mat, length = rotations_from_z(end - start)
        wide = np.full(len(start), self.radius)
        tubes = instance_table(
            len(start), shape=TUBE, pos=0.5 * (start + end), mat=mat,
            scale=np.stack([wide, wide, 0.5 * length], 1),
        )  # fmt: skip
        parts = [tubes]
        if self.balls:
            parts.append(
                instance_table(len(self.vert), shape=SPHERE, pos=self.vert, scale=self.radius)
            )
        made = join_tables(parts)
        look = appearance_of(
            model, np.array([self.matid]), np.array([self.rgba], np.float32), np.ones(1, bool),
            options,
        )  # fmt: skip
        made["rgba"][:], made["gloss"][:], made["flags"][:] = (
            look.rgba[0],
            look.gloss[0],
            CASTS_SHADOW,
        )
        made["objtype"][:], made["objid"][:] = self.objtype, self.objid
        return made


#: what can be drawn beside a model's own objects
ExtraItem = Surface | Tubes


def extra_instances(
    model: Model, library: ShapeLibrary, extra: list[ExtraItem], options: RenderOptions
) -> list[InstanceTable]:
    """Instances of surfaces and tubes; shapes of surfaces are added to the library."""
    for one in extra:
        if not isinstance(one, (Surface, Tubes)):
            raise ArgumentError(f"extra: expected Surface or Tubes, got {one!r}")
        if one.matid >= model.nmat:
            raise ArgumentError(
                f"matid: expected a material below {model.nmat}, or -1, got {one.matid}"
            )
    surfaces = [one for one in extra if isinstance(one, Surface)]
    numbers = library.put_moving([one.shape() for one in surfaces])
    found = [one.instances(model, options) for one in extra if isinstance(one, Tubes)]
    if not surfaces:
        return found
    flags = np.array([one.flags for one in surfaces])
    # what casts no shadow is a decoration, which `transparent` does not apply to
    look = appearance_of(
        model, np.array([one.matid for one in surfaces]),
        np.array([one.rgba for one in surfaces], np.float32), flags & CASTS_SHADOW != 0, options,
    )  # fmt: skip
    look.texture[[not one.textured for one in surfaces]] = -1
    bare = np.array([one.texcoord is None for one in surfaces])
    texture, texscale = texture_mapping(model, look, np.full((len(surfaces), 3), 0.1), bare)
    made = instance_table(
        len(surfaces), shape=numbers, scale=1.0, rgba=look.rgba, gloss=look.gloss, texture=texture,
        texscale=texscale, flags=flags,
        objtype=[one.objtype for one in surfaces], objid=[one.objid for one in surfaces],
    )  # fmt: skip
    visible = made["rgba"][:, 3] != 0
    return [*found, {name: column[visible] for name, column in made.items()}]


def rotations_from_z(vector: np.ndarray) -> tuple[np.ndarray, Any]:
    """Shortest rotations from the z axis to vectors.  Returns (matrices, lengths)."""
    length = np.linalg.norm(vector, axis=-1)
    known = length > 1e-12
    unit = np.where(known[..., None], vector / np.where(known, length, 1.0)[..., None], Z_AXIS)
    x, y, z = np.moveaxis(unit, -1, 0)
    turned = z < -0.999999
    k = 1.0 / np.where(turned, 1.0, 1.0 + z)
    rows = [1 - x * x * k, -x * y * k, x, -x * y * k, 1 - y * y * k, y, -x, -y, z]
    mat = np.stack(rows, -1).reshape(*length.shape, 3, 3)
    return np.where(turned[..., None, None], np.diag([1.0, -1.0, -1.0]), mat), length


def smooth_normals(vert: np.ndarray, face: np.ndarray, by_area: bool) -> np.ndarray:
    """Normals of vertices: sums of normals of their triangles, equal or weighted by area."""
    a, b, c = (vert[face[:, k]] for k in range(3))
    own = np.cross(b - a, c - a)
    if not by_area:
        own = unit_vectors(own)
    corners = np.repeat(own, 3, axis=0)
    sums = [np.bincount(face.ravel(), corners[:, k], len(vert)) for k in range(3)]
    return unit_vectors(np.stack(sums, 1))


def _per_corner(numbers: np.ndarray) -> np.ndarray:
    """The same index for the three corners of each triangle."""
    return np.repeat(numbers[:, None], 3, axis=1)


def _check_appearance(one: ExtraItem) -> None:
    """Raise ArgumentError for invalid colours, radii and ids."""
    checked_reals(one.rgba, (4,), "rgba")
    if checked_real(one.radius, "radius") < 0.0:
        raise ArgumentError(f"radius: expected 0 or more, got {one.radius}")
    for name in ("matid", "objid", "objtype"):
        checked_integer(getattr(one, name), name, -1, 2**31 - 1)


def _checked_array(
    values: Any, kind: type, wide: int, name: str, below: int | None = None
) -> np.ndarray:
    try:
        found: np.ndarray = np.asarray(values, kind)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name}: expected an array of shape (n, {wide})") from None
    if found.ndim != 2 or found.shape[1] != wide:
        raise ArgumentError(f"{name}: expected an array of shape (n, {wide}), got {found.shape}")
    if kind is float and not (np.abs(found) <= MAX_COORDINATE).all():
        row = int(np.flatnonzero(~(np.abs(found) <= MAX_COORDINATE).all(1))[0])
        raise ArgumentError(f"{name}[{row}]: expected finite numbers, got {found[row]}")
    if below is not None and len(found) and not 0 <= found.min() <= found.max() < below:
        raise ArgumentError(
            f"{name}: expected indices from 0 to {below - 1}, got {found.min()} to {found.max()}"
        )
    return found
