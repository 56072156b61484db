"""`mujoco.viewer`: a passive viewer on the browser's page of this engine.

`launch_passive` starts the page and returns a `Handle`; your program steps, and calls `sync`. There
is one panel, which users fold themselves, whatever `show_left_ui` and `show_right_ui` say.
"""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable
from typing import Any

from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.drawing.cameras import Kind, camera_pose, mjv_defaultFreeCamera
from cortenforge.mujoco.drawing.options import drawing_options
from cortenforge.mujoco.drawing.structs import (
    MjrRect,
    MjvCamera,
    MjvOption,
    MjvPerturb,
    MjvScene,
)
from cortenforge.mujoco.drawing.user_geoms import user_surfaces
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.model import MjModel
from cortenforge.scene.surfaces_and_tubes import ExtraItem
from cortenforge.viewer import Viewer, view

#: geoms that a program can add, and frames a second
MAX_GEOM, FRAMES_PER_SECOND = 10000, 60.0
#: what runs programs on macOS for MuJoCo's own window; a browser needs nothing like it
_MJPYTHON = None


class Handle:
    """A viewer that shows what the program does."""

    def __init__(self, model: MjModel, data: MjData) -> None:
        self._m, self._d = model, data
        self.cam, self.opt, self.perturb = MjvCamera(), MjvOption(), MjvPerturb()
        self.user_scn = MjvScene(model, MAX_GEOM)
        mjv_defaultFreeCamera(model, self.cam)
        self._shown_cam = copy.copy(self.cam)
        self._last = 0.0
        self._viewer: Viewer | None = view(
            model._native, data._native, drive=False, extra=self._extra, backdrop="model"
        )

    def _extra(self, data: Any) -> list[ExtraItem]:
        return user_surfaces(self.user_scn, self._m)

    @property
    def m(self) -> MjModel | None:
        """The model; None once the viewer is closed."""
        return self._m if self.is_running() else None

    @property
    def d(self) -> MjData | None:
        """The data; None once the viewer is closed."""
        return self._d if self.is_running() else None

    @property
    def url(self) -> str:
        """Address of the page."""
        return self._viewer.url if self._viewer is not None else ""

    @property
    def viewport(self) -> MjrRect | None:
        """The size of the picture, which each browser chooses for itself."""
        raise_absent("Handle.viewport", "each browser has a size of its own")

    def is_running(self) -> bool:
        """Whether the viewer is open."""
        return self._viewer is not None and self._viewer.is_open

    def lock(self) -> contextlib.AbstractContextManager[Any]:
        """Held while the viewer draws."""
        return contextlib.nullcontext() if self._viewer is None else self._viewer.lock

    def sync(self, state_only: bool = False) -> None:
        """Draw the current state; options and geoms of `user_scn` too, unless `state_only`."""
        viewer = self._viewer
        if viewer is None or not viewer.is_open:
            return
        with viewer.lock:
            if not state_only:
                shown = drawing_options(self.opt, self.perturb)
                shown.backdrop = viewer.shows.options.backdrop
                viewer.shows.options = shown
                self._follow_camera(viewer)
            viewer.session.moved({})
            viewer.session.run_requests()
            now = time.perf_counter()
            if now - self._last > 1.0 / FRAMES_PER_SECOND:
                self._last = now
                viewer.draw_now()

    def _follow_camera(self, viewer: Viewer) -> None:
        """Move cameras of browsers where the program has put `cam`."""
        tracks = self.cam.type == Kind["mjCAMERA_TRACKING"]
        if self.cam == self._shown_cam and not tracks:
            return
        pos, (_, _, forward) = camera_pose(self._m, self._d, self.cam)
        self._shown_cam = copy.copy(self.cam)
        viewer.place_camera(pos, pos + self.cam.distance * forward)

    def close(self) -> None:
        """Close the page; the world is kept."""
        if self._viewer is not None:
            self._viewer.close()
        self._viewer = None

    def update_hfield(self, hfieldid: int) -> None:
        """Take over the edited data of a height field."""
        self._reload("hfield", hfieldid, self._m.nhfield)

    def update_mesh(self, meshid: int) -> None:
        """Take over the edited data of a mesh."""
        self._reload("mesh", meshid, self._m.nmesh)

    def update_texture(self, texid: int) -> None:
        """Take over the edited pixels of a texture."""
        self._reload("texture", texid, self._m.ntex)

    def _reload(self, kind: str, number: int, count: int) -> None:
        if not 0 <= number < count:
            raise ValueError(f"{kind} {number}: the model has {count}")
        if self._viewer is not None and self._viewer.is_open:
            self._viewer.show(self._m._native, self._d._native)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _missing(name: str) -> Any:
    def missing(self: Handle, *given: Any) -> None:
        raise_absent(f"Handle.{name}", "the page has plots, readings and labels of its own")

    missing.__name__ = name
    missing.__doc__ = "Not there: the page has plots, readings and labels of its own."
    return missing


for _kind in ("figures", "texts", "images"):
    for _verb in ("set", "clear"):
        setattr(Handle, f"{_verb}_{_kind}", _missing(f"{_verb}_{_kind}"))


def launch_passive(
    model: MjModel,
    data: MjData,
    *,
    key_callback: Callable[[int], None] | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Start a viewer that your program drives: step, then `handle.sync()`."""
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}"[:300])
    if not isinstance(data, MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}"[:300])
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    if key_callback is not None:
        raise_absent("key_callback", "keys that are pressed in a browser do not reach programs")
    data._native.forward()
    return Handle(model, data)


def launch(model: Any = None, data: Any = None, **options: Any) -> None:
    """Not there: MuJoCo's window."""
    raise_absent("mujoco.viewer.launch", "use cf.view(model, data).wait(), or `cortenforge view`")


def launch_from_path(path: str) -> None:
    """Not there: MuJoCo's window."""
    raise_absent("mujoco.viewer.launch_from_path", "use `cortenforge view FILE`")
