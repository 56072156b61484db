"""Pictures of scenes: a context in the place of OpenGL's, and reading of its pixels.

Depths of pixels are those of a depth buffer: with z along the camera's axis between near n and far
f, f (z - n) / (z (f - n)), or (z - n) / (f - n) for orthographic cameras; one minus that if
`readDepthMap` is mjDEPTH_ZEROFAR.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.mujoco.drawing.cameras import scene_lens
from cortenforge.mujoco.drawing.instances import scene_instances, scene_lights
from cortenforge.mujoco.drawing.options import RndFlag, picture_options
from cortenforge.mujoco.drawing.structs import MjrRect, MjvScene
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError, raise_absent
from cortenforge.mujoco.fields.attributes import AbsentField
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function, struct
from cortenforge.mujoco.structs import Struct, StructField
from cortenforge.mujoco.tables import STRUCTS
from cortenforge.render.canvas import Canvas
from cortenforge.render.lights import Light
from cortenforge.render.overlay import write_corner_text, write_labels
from cortenforge.scene.camera import Lens
from cortenforge.scene.checks import check_visuals
from cortenforge.scene.instances import InstanceTable, show_back_faces
from cortenforge.scene.options import RenderOptions

Framebuffer, DepthMap = ENUMS["mjtFramebuffer"], ENUMS["mjtDepthMap"]
#: fields of a context that mean something without OpenGL
LIVE_FIELDS = (
    "lineWidth", "shadowClip", "shadowScale", "fogStart", "fogEnd", "fogRGBA", "shadowSize",
    "offWidth", "offHeight", "offSamples", "fontScale", "currentBuffer", "readDepthMap",
    "windowAvailable", "glInitialized",
)  # fmt: skip
#: sizes of pictures whose memory is kept
MAX_CANVASES = 4
NO_OPENGL = "there is no OpenGL, and none of its objects"


@dataclass
class Picture:
    """A scene as it was when it was drawn; its pixels are computed when they are read."""

    canvas: Canvas
    lens: Lens
    instances: InstanceTable
    lights: list[Light]
    labels: list[tuple[Any, str]]
    options: RenderOptions
    #: colours are numbers of geoms (mjRND_SEGMENT, mjRND_IDCOLOR)
    by_number: np.ndarray | None
    texts: list[tuple[int, str, str]] = field(default_factory=list)
    _owners: tuple[np.ndarray, np.ndarray] | None = None

    def colours(self) -> np.ndarray:
        """Colours of all pixels, the top row first."""
        made = np.empty((self.canvas.height, self.canvas.width, 3), np.uint8)
        if self.by_number is not None:
            owner, _ = self.owners()
            number = np.append(self.by_number, -1)[owner] + 1
            for k in range(3):
                made[..., k] = number >> 8 * k & 255
        else:
            self.canvas.draw_colours(self.lens, self.instances, self.lights, self.options, made)
            write_labels(made, self.lens, self.labels)
        for position, left, right in self.texts:
            write_corner_text(made, ENUMS["mjtGridPos"](position).name, left, right)
        return made

    def owners(self) -> tuple[np.ndarray, np.ndarray]:
        """The instance and the depth of each pixel, the top row first."""
        if self._owners is None:
            owner, depth = self.canvas.draw_owners(self.lens, self.instances)
            self._owners = owner.copy(), depth.copy()
        return self._owners

    def depths(self, from_far: bool) -> np.ndarray:
        """Values of a depth buffer, the top row first."""
        near, far = self.lens.near, self.lens.far
        owner, depth = self.owners()
        z = np.where(owner >= 0, depth.astype(float), far)
        found = (z - near) / (far - near)
        if not self.lens.parallel:
            found *= far / z
        found = np.clip(found, 0.0, 1.0)
        return np.asarray(1.0 - found if from_far else found, np.float32)


@struct
class MjrContext(Struct):
    """What pictures of a model are drawn with."""

    __slots__ = ("__dict__",)
    _struct = "MjrContext"
    _fields = LIVE_FIELDS

    offWidth: int  # noqa: N815 - MuJoCo's name
    offHeight: int  # noqa: N815
    currentBuffer: int  # noqa: N815
    readDepthMap: int  # noqa: N815

    def __init__(self, model: MjModel | None = None, fontscale: int = 0) -> None:
        super().__init__()
        self._model = model
        self._picture: Picture | None = None
        self._canvases: dict[tuple[int, int], Canvas] = {}
        if model is None:
            return
        if not isinstance(model, MjModel):
            raise TypeError(f"MjrContext(): model must be an MjModel, got {model!r}"[:300])
        check_visuals(model._native)
        vis, extent = model.vis, model.stat.extent
        values = {
            "lineWidth": vis.global_.linewidth,
            "shadowClip": extent * vis.map.shadowclip,
            "shadowScale": vis.map.shadowscale,
            "fogStart": extent * vis.map.fogstart,
            "fogEnd": extent * vis.map.fogend,
            "fogRGBA": vis.rgba.fog,
            "shadowSize": vis.quality.shadowsize,
            "offWidth": vis.global_.offwidth,
            "offHeight": vis.global_.offheight,
            "offSamples": vis.quality.offsamples,
            "fontScale": int(fontscale),
            "currentBuffer": int(Framebuffer["mjFB_OFFSCREEN"]),
        }
        for name, value in values.items():
            setattr(self, name, value)

    def canvas(self, width: int, height: int) -> Canvas:
        """What pictures of a size are drawn on."""
        assert self._model is not None
        found = self._canvases.pop((width, height), None)
        if found is None:
            found = Canvas(self._model._native, width, height, 1)
        # the sizes used last stay
        kept = list(self._canvases.items())[1 - MAX_CANVASES :]
        self._canvases = {**dict(kept), (width, height): found}
        return found

    def free(self) -> None:
        """Let go of what was drawn with."""
        self._canvases, self._picture = {}, None


for _name in STRUCTS["MjrContext"]:
    live = _name in LIVE_FIELDS
    setattr(MjrContext, _name, StructField(_name) if live else AbsentField(_name, NO_OPENGL))


@function
def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Choose what is drawn to: the offscreen buffer, since there are no windows."""
    if framebuffer != Framebuffer["mjFB_OFFSCREEN"]:
        raise_absent("mjFB_WINDOW", "there are no windows; use mujoco.viewer.launch_passive")
    con.currentBuffer = framebuffer


