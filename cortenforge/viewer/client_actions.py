"""Actions for the one browser in which a button or key is pressed: cameras, files, texts."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import CortenForgeError
from cortenforge.scene.camera import Camera
from cortenforge.viewer.cameras import is_narrow, reset_camera
from cortenforge.viewer.captures import CaptureView, clip_file, picture_png, recent_snapshots
from cortenforge.viewer.gui.keys import KEEP_KEYS, KeyBinding, run_script, session_request
from cortenforge.viewer.state_text import camera_between, camera_text, state_text

if TYPE_CHECKING:
    from cortenforge.viewer.viewer import Viewer


class ClientActions:
    """Actions for single browsers; files are made one at a time."""

    def __init__(self, viewer: Viewer, server: Any) -> None:
        self._viewer, self._server = viewer, server
        self._making = threading.Lock()
        self._minimized: set[int] = set()

    def by_name(self) -> dict[str, Callable[[Any], None]]:
        """Actions of buttons, by label."""
        viewer = self._viewer
        found: dict[str, Callable[[Any], None]] = {
            "Home": self.home,
            "Save page": lambda client: self._send_file(client, "Making a page", self._page_file),
            "Screenshot": lambda client: self._send_file(
                client, "Drawing a picture", self._picture_file
            ),
            "Clip": lambda client: self._send_file(client, "Drawing a clip", self._clip_file),
            "Copy state": self.copy_state,
            "Copy camera": self.copy_camera,
        }
        if viewer.can_reload:
            found["Reload"] = lambda _: viewer.reload()
        return found

    def keys(self) -> list[KeyBinding]:
        """Keys for such actions, as in MuJoCo's simulate."""
        session, switches = self._viewer.session, self._viewer.switches
        keys = [
            KeyBinding("home", "Home: reset the camera", self.home),
            KeyBinding("A", "Home: reset the camera", self.home, "cmd/ctrl"),
            KeyBinding("escape", "Free camera", session_request(session, switches.look_freely)),
            KeyBinding("tab", "Hide or show the panel", self.toggle_panel),
        ]
        if self._viewer.can_reload:
            keys.append(KeyBinding("L", "Reload", lambda _: self._viewer.reload(), "cmd/ctrl"))
        return keys

    def set_up_client(self, client: Any) -> None:
        """Set up a new browser: keys, and on a phone a camera that leaves room for the panel."""
        run_script(client, KEEP_KEYS)
        if is_narrow(client):
            self._look_from_home(client)

    # cameras and the panel ---------------------------------------------------------------

    def home(self, client: Any) -> None:
        """Reset the camera of a browser; it looks at the followed body, if there is one."""
        with self._viewer.lock:
            self._viewer.switches.look_freely()
        self._look_from_home(client)

    def _look_from_home(self, client: Any) -> None:
        viewer = self._viewer
        with viewer.lock:
            away = viewer.painter.away(viewer.shows)
            if viewer.shows.follow:
                away = away - np.asarray(self._server.initial_camera.look_at)
        reset_camera(self._server, client, away)

    def toggle_panel(self, client: Any) -> None:
        """Minimize or expand the panel in this browser."""
        if client.client_id in self._minimized:
            self._minimized.discard(client.client_id)
            client.gui.main_panel.expand()
        else:
            self._minimized.add(client.client_id)
            client.gui.main_panel.minimize()

    def _camera(self, client: Any) -> Camera | int:
        """Camera of this browser, in coordinates of the selected world."""
        viewer = self._viewer
        if viewer.switches.camera >= 0:
            return viewer.switches.camera
        away = viewer.painter.offset + viewer.painter.offsets[viewer.session.world.selected]
        return camera_between(client.camera.position - away, client.camera.look_at - away)

    # files -------------------------------------------------------------------------------

    def _send_file(self, client: Any, doing: str, make: Callable[[Any], tuple[str, bytes]]) -> None:
        """Make a file and send it to a browser, unless it is still receiving the last one."""
        if self._server.gate.is_behind(client.client_id):
            return
        if not self._making.acquire(blocking=False):
            return
        notification = client.add_notification(doing, "…", loading=True, with_close_button=False)
        try:
            name, content = make(client)
            client.send_file_download(name, content, save_immediately=True)
        except CortenForgeError as error:
            client.add_notification("It failed", str(error), color="red")
        finally:
            notification.remove()
            self._making.release()

    def _page_file(self, _: Any) -> tuple[str, bytes]:
        return "recording.html", self._viewer.page().encode()

    def _capture_view(self, client: Any) -> CaptureView:
        viewer = self._viewer
        size = int(client.camera.image_width), int(client.camera.image_height)
        return CaptureView(
            self._camera(client), size, viewer.shows.options, viewer.shows.follow,
            viewer.painter.extra,
        )  # fmt: skip

    def _picture_file(self, client: Any) -> tuple[str, bytes]:
        viewer = self._viewer
        with viewer.lock:
            data, view = viewer.session.world.shown.copy(), self._capture_view(client)
        return "picture.png", picture_png(data, view)

    def _clip_file(self, client: Any) -> tuple[str, bytes]:
        viewer = self._viewer
        with viewer.lock:
            past, world = viewer.session.history, viewer.session.world
            moments = past.clip() if past.recorded else recent_snapshots(past.clip())
            now, view = world.state(), self._capture_view(client)
        return clip_file(world, now, moments, view)

    # texts -------------------------------------------------------------------------------

    def copy_state(self, client: Any) -> None:
        """Copy the state of the selected world, as a keyframe and as Python."""
        with self._viewer.lock:
            text = state_text(self._viewer.session.world.inputs)
        self._copy(client, text)

    def copy_camera(self, client: Any) -> None:
        """Copy the camera of this browser, as Python."""
        with self._viewer.lock:
            camera = self._camera(client)
        model = self._viewer.session.model
        name = model.name_of("camera", camera) if isinstance(camera, int) else None
        self._copy(client, camera_text(name or camera))

    def _copy(self, client: Any, text: str) -> None:
        """Put text into a browser's clipboard, if allowed, and into the panel."""
        self._viewer.show_copied(text)
        # pages without encryption (http, from another machine) have no clipboard
        run_script(client, f"navigator.clipboard?.writeText({json.dumps(text)}).catch(() => {{}})")
