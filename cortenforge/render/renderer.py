"""Renderer: pictures of a model, rasterised on the CPU without OpenGL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import ObjType
from cortenforge.errors import ArgumentError
from cortenforge.model.calls.guard import Guard, call_exclusively, exclusive
from cortenforge.model.calls.keyword_arguments import keyword_only
from cortenforge.render.canvas import Canvas
from cortenforge.render.lights import lights_of
from cortenforge.render.overlay import write_labels
from cortenforge.scene.camera import CameraLike, Lens, lens_of
from cortenforge.scene.checks import MAX_COORDINATE, check_visuals
from cortenforge.scene.decorations import decorations_of
from cortenforge.scene.deformables import deformable_surfaces
from cortenforge.scene.instances import GeomInstances, InstanceTable, join_tables, show_back_faces
from cortenforge.scene.labels import add_labels
from cortenforge.scene.options import RenderOptions
from cortenforge.scene.skins import skin_surfaces
from cortenforge.scene.surfaces_and_tubes import ExtraItem, extra_instances
from cortenforge.suggest import Declared

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: shape of a pixel and element type, by mode
MODE_FORMATS: dict[str, tuple[tuple[int, ...], Any]] = {
    "rgb": ((3,), np.uint8),
    "depth": ((), np.float32),
    "segmentation": ((2,), np.int32),
}
MODES = tuple(MODE_FORMATS)
#: pixels a side, at most
MAX_SIDE = 16384
#: pixels of a picture, at most; at four samples, buffers take 3 GB
MAX_PIXELS = 7680 * 4320
#: columns of the instance table that have to be finite
POSE_COLUMNS = ("pos", "mat", "scale")


class Renderer(Declared):
    """Draws pictures of a model: colours, depths, or the object that each pixel shows.

    width, height: of the picture in pixels.
    options:       what is shown, and how; may be changed between pictures.
    threads:       threads that draw one picture; its bytes do not depend on their number.

    >>> renderer = cf.Renderer(model, width=640, height=480)
    >>> pixels = renderer.render(data, "track")      # (480, 640, 3), uint8
    """

    width: int
    height: int
    model: Model
    options: RenderOptions

    @keyword_only("cf.Renderer(model, width=640, height=480, options=None)")
    def __init__(
        self,
        model: Model,
        *,
        width: int = 640,
        height: int = 480,
        options: RenderOptions | None = None,
        threads: int = 1,
    ) -> None:
        self.width, self.height = _checked_side(width, "width"), _checked_side(height, "height")
        if self.width * self.height > MAX_PIXELS:
            raise ArgumentError(f"width, height: expected at most {MAX_PIXELS:,} pixels in all")
        self.model = model
        self.options = checked_options(options)
        check_visuals(model)
        self._canvas = Canvas(model, self.width, self.height, threads)
        library = self._canvas.library
        self._geoms = GeomInstances(model, "geom", model.geom_type, model.geom_dataid, library)
        self._sites = GeomInstances(model, "site", model.site_type, model.site_dataid, library)
        self._guard = Guard(model, "Renderer")

    @exclusive
    @keyword_only('renderer.render(data, "track", mode="rgb")')
    def render(
        self,
        data: Data,
        camera: CameraLike = None,
        *,
        mode: str = "rgb",
        extra: Sequence[ExtraItem] = (),
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Draw a picture of a world.

        camera: a camera of the model by name or number, a `Camera`, or None for the free camera
                that MuJoCo's viewer begins with.
        mode:   "rgb": bytes `(height, width, 3)`.  "depth": distance of each pixel's surface along
                the camera's axis, `(height, width)`.  "segmentation": number and type
                (`enums.ObjType`) of each pixel's object, `(height, width, 2)`, both -1 for none.
        extra:  further surfaces in this picture: each a `Surface` or `Tubes`, in world coordinates.
        out:    array to draw into.
        Raises ArgumentError for a camera that the model does not have, and for non-finite
        positions in data; ModelError for invalid visual fields of the model.
        """
        if getattr(data, "model", None) is not self.model:
            raise ArgumentError("data: it belongs to another model than the renderer")
        checked_options(self.options)
        made: np.ndarray = call_exclusively(data, self._render, data, camera, mode, extra, out)
        return made

    def _render(
        self,
        data: Data,
        camera: CameraLike,
        mode: str,
        extra: Sequence[ExtraItem],
        out: np.ndarray | None,
    ) -> np.ndarray:
        check_visuals(self.model)
        data = _with_poses(data)
        made = self.empty(mode) if out is None else out
        self._check_out(made, mode)
        lens = lens_of(self.model, data, camera, self.width, self.height)
        instances, labels = self._collect_instances(data, lens, extra)
        _check_instances(self.model, instances)
        if mode == "rgb":
            size = self._canvas.map_size(self.options)
            lights = lights_of(self.model, data, lens, self.options, size)
            self._canvas.draw_colours(lens, instances, lights, self.options, made)
            write_labels(made, lens, labels)
            return made
        owner, depth = self._canvas.draw_owners(lens, instances)
        if mode == "depth":
            made[:] = depth
            return made
        for k, name in enumerate(("objid", "objtype")):
            made[..., k] = np.append(instances[name], -1)[owner]
        return made

    def empty(self, mode: str) -> np.ndarray:
        """An uninitialised array for a picture.  Raises ArgumentError for an unknown mode."""
        if not isinstance(mode, str) or mode not in MODES:
            raise ArgumentError(f"mode: expected one of {', '.join(MODES)}, got {mode!r}"[:300])
        shape, kind = MODE_FORMATS[mode]
        return np.empty((self.height, self.width, *shape), kind)

    def _check_out(self, out: np.ndarray, mode: str) -> None:
        wanted = self.empty(mode)
        if (
            not isinstance(out, np.ndarray)
            or not out.flags.writeable
            or out.shape != wanted.shape
            or out.dtype != wanted.dtype
            or not out.flags.c_contiguous
        ):
            raise ArgumentError(
                f"out: expected a C-contiguous {wanted.dtype} array of shape {wanted.shape}"
            )

    def _collect_instances(
        self, data: Data, lens: Lens, extra: Sequence[ExtraItem]
    ) -> tuple[InstanceTable, list[tuple[Any, str]]]:
        """All instances to draw, and labels (position, text)."""
        model, options = self.model, self.options
        decor = decorations_of(model, data, options)
        parts = [
            self._geoms.instances(data, lens.pos, options),
            self._sites.instances(data, lens.pos, options),
            decor.instances(),
        ]
        skins = skin_surfaces(model, data, options) if model.nskin and options.skin else []
        lines = [one.surface(lens) for one in decor.segments]
        softs = deformable_surfaces(model, data, options) if model.nsoft and options.soft else []
        moving = [*skins, *softs, *extra, *decor.extra, *lines]
        parts += extra_instances(model, self._canvas.library, moving, options)
        self._canvas.update_shapes()
        instances = join_tables(parts)
        if not options.cull_face:
            show_back_faces(instances)
        add_labels(decor, model, data, instances, moving, options.label)
        return instances, decor.labels


