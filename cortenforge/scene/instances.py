"""Instances: shapes with pose, scale and appearance, as mjvGeom; those of geoms and sites."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import GeomType, ObjType
from cortenforge.scene.flags import (
    CASTS_SHADOW,
    CLOSED_SURFACE,
    DOUBLE_SIDED,
    IS_PLANE,
    MAP_CUBE,
    MAP_PLANAR,
    MAP_TEXCOORDS,
)
from cortenforge.scene.island_colours import island_colours
from cortenforge.scene.options import NGROUP, RenderOptions
from cortenforge.scene.shapes import CAPSULE_BOTTOM, CAPSULE_TOP, ShapeLibrary
from cortenforge.scene.textures import TEXTURE_2D

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: columns of an instance table: shape of an entry, and element type
INSTANCE_COLUMNS: dict[str, tuple[tuple[int, ...], type]] = {
    "shape": ((), np.int32),
    "pos": ((3,), float),
    "mat": ((3, 3), float),
    "scale": ((3,), float),
    "rgba": ((4,), float),
    "gloss": ((3,), float),
    "reflectance": ((), float),
    "texture": ((2,), np.int32),
    "texscale": ((3,), float),
    "flags": ((), np.int32),
    "objtype": ((), np.int32),
    "objid": ((), np.int32),
}
#: emission, specular, shininess without a material
DEFAULT_GLOSS = (0.0, 0.5, 0.5)
#: default rgba of geoms and sites, which a material's colour replaces
DEFAULT_RGBA = np.array([0.5, 0.5, 0.5, 1.0], np.float32)
#: index of the texture with a material's colour (mjTEXROLE_RGB)
TEXROLE_RGB = 1

InstanceTable = dict[str, np.ndarray]


def instance_table(n: int, **given: Any) -> InstanceTable:
    """A table of n instances: the given columns, and defaults."""
    made: InstanceTable = {
        name: np.zeros((n, *shape), kind) for name, (shape, kind) in INSTANCE_COLUMNS.items()
    }
    made["gloss"][:] = DEFAULT_GLOSS
    made["texture"][:, 0] = -1
    made["mat"][:] = np.eye(3)
    for name, values in given.items():
        made[name][:] = values
    return made


def join_tables(tables: list[InstanceTable]) -> InstanceTable:
    """Concatenate tables."""
    return {name: np.concatenate([one[name] for one in tables]) for name in INSTANCE_COLUMNS}


def in_shown_groups(groups: np.ndarray, switches: tuple[bool, ...]) -> np.ndarray:
    """Whether each group is switched on; groups outside of 0 to 5 count as the nearest."""
    chosen: np.ndarray = np.asarray(switches, bool)[np.clip(np.asarray(groups), 0, NGROUP - 1)]
    return chosen


@dataclass
class Appearance:
    """Colours, gloss and textures of objects, from their rgba and materials.

    gloss:   (emission, specular, shininess).   texture: number, or -1.
    uniform, repeat: texuniform and texrepeat of the material.
    """

    rgba: np.ndarray
    gloss: np.ndarray
    reflectance: np.ndarray
    texture: np.ndarray
    uniform: np.ndarray
    repeat: np.ndarray


def appearance_of(
    model: Model, matid: np.ndarray, rgba: np.ndarray, moves: np.ndarray, options: RenderOptions
) -> Appearance:
    """Appearance of objects; an rgba other than the default replaces the material's."""
    n = len(matid)
    made = Appearance(
        np.array(rgba, float),
        np.tile(DEFAULT_GLOSS, (n, 1)),
        np.zeros(n),
        np.full(n, -1, np.int32),
        np.zeros(n, bool),
        np.zeros((n, 2)),
    )
    has = np.flatnonzero(matid >= 0)
    if len(has):
        own = matid[has]
        unset = (np.asarray(rgba)[has] == DEFAULT_RGBA).all(1)
        made.rgba[has[unset]] = model.mat_rgba[own[unset]]
        columns = (model.mat_emission, model.mat_specular, model.mat_shininess)
        made.gloss[has] = np.stack([np.asarray(column)[own] for column in columns], 1)
        made.reflectance[has] = model.mat_reflectance[own]
        if options.texture:
            made.texture[has] = model.mat_texid[own, TEXROLE_RGB]
            made.uniform[has] = model.mat_texuniform[own]
            made.repeat[has] = model.mat_texrepeat[own]
    if options.transparent:
        made.rgba[moves, 3] *= model.vis.map.alpha
    return made


def override_colours(look: Appearance, colours: np.ndarray) -> None:
    """Replace colours, and remove textures, where `colours` are not NaN."""
    given = np.isfinite(colours[:, 0])
    look.rgba[given] = colours[given]
    look.texture[given] = -1


