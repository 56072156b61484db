"""Frames on a viser scene: nodes are added, changed and removed as items are."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from cortenforge.quaternions import conjugate_quats, rotate_vectors
from cortenforge.viewer.scene_items import (
    InstancedMesh,
    LabelItem,
    LineItem,
    MovingMesh,
    SceneChange,
    SceneFrame,
    SceneItem,
    scene_changes,
)

#: viser's names of the arrays of an instanced mesh
VISER_PROPERTIES = {
    "pos": "batched_positions",
    "wxyz": "batched_wxyzs",
    "scale": "batched_scales",
    "rgb": "batched_colors",
    "opacity": "batched_opacities",
}
ROOT_NODE = "/scene"
#: number of instances from which on distant ones are simplified (level of detail)
LOD_INSTANCES = 64


@dataclass(frozen=True)
class BodyMouseEvent:
    """A mouse event on a body.  kind: "click", or "start", "update" and "end" of a drag.

    point:    where the drag began, in the body's frame of the picture at that time.
    target:   position of the mouse, in the world.
    turning:  whether the drag rotates (Shift).
    across, down: way of the mouse on the screen, from 0 to 1.
    camera:   orientation of the browser's camera, a quaternion.
    """

    kind: str
    world: int
    body: int
    point: np.ndarray
    target: np.ndarray
    turning: bool = False
    across: float = 0.0
    down: float = 0.0
    camera: np.ndarray | None = None


class ViserScene:
    """The scene of all browsers.

    places:   offsets of worlds.
    on_touch: called with mouse events on bodies, by any thread.
    """

    def __init__(
        self,
        server: Any,
        places: np.ndarray,
        on_touch: Callable[[BodyMouseEvent], None] | None = None,
    ) -> None:
        self.server = server
        self._places, self._on_touch = places, on_touch
        self._root = server.scene.add_frame(ROOT_NODE, show_axes=False)
        self._items: dict[str, SceneItem] = {}
        self._handles: dict[str, Any] = {}
        self._offset = np.zeros(3)
        #: number of changes sent, and bytes of their arrays
        self.changes, self.bytes = 0, 0

    def show(self, frame: SceneFrame) -> None:
        """Send the changes since the last frame, at once."""
        found = list(scene_changes(self._items, frame.items))
        moved = not np.array_equal(frame.offset, self._offset)
        if found or moved:
            with self.server.atomic():
                for change in found:
                    self._send_change(change, frame.items.get(change.name))
                if moved:
                    self._root.position = frame.offset
        self._items, self._offset = frame.items, frame.offset.copy()

    def _send_change(self, change: SceneChange, item: SceneItem | None) -> None:
        self.changes += 1
        name = change.name
        if change.kind == "remove":
            handle = self._handles.pop(name, None)
            if handle is not None:
                handle.remove()
        elif change.kind == "add":
            if not isinstance(item, InstancedMesh) or len(item):
                self._handles[name] = self._add(name, change.value)
        elif change.kind in ("hide", "show"):
            self._handles[name].visible = change.kind == "show"
        else:
            self._set(name, change, item)

    def _set(self, name: str, change: SceneChange, item: SceneItem | None) -> None:
        value = change.value
        if isinstance(value, np.ndarray):
            self.bytes += value.nbytes
        handle = self._handles[name]
        if isinstance(item, InstancedMesh):
            if item.mesh.texture is None or change.what in ("pos", "wxyz", "scale"):
                setattr(handle, VISER_PROPERTIES[change.what], value)
        elif isinstance(item, LabelItem):
            setattr(handle, "position" if change.what == "pos" else "text", value)
        elif isinstance(item, MovingMesh):
            setattr(handle, "vertices" if change.what == "vert" else "color", value)
        else:
            handle.points = np.asarray(value, np.float32)

    def _add(self, name: str, item: SceneItem) -> Any:
        scene, path = self.server.scene, ROOT_NODE + name
        if isinstance(item, LabelItem):
            return scene.add_label(path, item.text, position=item.pos, anchor="bottom-center")
        if isinstance(item, LineItem):
            return scene.add_line_segments(path, np.asarray(item.points, np.float32), item.rgb)
        if isinstance(item, MovingMesh):
            side = "double" if item.both_sides else "front"
            return scene.add_mesh_simple(
                path, item.vert, item.face, color=item.rgb, opacity=item.opacity, side=side
            )
        handle = self._add_group(path, item)
        if len(item.bodies) and self._on_touch is not None:
            self._add_mouse_handlers(handle, name)
        return handle

    def _add_group(self, path: str, group: InstancedMesh) -> Any:
        scene, mesh = self.server.scene, group.mesh
        shared = {
            "batched_wxyzs": group.wxyz,
            "batched_positions": group.pos,
            "batched_scales": group.scale,
            "lod": "auto" if len(group) > LOD_INSTANCES else "off",
            "cast_shadow": group.shadow,
        }
        if mesh.texture is not None:
            return scene.add_batched_glb(path, glb_bytes(group), **shared)
        return scene.add_batched_meshes_simple(
            path, mesh.vert, mesh.face, batched_colors=group.rgb, batched_opacities=group.opacity,
            **shared,
        )  # fmt: skip

    def _add_mouse_handlers(self, handle: Any, name: str) -> None:
        """Register handlers of clicks and drags; coroutines, so that viser calls them in order."""
        handler = self._on_touch
        assert handler is not None

        async def dragged(event: Any) -> None:
            touch = self._body_event(
                name, event.phase, event, event.start_position, event.end_position
            )
            if touch is not None:
                handler(touch)

        async def clicked(event: Any) -> None:
            touch = self._body_event(name, "click", event, np.zeros(3), np.zeros(3))
            if touch is not None:
                handler(touch)

        handle.on_drag("left")(dragged)
        handle.on_drag("left", modifier="shift")(dragged)
        handle.on_click(clicked)

    def _body_event(
        self, name: str, kind: str, event: Any, start: Any, end: Any
    ) -> BodyMouseEvent | None:
        group, i = self._items.get(name), event.instance_index or 0
        if not isinstance(group, InstancedMesh) or not 0 <= i < len(group.bodies):
            return None
        world = int(group.worlds[i])
        # in the body's frame, since the body may have moved since the picture was sent
        back = conjugate_quats(group.wxyz[i])
        point = rotate_vectors(back, np.asarray(start) - self._offset - group.pos[i])
        target = np.asarray(end) - self._offset - self._places[world]
        across = down = 0.0
        if kind != "click":
            across, down = np.subtract(event.end_screen_pos, event.start_screen_pos).tolist()
        return BodyMouseEvent(
            kind, world, int(group.bodies[i]), point, target,
            event.modifier == "shift", across, down, np.array(event.client.camera.wxyz),
        )  # fmt: skip


def glb_bytes(group: InstancedMesh) -> bytes:
    """A mesh with its texture as binary glTF."""
    from PIL import Image

    # trimesh has partial type hints only
    trimesh: Any = import_module("trimesh")
    mesh = group.mesh
    assert mesh.texture is not None and mesh.uv is not None
    material = trimesh.visual.material.PBRMaterial(
        baseColorTexture=Image.fromarray(mesh.texture.pixels),
        baseColorFactor=[int(255 * min(max(n, 0.0), 1.0)) for n in mesh.texture.rgba],
        metallicFactor=0.0,
        roughnessFactor=0.8,
        alphaMode="BLEND" if mesh.texture.rgba[3] < 1.0 else "OPAQUE",
    )
    # v points up in trimesh
    uv = mesh.uv * [1.0, -1.0] + [0.0, 1.0]
    made = trimesh.Trimesh(
        mesh.vert,
        mesh.face,
        vertex_normals=mesh.normal,
        visual=trimesh.visual.TextureVisuals(uv=uv, material=material),
        process=False,
    )
    file = io.BytesIO()
    trimesh.Scene(made).export(file, file_type="glb", include_normals=True)
    return file.getvalue()