@function
def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Set the size of the offscreen buffer."""
    if width < 1 or height < 1:
        raise FatalError(
            f"mjr_resizeOffscreen: expected a size of 1 or more, got {width}, {height}"
        )
    con.offWidth, con.offHeight = width, height


@function
def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """The largest rectangle that can be drawn to."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


@function
def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene."""
    if con._model is None or scn._model is None:
        raise FatalError("mjr_render: the context or the scene was made without a model")
    if scn._model is not con._model:
        raise FatalError("mjr_render: the scene is of another model than the context")
    if viewport.width < 1 or viewport.height < 1:
        return
    canvas = con.canvas(viewport.width, viewport.height)
    options = picture_options(scn.flags)
    lens = scene_lens(scn, viewport.width, viewport.height)
    instances, labels = scene_instances(scn, con._model, canvas, lens)
    canvas.update_shapes()
    if not options.cull_face:
        show_back_faces(instances)
    con._picture = Picture(
        canvas=canvas,
        lens=lens,
        instances=instances,
        lights=scene_lights(scn, con._model, lens, options, canvas.map_size(options)),
        labels=labels,
        options=options,
        by_number=geom_numbers(scn, instances) if scn.flags[RndFlag["mjRND_SEGMENT"]] else None,
    )


def geom_numbers(scn: MjvScene, instances: InstanceTable) -> np.ndarray:
    """`segid` of each instance; -1 for what is not in the scene's list of geoms."""
    if not scn.flags[RndFlag["mjRND_IDCOLOR"]].item():
        raise_absent("mjRND_SEGMENT without mjRND_IDCOLOR", "its colours are random; set both")
    return np.append(scn._geoms.segid[: scn.ngeom], -1)[instances["objid"]]


def drawn_picture(name: str, viewport: MjrRect, con: MjrContext) -> Picture:
    """The last picture, of the size of a rectangle."""
    picture = con._picture
    if picture is None:
        raise FatalError(f"{name}: nothing has been drawn; call mjr_render before")
    size = picture.canvas.width, picture.canvas.height
    if (viewport.width, viewport.height) != size:
        raise FatalError(f"{name}: the picture has {size} pixels, the rectangle {viewport}")
    return picture


@function
def mjr_readPixels(
    rgb: np.ndarray | None, depth: np.ndarray | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Read colours and depths of the last picture, the bottom row first."""
    picture = drawn_picture("mjr_readPixels", viewport, con)
    pixels = viewport.width * viewport.height
    for name, array, count in (("rgb", rgb, 3 * pixels), ("depth", depth, pixels)):
        if array is not None and array.size != count:
            raise TypeError(f"{name} has {array.size} numbers, the viewport needs {count}")
    if rgb is not None:
        rgb.reshape(-1)[:] = picture.colours()[::-1].reshape(-1)
    if depth is not None:
        from_far = con.readDepthMap == DepthMap["mjDEPTH_ZEROFAR"]
        depth.reshape(-1)[:] = picture.depths(from_far)[::-1].reshape(-1)


@function
def mjr_overlay(
    font: int, gridpos: int, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext
) -> None:
    """Write two columns of text in a corner of the last picture."""
    picture = drawn_picture("mjr_overlay", viewport, con)
    picture.texts.append((gridpos, overlay, overlay2))


def forget_shapes(m: MjModel, con: MjrContext) -> None:
    """Read the model's meshes, height fields and textures again before the next picture."""
    if m is not con._model:
        raise FatalError("the context was made for another model")
    con._canvases = {}


def checked_upload(name: str, m: MjModel, con: MjrContext, number: int, count: int) -> None:
    """Take over an edited asset.  Raises FatalError for one that does not exist."""
    if not 0 <= number < count:
        raise FatalError(f"{name}: invalid id {number}, the model has {count}")
    forget_shapes(m, con)


@function
def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:
    """Take over the edited data of a height field."""
    checked_upload("mjr_uploadHField", m, con, hfieldid, m.nhfield)


@function
def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None:
    """Take over the edited data of a mesh."""
    checked_upload("mjr_uploadMesh", m, con, meshid, m.nmesh)


@function
def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None:
    """Take over the edited pixels of a texture."""
    checked_upload("mjr_uploadTexture", m, con, texid, m.ntex)


@function
def mjr_finish() -> None:
    """Wait until everything is drawn: nothing is left to do."""


@function
def mjr_getError() -> int:
    """Errors of OpenGL: there are none."""
    return 0


@function
def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int:
    """0 if a point is in a rectangle, else -1; nrect has to be 1."""
    if nrect != 1:
        raise FatalError(f"mjr_findRect: expected one rectangle, got {nrect}")
    inside = 0 <= x - rect.left < rect.width and 0 <= y - rect.bottom < rect.height
    return 0 if inside else -1