def _checked_side(side: int, name: str) -> int:
    if isinstance(side, bool) or not isinstance(side, (int, np.integer)):
        raise ArgumentError(f"{name}: expected an integer number of pixels, got {side!r}")
    if not 1 <= side <= MAX_SIDE:
        raise ArgumentError(f"{name}: expected 1 to {MAX_SIDE} pixels, got {side}")
    return int(side)


def checked_options(options: RenderOptions | None) -> RenderOptions:
    """Options, or the defaults for None.  Raises ArgumentError for invalid options."""
    made = RenderOptions() if options is None else options
    if not isinstance(made, RenderOptions):
        raise ArgumentError(f"options: expected RenderOptions, got {options!r}")
    made.check()
    return made


def _with_poses(data: Data) -> Data:
    """The data itself, or an evaluated copy if poses have not been computed yet."""
    if data.xmat[0].any():
        return data
    copied = data.copy()
    copied.forward()
    return copied


def _check_instances(model: Model, instances: InstanceTable) -> None:
    """Raise ArgumentError for an instance with a non-finite pose or size."""
    count = len(instances["shape"])
    if not count:
        return
    rows = np.concatenate([instances[name].reshape(count, -1) for name in POSE_COLUMNS], 1)
    bad = np.flatnonzero(~(np.abs(rows) <= MAX_COORDINATE).all(1))
    if len(bad):
        kind = ObjType(int(instances["objtype"][bad[0]])).name.lower()
        number = int(instances["objid"][bad[0]])
        names = model.names.get(kind, [])
        name = repr(names[number]) if 0 <= number < len(names) and names[number] else number
        place, size = (instances[column][bad[0]] for column in ("pos", "scale"))
        raise ArgumentError(
            f"data: {kind} {name} has a non-finite pose or size: pos={place}, size={size}"
        )