def texture_mapping(
    model: Model, look: Appearance, size: np.ndarray, bare: np.ndarray
) -> tuple[Any, Any]:
    """Texture mapping of objects, of which `bare` ones have no texture coordinates.

    Returns (columns `texture`: number and kind of mapping, columns `texscale`).
    """
    n = len(size)
    how, scale = np.zeros(n, np.int32), np.zeros((n, 3))
    textured = look.texture >= 0
    flat = (
        textured & (np.asarray(model.tex_type)[look.texture] == TEXTURE_2D)
        if model.ntex
        else textured
    )
    positive = np.where(size > 0, size, 1.0)
    larger = np.where(look.uniform[:, None], positive, 1.0)
    how[flat], how[textured & ~flat] = MAP_TEXCOORDS, MAP_CUBE
    how[flat & bare] = MAP_PLANAR
    scale[:, :2] = np.where(look.repeat > 0, look.repeat, 1.0) * larger[:, :2]
    above = how == MAP_PLANAR
    scale[above, :2] = (look.repeat * larger[:, :2] / positive[:, :2])[above]
    around = how == MAP_CUBE
    scale[around] = np.where(look.uniform[:, None], size, 1.0)[around]
    return np.stack([look.texture, how], 1), scale


@dataclass
class GeomShapes:
    """Shapes of geoms or sites of some types; a capsule has three instances.

    dataids: of meshes and height fields, their numbers; else -1.
    """

    model: Model
    types: np.ndarray
    dataids: np.ndarray
    library: ShapeLibrary
    owner: np.ndarray = field(init=False)  # geom of each instance
    part: np.ndarray = field(init=False)  # of a capsule: half spheres -1, 1; else 0

    def __post_init__(self) -> None:
        capsules = np.flatnonzero(self.types == GeomType.CAPSULE)
        self.shapes = self.library.of_geoms(self.types, self.dataids)
        everything = np.flatnonzero(self.shapes >= 0)
        self.owner = np.concatenate([everything, capsules, capsules])
        self.part = np.concatenate(
            [0 * everything, np.ones(len(capsules), int), -np.ones(len(capsules), int)]
        )
        order = np.argsort(self.owner, kind="stable")
        self.owner, self.part = self.owner[order], self.part[order]
        meshes = np.isin(self.types, (GeomType.MESH, GeomType.SDF))
        self.is_mesh, self.is_plane = meshes, self.types == GeomType.PLANE
        self.is_field = self.types == GeomType.HFIELD
        starts = np.append(np.asarray(self.model.mesh_texcoordadr), -1)
        bare = np.where(meshes, starts[self.dataids] < 0, self.is_field)
        self.is_bare = bare.astype(bool)
        self.hulls = np.append(np.array(self.library.hull, np.int32), -1)[self.dataids]

    def instances(
        self,
        poses: tuple[np.ndarray, np.ndarray],
        sizes: np.ndarray,
        look: Appearance,
        eye: np.ndarray,
        **columns: np.ndarray,
    ) -> InstanceTable:
        """Instances at poses (positions, matrices) with sizes as those of `geom_scales`.

        eye:     position of the camera, which infinite planes follow.
        columns: `seen`, `shape`, `casts`, `objtype` and `objid` of each geom.
        """
        pos, mat = poses
        scale = np.where((self.is_mesh | self.is_field)[:, None], 1.0, sizes)
        texture, texscale = texture_mapping(self.model, look, sizes, self.is_bare)
        self._spread_planes(pos, mat, scale, sizes, look, texture, texscale, eye)
        kept = columns["seen"][self.owner]
        owner, part = self.owner[kept], self.part[kept]
        made_scale, made_pos, shape = scale[owner].copy(), pos[owner], columns["shape"][owner]
        ends = part != 0
        # the half sphere of a capsule has its centre one radius from its origin
        lift = part * (made_scale[:, 2] - made_scale[:, 0])
        # non-finite poses are reported later, with names
        with np.errstate(invalid="ignore"):
            made_pos = made_pos + mat[owner][:, :, 2] * lift[:, None]
        made_scale[ends, 2] = made_scale[ends, 0]
        shape[part == 1], shape[part == -1] = CAPSULE_TOP, CAPSULE_BOTTOM
        flags = np.where(self.is_plane, IS_PLANE, CLOSED_SURFACE)
        flags[self.is_mesh | self.is_field] = 0
        flags |= np.where(columns["casts"], CASTS_SHADOW, 0)
        return {
            "shape": shape,
            "pos": made_pos,
            "mat": mat[owner],
            "scale": made_scale,
            "rgba": look.rgba[owner],
            "gloss": look.gloss[owner],
            "reflectance": look.reflectance[owner],
            "texture": texture[owner],
            "texscale": texscale[owner],
            "flags": flags[owner].astype(np.int32),
            "objtype": columns["objtype"][owner].astype(np.int32),
            "objid": columns["objid"][owner].astype(np.int32),
        }

    def _spread_planes(
        self,
        pos: np.ndarray,
        mat: np.ndarray,
        scale: np.ndarray,
        sizes: np.ndarray,
        look: Appearance,
        texture: np.ndarray,
        texscale: np.ndarray,
        eye: np.ndarray,
    ) -> None:
        """Extend infinite planes beyond the far plane; they follow the eye by texture periods."""
        zfar = float(self.model.vis.map.zfar * self.model.stat_extent)
        for g in np.flatnonzero(self.is_plane):
            scale[g, 2] = 1.0
            endless = sizes[g, :2] <= 0
            for k in np.flatnonzero(endless):
                repeat = float(look.repeat[g, k])
                step = 2.0 / repeat if repeat > 0 else 2.1 * zfar / 200
                away = (eye - pos[g]) @ mat[g][:, k]
                pos[g] += mat[g][:, k] * 2.0 * step * np.round(0.5 * away / step)
                scale[g, k] = 1.05 * zfar + step
            if endless.any() and texture[g, 1] == MAP_TEXCOORDS:
                texture[g, 1] = MAP_PLANAR
                texscale[g, :2] *= np.where(endless, scale[g, :2], 1.0)


