"""The tab of visualization flags: what is shown, groups, labels, frames, cameras."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from cortenforge.scene.options import FRAMES, LABELS, NGROUP
from cortenforge.viewer.session import Session
from cortenforge.viewer.view_options import ViewOptions

#: labels of switches in the panel, by option
OPTION_LABELS = {
    "contactpoint": "Contact points",
    "contactforce": "Contact forces",
    "contactsplit": "Normal and friction apart",
    "tendon": "Tendons",
    "actuator": "Actuators",
    "activation": "Muscles by activation",
    "joint": "Joints",
    "inertia": "Inertia",
    "sclinertia": "Inertia by mass",
    "com": "Centre of mass",
    "rangefinder": "Rays",
    "sensor": "Force sensors and IMUs",
    "constraint": "Constraints",
    "autoconnect": "Skeleton",
    "bodybvh": "Bounding volumes of bodies",
    "meshbvh": "Bounding volumes of meshes",
    "camera": "Cameras",
    "light": "Lights",
    "pertforce": "Applied forces",
    "transparent": "Transparent",
    "skin": "Skins",
    "soft": "Deformables",
    "convexhull": "Convex hulls",
    "texture": "Textures",
    "static": "Static bodies",
}
EXTRA_LABELS = {"boxes": "Bounding boxes", "touch": "Touch"}
GROUP_KINDS = ("geom", "site", "joint", "tendon", "actuator", "skin", "soft")
NO_BODY, FREE_CAMERA = "nobody", "free"


class ViewSwitches:
    """Check boxes and lists of the viewer's options."""

    def __init__(self, server: Any, session: Session, shows: ViewOptions) -> None:
        self._gui, self._session, self._shows = server.gui, session, shows
        #: camera of the model that browsers use; -1 for free cameras
        self.camera = -1
        self._boxes: dict[str, Any] = {}
        self._groups: dict[tuple[str, int], Any] = {}
        self._views()
        self._arrows()
        for target, names in ((shows.options, OPTION_LABELS), (shows, EXTRA_LABELS)):
            for name, label in names.items():
                box = self._gui.add_checkbox(label, bool(getattr(target, name)))
                self._tie(box, partial(setattr, target, name))
                self._boxes[name] = box
        for kind in GROUP_KINDS:
            with self._gui.add_folder(f"Groups of {kind}s", expand_by_default=False):
                self._group(f"{kind}group")

    def _tie(self, handle: Any, change: Callable[[Any], None]) -> None:
        """Let the session's thread make the change that a user chooses."""

        handle.on_update(lambda _: self._session.queue_action(partial(change, handle.value)))

    def _views(self) -> None:
        gui, shows, model = self._gui, self._shows, self._session.model
        frame = gui.add_dropdown("Frames of", FRAMES, initial_value=shows.options.frame)
        self._tie(frame, lambda value: setattr(shows.options, "frame", value))
        label = gui.add_dropdown("Labels of", LABELS, initial_value=shows.options.label)
        self._tie(label, lambda value: setattr(shows.options, "label", value))
        bodies = [
            NO_BODY,
            *(model.name_of("body", i) or f"body {i}" for i in range(1, model.nbody)),
        ]
        follow = gui.add_dropdown("Follow", bodies, initial_value=bodies[shows.follow])
        self._tie(follow, lambda value: setattr(shows, "follow", bodies.index(value)))
        cameras = [
            FREE_CAMERA,
            *(model.name_of("camera", i) or f"camera {i}" for i in range(model.ncam)),
        ]
        self._camera = gui.add_dropdown("Camera", cameras)
        self._tie(self._camera, lambda value: setattr(self, "camera", cameras.index(value) - 1))

    def _arrows(self) -> None:
        """Add the scale of force arrows."""
        options = self._shows.options
        length = self._gui.add_number(
            "Force arrows ×", round(options.forcescale, 3), min=0.0, step=0.001
        )
        self._tie(length, lambda value: setattr(options, "forcescale", max(float(value), 0.0)))

    @property
    def camera_name(self) -> str:
        """Name of the chosen camera."""
        return str(self._camera.value)

    def look_through(self, name: str) -> None:
        """Use a camera of the model, if it has one of that name."""
        if name in self._camera.options:
            self._camera.value = name
            self.camera = tuple(self._camera.options).index(name) - 1

    def look_freely(self) -> None:
        """Use free cameras."""
        self.camera, self._camera.value = -1, FREE_CAMERA

    def toggle(self, name: str) -> None:
        """Toggle an option, with its check box."""
        on = not getattr(self._shows.options, name)
        setattr(self._shows.options, name, on)
        self._boxes[name].value = on

    def toggle_group(self, name: str, i: int) -> None:
        """Toggle a group, with its check box."""
        box = self._groups[name, i]
        box.value = not box.value
        self._set_group(name, i, box.value)

    def _group(self, name: str) -> None:
        for i in range(NGROUP):
            box = self._gui.add_checkbox(f"{i}", bool(getattr(self._shows.options, name)[i]))
            self._tie(box, partial(self._set_group, name, i))
            self._groups[name, i] = box

    def _set_group(self, name: str, i: int, value: bool) -> None:
        switches = list(getattr(self._shows.options, name))
        switches[i] = value
        setattr(self._shows.options, name, tuple(switches))
