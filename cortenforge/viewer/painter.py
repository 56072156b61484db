"""Frames of the browser's scene: poses of bodies, and decorations of the selected world."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import SensorType
from cortenforge.quaternions import quats_from_matrices
from cortenforge.scene.bounding_volumes import world_boxes
from cortenforge.scene.checks import check_visuals
from cortenforge.scene.decor_geoms import Decor, LineSegments, box_edges
from cortenforge.scene.decorations import decorations_of
from cortenforge.scene.deformables import deformable_surfaces
from cortenforge.scene.instances import InstanceTable, instance_table, join_tables
from cortenforge.scene.labels import add_labels
from cortenforge.scene.skins import skin_surfaces
from cortenforge.scene.surfaces_and_tubes import ExtraItem
from cortenforge.viewer.body_meshes import BodyMesh, BodyMeshes, primitive_meshes
from cortenforge.viewer.moving_meshes import MovingMeshes
from cortenforge.viewer.scene_items import InstancedMesh, LabelItem, LineItem, SceneFrame, SceneItem
from cortenforge.viewer.view_options import ViewOptions
from cortenforge.viewer.worlds import ShownWorlds

if TYPE_CHECKING:
    from cortenforge.model import Data

#: colour of bounding boxes
BOUNDING_BOX_RGB = (255, 170, 40)
#: labels, at most: more would cover what they name
MAX_LABELS = 200
#: colour of a touch sensor's site under a large force
TOUCHED_RGBA = np.array([1.0, 0.15, 0.1, 1.0])
#: grey that worlds other than the selected one fade to, and how much
UNSELECTED_GREY, UNSELECTED_FADE = 105.0, 0.6


@dataclass
class _BodyInstances:
    """A body mesh in all worlds: what does not change while bodies move."""

    part: BodyMesh
    rgb: np.ndarray
    opacity: np.ndarray | None
    bodies: np.ndarray
    worlds: np.ndarray


class FramePainter:
    """Makes frames of worlds.

    spacing: distance between worlds; by default the model's extent.
    """

    def __init__(self, world: ShownWorlds, spacing: float | None = None) -> None:
        self.world, self.model, self.spacing = world, world.model, spacing
        self.bodies = BodyMeshes(self.model)
        self.offsets = world_offsets(world.n, spacing or float(self.model.stat_extent))
        self._softs = MovingMeshes(self.bodies)
        #: gives surfaces and tubes to draw beside a world, called for each frame
        self.extra: Callable[[Data], Sequence[ExtraItem]] | None = None
        self._primitive = primitive_meshes(self.bodies.library)
        self._touch = np.flatnonzero(self.model.sensor_type == SensorType.TOUCH)
        self._instances: list[_BodyInstances] = []
        self._made_for: tuple[object, ...] | None = None
        self._decor_names: set[str] = set()
        self._base = np.zeros(3)
        self._following = 0

    def frame(self, shows: ViewOptions) -> SceneFrame:
        """The frame of the current state.  Raises ModelError for invalid visual fields."""
        check_visuals(self.model)
        self.world.update_shown()
        data = self.world.shown
        items: dict[str, SceneItem] = {}
        self._add_bodies(items, shows)
        decor = decorations_of(self.model, data, shows.options)
        moving = self._moving(data, shows, decor)
        self._add_decor(items, decor, data, shows, moving)
        self._add_lines(items, decor.segments)
        here = self.offsets[self.world.selected]
        items |= self._softs.items(moving, shows.options, here)
        if shows.boxes:
            items["/boxes"] = LineItem(bounding_box_edges(data, shows) + here, BOUNDING_BOX_RGB)
        if shows.options.label != "none":
            self._add_labels(items, decor, data, shows, moving)
        return SceneFrame(items, self._offset(data, shows))

    # bodies ------------------------------------------------------------------------------

    def _add_bodies(self, items: dict[str, SceneItem], shows: ViewOptions) -> None:
        wanted = (*shows.of_bodies(), shows.touch, self.world.selected)
        if wanted != self._made_for or self.bodies.changed():
            hidden = self._touched_sites() if shows.touch else np.zeros(0, int)
            parts = self.bodies.parts(shows.options, hidden)
            self._instances = [self._in_worlds(part) for part in parts]
            self._made_for = wanted
        pos, quat = self.world.poses()
        for own in self._instances:
            part = own.part
            if part.endless:
                at, turned = pos[:1, part.bodies], quat[:1, part.bodies]
            else:
                at, turned = pos[:, part.bodies] + self.offsets[:, None], quat[:, part.bodies]
            items[f"/bodies/{part.key}"] = InstancedMesh(
                part.mesh, at.reshape(-1, 3), turned.reshape(-1, 4), own.rgb, None, own.opacity,
                own.bodies, own.worlds, not part.endless,
            )  # fmt: skip

    def _in_worlds(self, part: BodyMesh) -> _BodyInstances:
        n = 1 if part.endless else self.world.n
        rgba = np.tile(part.rgba, (n, 1))
        rgb = np.clip(255.0 * rgba[:, :3], 0, 255)
        worlds = np.repeat(np.arange(n), len(part.bodies))
        if n > 1:
            others = worlds != self.world.selected
            rgb[others] += UNSELECTED_FADE * (UNSELECTED_GREY - rgb[others])
        clear = (rgba[:, 3] < 1.0).any()
        held = not part.fixed
        return _BodyInstances(
            part,
            rgb.astype(np.uint8),
            rgba[:, 3] if clear else None,
            np.tile(part.bodies, n) if held else np.zeros(0, int),
            worlds if held else np.zeros(0, int),
        )

    # what else there is ------------------------------------------------------------------

    def _moving(self, data: Data, shows: ViewOptions, decor: Decor) -> list[ExtraItem]:
        """Surfaces and tubes: skins, deformables, decorations, and `extra`."""
        found = list(decor.extra)
        if self.model.nskin and shows.options.skin:
            found += skin_surfaces(self.model, data, shows.options)
        if self.model.nsoft and shows.options.soft:
            found += deformable_surfaces(self.model, data, shows.options)
        return [*found, *self.extra(data)] if self.extra else found

    def _add_decor(
        self,
        items: dict[str, SceneItem],
        decor: Decor,
        data: Data,
        shows: ViewOptions,
        moving: list[ExtraItem],
    ) -> None:
        """Add tendons, contacts, arrows, frames, tubes: instances of unit shapes."""
        instances = join_tables([decor.instances(), *self._softs.tubes(moving, shows.options)])
        if shows.touch and len(self._touch):
            instances = join_tables([instances, self._touch_instances(data, shows)])
        keys = 2 * instances["shape"] + (instances["rgba"][:, 3] < 1.0)
        here = self.offsets[self.world.selected]
        for key in np.unique(keys):
            rows = np.flatnonzero(keys == key)
            name = f"/decor/{key}"
            self._decor_names.add(name)
            items[name] = self._decor_group(instances, rows, here, clear=bool(key & 1))
        for name in self._decor_names - items.keys():
            # empty rather than removed: it is likely to return
            shape = self._primitive(int(name.rsplit("/", 1)[1]) // 2)
            items[name] = InstancedMesh(shape, np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)))

    def _add_lines(self, items: dict[str, SceneItem], segments: Sequence[LineSegments]) -> None:
        """Add line segments, grouped by colour."""
        here = self.offsets[self.world.selected]
        colours: dict[tuple[int, int, int], list[np.ndarray]] = {}
        for one in segments:
            red, green, blue = (int(255 * min(max(float(n), 0.0), 1.0)) for n in one.rgba[:3])
            ends = np.stack([np.atleast_2d(one.start), np.atleast_2d(one.end)], 1)
            colours.setdefault((red, green, blue), []).append(ends)
        for rgb, lines in colours.items():
            name = "/lines/" + "_".join(map(str, rgb))
            items[name] = LineItem(np.concatenate(lines) + here, rgb)

    def _decor_group(
        self, instances: InstanceTable, rows: np.ndarray, here: np.ndarray, *, clear: bool
    ) -> InstancedMesh:
        rgba = instances["rgba"][rows]
        return InstancedMesh(
            self._primitive(int(instances["shape"][rows[0]])),
            instances["pos"][rows] + here,
            quats_from_matrices(instances["mat"][rows]),
            np.clip(255.0 * rgba[:, :3], 0, 255).astype(np.uint8),
            instances["scale"][rows],
            rgba[:, 3] if clear else None,
            shadow=False,
        )

    def _add_labels(
        self,
        items: dict[str, SceneItem],
        decor: Decor,
        data: Data,
        shows: ViewOptions,
        moving: list[ExtraItem],
    ) -> None:
        """Add labels."""
        options = shows.options
        if options.label in ("geom", "site"):
            instances = self.bodies.instances(data, options)
        else:
            instances = instance_table(0)
        add_labels(decor, self.model, data, instances, moving, options.label)
        here = self.offsets[self.world.selected]
        for i, (pos, text) in enumerate(decor.labels[:MAX_LABELS]):
            items[f"/labels/{i}"] = LabelItem(text, np.asarray(pos, float) + here)

    def _touched_sites(self) -> np.ndarray:
        return np.asarray(self.model.sensor_objid)[self._touch]

    def _touch_instances(self, data: Data, shows: ViewOptions) -> InstanceTable:
        """Sites of touch sensors, coloured by their force."""
        instances = self.bodies.sites(data, shows.options)
        sites = self._touched_sites()
        forces = np.asarray(data.sensordata)[np.asarray(self.model.sensor_adr)[self._touch]]
        weight = float(self.model.stat_meanmass) * 9.81
        share = dict(zip(sites.tolist(), (forces / (forces + weight)).tolist(), strict=True))
        kept = np.isin(instances["objid"], sites)
        instances = {name: column[kept] for name, column in instances.items()}
        for i, site in enumerate(instances["objid"].tolist()):
            instances["rgba"][i] += share[site] * (TOUCHED_RGBA - instances["rgba"][i])
        return instances

    @property
    def offset(self) -> np.ndarray:
        """Offset of the scene."""
        return self._base

    def away(self, shows: ViewOptions) -> np.ndarray:
        """Position of the followed body in the scene; without one, the scene's offset."""
        if not shows.follow:
            return self._base
        com = np.array(self.world.shown.subtree_com[shows.follow])
        return np.asarray(self._base + com + self.offsets[self.world.selected])

    def _offset(self, data: Data, shows: ViewOptions) -> np.ndarray:
        """Offset of the scene that keeps a followed body at the same place on the screen."""
        if not shows.follow:
            self._following = 0
            return self._base
        here = np.array(data.subtree_com[shows.follow]) + self.offsets[self.world.selected]
        if shows.follow != self._following:
            self._following, self._anchor = shows.follow, self._base + here
        self._base = self._anchor - here
        return self._base


def world_offsets(n: int, spacing: float) -> np.ndarray:
    """Offsets of worlds: a square grid around the origin."""
    side = math.ceil(math.sqrt(n))
    rows, columns = np.divmod(np.arange(n), side)
    made = np.stack([columns - 0.5 * (side - 1), rows - 0.5 * (side - 1), 0.0 * rows], 1)
    return np.asarray(spacing * made)


def bounding_box_edges(data: Data, shows: ViewOptions) -> np.ndarray:
    """Edges `(n, 2, 3)` of the bounding boxes of geoms that are shown."""
    model = data.model
    groups = np.clip(np.asarray(model.geom_group), 0, 5)
    box = np.reshape(model.geom_aabb, (-1, 6))
    seen = np.asarray(shows.options.geomgroup)[groups] & (model.geom_rbound > 0)
    placed = world_boxes(data.geom_xpos[seen], data.geom_xmat[seen], box[seen])
    return box_edges(*placed).reshape(-1, 2, 3)
