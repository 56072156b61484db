"""Meshes of bodies: for each body one mesh a colour, in the body's frame.

A frame then needs only poses of bodies, and bodies that look alike, in one world or in a thousand,
are instances of one mesh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.scene.flags import IS_PLANE, MAP_CUBE, MAP_TEXCOORDS
from cortenforge.scene.instances import GeomInstances, InstanceTable, join_tables
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.shapes import BOX, ShapeLibrary
from cortenforge.viewer.meshes import (
    Mesh,
    Texture,
    VertexShape,
    join_meshes,
    transformed_mesh,
    vertex_shape,
)
from cortenforge.viewer.textures import browser_pixels, cube_atlas_uv, mean_colour

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: fields of a model that meshes depend on; meshes are made again when one of them changes
MESH_FIELDS = (
    *(f"{kind}_{name}" for kind in ("geom", "site") for name in ("rgba", "size", "pos", "quat")),
    *("geom_group", "site_group", "geom_matid", "site_matid", "mat_rgba", "mat_texrepeat"),
)


@dataclass(frozen=True)
class BodyMesh:
    """Bodies that share a mesh: their numbers, and a colour for each.

    fixed:   static, so they cannot be dragged.
    endless: infinite planes: one is enough for all worlds.
    """

    mesh: Mesh
    bodies: np.ndarray
    rgba: np.ndarray
    fixed: bool
    endless: bool = False

    @property
    def key(self) -> str:
        """Key that differs from those of other meshes."""
        return (
            f"{self.mesh.key}{'/fixed' if self.fixed else ''}{'/endless' if self.endless else ''}"
        )


class BodyMeshes:
    """Makes the meshes of a model's bodies, depending on options."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.library = ShapeLibrary(model)
        self._geoms = GeomInstances(model, "geom", model.geom_type, model.geom_dataid, self.library)
        self._sites = GeomInstances(model, "site", model.site_type, model.site_dataid, self.library)
        self._corners: dict[tuple[int, bool], VertexShape] = {}
        self._pixels: dict[int, np.ndarray | None] = {}
        self._seen: list[np.ndarray] = []

    def changed(self) -> bool:
        """Whether fields that meshes depend on were edited since `parts` was last called."""
        now = (np.asarray(getattr(self.model, name)) for name in MESH_FIELDS)
        return not all(np.array_equal(old, new) for old, new in zip(self._seen, now, strict=False))

    def parts(self, options: RenderOptions, hidden_sites: np.ndarray) -> list[BodyMesh]:
        """Meshes of all bodies, without `hidden_sites`."""
        self._seen = [np.array(getattr(self.model, name)) for name in MESH_FIELDS]
        at_rest = self.model.make_data()
        at_rest.forward(smooth_only=True)
        instances = self._shown_instances(at_rest, options, hidden_sites)
        by_look: dict[tuple[Any, ...], list[Mesh]] = {}
        colours: dict[tuple[Any, ...], np.ndarray] = {}
        for i in range(len(instances["shape"])):
            body = self._body_of(instances, i)
            mesh, rgba = self._mesh(instances, i, at_rest, body)
            look = (
                body,
                self._endless(instances, i),
                id(mesh.texture.pixels) if mesh.texture else None,
                tuple(np.round(rgba, 4).tolist()),
            )
            by_look.setdefault(look, []).append(mesh)
            colours[look] = rgba
        return self._shared({look: join_meshes(own) for look, own in by_look.items()}, colours)

    def _shown_instances(
        self, at_rest: Data, options: RenderOptions, hidden_sites: np.ndarray
    ) -> InstanceTable:
        instances = self.instances(at_rest, options)
        of_sites = instances["objtype"] == ObjType.SITE
        kept = ~(of_sites & np.isin(instances["objid"], hidden_sites))
        return {name: column[kept] for name, column in instances.items()}

    def instances(self, data: Data, options: RenderOptions) -> InstanceTable:
        """Instances of geoms and sites that are shown, in the world."""
        return join_tables(
            [self._geoms.instances(data, np.zeros(3), options), self.sites(data, options)]
        )

    def sites(self, data: Data, options: RenderOptions) -> InstanceTable:
        """Instances of sites that are shown, in the world."""
        return self._sites.instances(data, np.zeros(3), options)

    def _body_of(self, instances: InstanceTable, i: int) -> int:
        kind = "geom" if instances["objtype"][i] == ObjType.GEOM else "site"
        return int(getattr(self.model, f"{kind}_bodyid")[instances["objid"][i]])

    def _endless(self, instances: InstanceTable, i: int) -> bool:
        if not instances["flags"][i] & IS_PLANE or instances["objtype"][i] != ObjType.GEOM:
            return False
        return bool((np.asarray(self.model.geom_size[instances["objid"][i], :2]) <= 0).any())

    def _mesh(
        self, instances: InstanceTable, i: int, at_rest: Data, body: int
    ) -> tuple[Mesh, np.ndarray]:
        """One instance as a mesh in its body's frame.  Returns (mesh, rgba)."""
        turn = np.reshape(at_rest.xmat[body], (3, 3))
        pos = turn.T @ (instances["pos"][i] - at_rest.xpos[body])
        mat, scale = turn.T @ instances["mat"][i], instances["scale"][i]
        rgba = np.array(instances["rgba"][i], float)
        number, how = (int(n) for n in instances["texture"][i])
        pixels = self.pixels(number) if number >= 0 else None
        around = how == MAP_CUBE
        if pixels is not None and around and instances["shape"][i] != BOX:
            # on curved shapes a cube map's seams would cross triangles: its mean colour is used
            rgba[:3] *= mean_colour(pixels)
            pixels = None
        corners = self._shape(int(instances["shape"][i]), pixels is not None and around)
        mesh = transformed_mesh(corners, scale, pos, mat)
        if pixels is None:
            return mesh, rgba
        if around:
            uv = cube_atlas_uv(corners.vert * instances["texscale"][i])
        else:
            uv = _flat_texture_uv(instances, i, corners)
        texture = Texture(pixels, tuple(rgba.tolist()))
        return Mesh(mesh.vert, mesh.normal, mesh.face, uv, texture), rgba

    def _shape(self, shape: int, apart: bool) -> VertexShape:
        if (shape, apart) not in self._corners:
            self._corners[shape, apart] = vertex_shape(self.library, shape, apart=apart)
        return self._corners[shape, apart]

    def pixels(self, number: int) -> np.ndarray | None:
        """Pixels of a texture, cached; None if the model has none."""
        if number not in self._pixels:
            self._pixels[number] = browser_pixels(self.model, number)
        return self._pixels[number]

    def _shared(
        self, meshes: dict[tuple[Any, ...], Mesh], colours: dict[tuple[Any, ...], np.ndarray]
    ) -> list[BodyMesh]:
        """Merge equal meshes to one each, with bodies and colours."""
        weld = np.asarray(self.model.body_weldid)
        mocap = np.asarray(self.model.body_mocapid)
        rows: dict[tuple[str, bool, bool], list[tuple[Any, ...]]] = {}
        for look, mesh in meshes.items():
            # a mocap body is static, but can be dragged, with its descendants
            root = weld[look[0]]
            fixed = bool(root == 0) and not bool(mocap[self.model.body_rootid[look[0]]] >= 0)
            rows.setdefault((mesh.key, fixed, look[1]), []).append(look)
        return [
            BodyMesh(
                meshes[looks[0]],
                np.array([look[0] for look in looks]),
                np.array([colours[look] for look in looks]),
                fixed,
                endless,
            )
            for (_, fixed, endless), looks in rows.items()
        ]


def _flat_texture_uv(instances: InstanceTable, i: int, corners: VertexShape) -> np.ndarray:
    """Texture coordinates in a 2D texture: the mesh's own, or projected along z."""
    scale = instances["texscale"][i, :2]
    if instances["texture"][i, 1] == MAP_TEXCOORDS:
        return corners.texcoord * scale
    across, down = corners.vert[:, 0] * scale[0], -corners.vert[:, 1] * scale[1]
    return np.stack([0.5 * across - 0.5, 0.5 * down - 0.5], 1)


def primitive_meshes(library: ShapeLibrary) -> Callable[[int], Mesh]:
    """A cached function from numbers of shapes to meshes of unit size."""
    made: dict[int, Mesh] = {}

    def mesh(shape: int) -> Mesh:
        if shape not in made:
            made[shape] = transformed_mesh(
                vertex_shape(library, shape), np.ones(3), np.zeros(3), np.eye(3)
            )
        return made[shape]

    return mesh