class GeomInstances:
    """Instances of the geoms or the sites of a model.

    What depends on a model's integers is computed once. The rest is read for each frame, since
    colours and sizes may be edited.
    """

    def __init__(
        self, model: Model, kind: str, types: np.ndarray, dataids: np.ndarray, library: ShapeLibrary
    ) -> None:
        self.model, self.kind = model, kind
        self.shapes = GeomShapes(model, types, dataids, library)
        self.moves = np.asarray(model.body_weldid)[self._column("bodyid")] != 0
        objtype = ObjType.GEOM if kind == "geom" else ObjType.SITE
        self.objtype, self.objid = np.full(len(types), objtype), np.arange(len(types))

    def _column(self, name: str) -> np.ndarray:
        return np.asarray(getattr(self.model, f"{self.kind}_{name}"))

    def instances(self, data: Data, eye: np.ndarray, options: RenderOptions) -> InstanceTable:
        """Instances of the geoms that are shown, at their current poses.  `eye` is the camera's."""
        model = self.model
        is_geom = self.kind == "geom"
        seen = in_shown_groups(
            self._column("group"), options.geomgroup if is_geom else options.sitegroup
        )
        if not options.static:
            seen &= self.moves
        look = appearance_of(
            model, self._column("matid"), self._column("rgba"), self.moves, options
        )
        if options.island and is_geom:
            override_colours(look, island_colours(model, data)[self._column("bodyid")])
        selected = options.perturb.select if options.perturb else 0
        if selected > 0:
            look.gloss[self._column("bodyid") == selected, 0] += model.vis.global_.glow
        seen &= look.rgba[:, 3] != 0
        shapes = self.shapes.shapes
        if options.convexhull and is_geom:
            touches = (self._column("contype") | self._column("conaffinity")) != 0
            hulls = self.shapes.hulls
            shapes = np.where(self.shapes.is_mesh & touches & (hulls >= 0), hulls, shapes)
        pos = np.array(getattr(data, f"{self.kind}_xpos"))
        mat = np.array(getattr(data, f"{self.kind}_xmat")).reshape(-1, 3, 3)
        return self.shapes.instances(
            (pos, mat),
            geom_scales(self.shapes.types, self._column("size")),
            look,
            eye,
            seen=seen,
            shape=shapes,
            casts=self._column("castshadow") != 0 if is_geom else np.ones(len(seen), bool),
            objtype=self.objtype,
            objid=self.objid,
        )


def geom_scales(types: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Scales of unit shapes along three axes, from sizes of geoms.  Mirrors mjv_initGeom."""
    made = np.array(size, float)
    balls = types == GeomType.SPHERE
    made[balls, 1] = made[balls, 2] = size[balls, 0]
    round_ = (types == GeomType.CAPSULE) | (types == GeomType.CYLINDER)
    made[round_, 2] = size[round_, 1]
    made[round_, 1] = size[round_, 0]
    return made


def show_back_faces(instances: InstanceTable) -> None:
    """Switch off back-face culling for all instances."""
    instances["flags"] |= DOUBLE_SIDED
