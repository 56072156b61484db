"""The viewer: a session, its frames and its panel on a page for any browser."""

from __future__ import annotations

import html
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.disk import replacing
from cortenforge.errors import ArgumentError, CortenForgeError, ThreadError
from cortenforge.model import Data, Model
from cortenforge.quaternions import rotation_matrices
from cortenforge.scene.checks import check_visuals, checked_real
from cortenforge.scene.options import Perturb
from cortenforge.scene.surfaces_and_tubes import ExtraItem
from cortenforge.viewer.cameras import set_initial_camera, set_model_camera
from cortenforge.viewer.client_actions import ClientActions
from cortenforge.viewer.file_watch import FileWatch
from cortenforge.viewer.gui.equalities_and_sensors import EqualitySwitches, SensorReadings
from cortenforge.viewer.gui.keys import add_keys, option_keys, time_keys
from cortenforge.viewer.gui.panel import Panel
from cortenforge.viewer.gui.physics_options import PhysicsOptions
from cortenforge.viewer.gui.plots import Plots
from cortenforge.viewer.gui.sliders import (
    Sliders,
    add_noise_controls,
    control_bindings,
    joint_bindings,
)
from cortenforge.viewer.gui.switches import ViewSwitches
from cortenforge.viewer.html_export import recording_html
from cortenforge.viewer.lights_and_sky import set_lights_and_sky
from cortenforge.viewer.painter import FramePainter
from cortenforge.viewer.session import Control, Session
from cortenforge.viewer.view_options import default_view_options, transferred_view_options
from cortenforge.viewer.viser_scene import BodyMouseEvent, ViserScene
from cortenforge.viewer.web.address import (
    ANY_ADDRESS,
    HOST,
    checked_host,
    listening_socket,
    warn_if_public,
)
from cortenforge.viewer.web.allowed_hosts import AllowedHosts
from cortenforge.viewer.web.server import start_server, stop_server, viser_module
from cortenforge.viewer.worlds import BatchWorlds, ShownWorlds, SingleWorld

if TYPE_CHECKING:
    from types import TracebackType

#: frames per second, and updates of text, sliders and plots per second
FRAMES_PER_SECOND, PANEL_UPDATES_PER_SECOND = 60.0, 5.0
#: seconds that `close` waits for a thread
PATIENCE = 5.0
#: seconds between two checks of watched files
WATCH_INTERVAL = 0.5
#: radians of rotation for a mouse that moves across the whole screen
RADIANS_PER_SCREEN = 6.0


#: loads a model again
ModelSource = Callable[[], "Model | tuple[Model, Data | BatchSim]"]


class Viewer:
    """A viewer with its page at `url`, as `view` returns it.

    lock: held while the viewer steps or draws; hold it to change the world in between.

    >>> viewer = cf.view(model, data)
    >>> with viewer.lock:
    ...     data.ctrl[0] = 1.0
    >>> viewer.close()
    """

    def __init__(
        self,
        session: Session,
        painter: FramePainter,
        shown: dict[str, Any],
        *,
        host: str = HOST,
        port: int | None = None,
        allowed_hosts: Iterable[str] = (),
        source: ModelSource | None = None,
    ) -> None:
        self.session, self.painter, self._source = session, painter, source
        self.shows = default_view_options(session.model, shown)
        check_visuals(session.model)
        self.lock = threading.RLock()
        self._loading = threading.Lock()
        allowed = AllowedHosts(checked_host(host), allowed_hosts)
        socket = listening_socket(host, port)
        self.host, self.port = host, int(socket.getsockname()[1])
        try:
            self._server = start_server(socket, "CortenForge", allowed)
        except Exception:
            socket.close()
            raise
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._drawn, self._refreshed_at = -1, 0.0
        #: number of frames drawn
        self.frames = 0
        try:
            self._actions = ClientActions(self, self._server)
            self._set_up()
            self._server.on_client_connect(self._actions.set_up_client)
        except Exception:
            stop_server(self._server)
            raise

    # a page ------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """URL of the page."""
        # a browser cannot open an address that means all interfaces
        host = ANY_ADDRESS.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def _set_up(self) -> None:
        gui = self._server.gui
        self._stage = ViserScene(self._server, self.painter.offsets, self._on_body_event)
        set_initial_camera(self._server, self.session, self.painter)
        set_lights_and_sky(self._server, self.session.model, self.shows.options)
        self._panel = Panel(self._server, self.session, self._actions.by_name())
        if self.session.world.n > 1:
            self._choose_world()
        tabs = gui.add_tab_group()
        with tabs.add_tab("Show"):
            self.switches = ViewSwitches(self._server, self.session, self.shows)
        with tabs.add_tab("Controls"):
            knobs = control_bindings(self.session)
            if knobs:
                add_noise_controls(self._server, self.session)
            self._controls = Sliders(self._server, self.session, knobs, "No controls.")
        with tabs.add_tab("Joints"):
            knobs = joint_bindings(self.session)
            self._joints = Sliders(self._server, self.session, knobs, "No hinges, no slides.")
        with tabs.add_tab("Physics"):
            self._physics = PhysicsOptions(self._server, self.session)
        with tabs.add_tab("Equalities"):
            self._equalities = EqualitySwitches(self._server, self.session)
        with tabs.add_tab("Sensors"):
            self._readings = SensorReadings(self._server, self.session)
        with tabs.add_tab("Plots"):
            self.plots = Plots(self._server, self.session)
        keys = [*time_keys(self.session), *option_keys(self.session, self.switches)]
        add_keys(self._server, [*keys, *self._actions.keys()])

    def show_copied(self, text: str) -> None:
        """Show copied text in the panel."""
        self._panel.show_copied(text)

    def _choose_world(self) -> None:
        session = self.session
        number = self._server.gui.add_number("World", 0, min=0, max=session.world.n - 1, step=1)

        def chosen(event: Any) -> None:
            if event.client_id is not None:
                session.queue_action(partial(session.select, int(number.value)))

        number.on_update(chosen)
        self._world_number = number

    def _on_body_event(self, touch: BodyMouseEvent) -> None:
        """Handle a mouse event on a body."""
        session = self.session
        if touch.kind == "click":
            session.queue_action(lambda: self._clicked(touch))
        elif touch.kind == "start":
            session.queue_action(
                lambda: session.grab(touch.world, touch.body, touch.point, turning=touch.turning)
            )
        elif touch.kind == "update":
            session.queue_action(lambda: self._dragged(touch))
        else:
            session.queue_action(session.release)

    def _clicked(self, touch: BodyMouseEvent) -> None:
        self.shows.body = touch.body
        if touch.world != self.session.world.selected:
            self.session.select(touch.world)

    def _dragged(self, touch: BodyMouseEvent) -> None:
        perturbation = self.session.perturbation
        if not perturbation.active:
            return
        if perturbation.turning and touch.camera is not None:
            perturbation.rotate_target(*mouse_rotation(touch))
        else:
            perturbation.move_target(touch.target)

    # frames ------------------------------------------------------------------------------

    def _pump(self) -> None:
        """Advance the session, and draw changes if a browser is connected."""
        with self.lock:
            self.session.pump()
            self._draw()

    def _draw(self) -> None:
        session = self.session
        if session.version != self._drawn and self._server.get_clients():
            self._drawn = session.version
            self.draw_now()
        now = time.monotonic()
        if now - self._refreshed_at > 1.0 / PANEL_UPDATES_PER_SECOND:
            self._refreshed_at = now
            self._refresh()

    def draw_now(self) -> None:
        """Send a frame; an error is shown in the panel."""
        self.frames += 1
        try:
            self.session.check()
            self.shows.options.perturb = self._perturb_option()
            frame = self.painter.frame(self.shows)
            self._stage.show(frame)
            world = self.session.world
            away = frame.offset + self.painter.offsets[world.selected]
            set_model_camera(self._server, world.shown, self.switches.camera, away)
        except ThreadError:
            # another thread uses the world: the next frame shows it
            self._drawn = -1
        except CortenForgeError as error:
            self.session.fail(error)

    def place_camera(self, position: Any, target: Any) -> None:
        """Move the cameras of all browsers, and of those that will connect.

        position: where it is (3,) [m].  target: what it looks at (3,) [m].
        """
        clients = self._server.get_clients().values()
        for camera in (self._server.initial_camera, *(client.camera for client in clients)):
            camera.position, camera.look_at = tuple(position), tuple(target)

    def _perturb_option(self) -> Perturb:
        """The selection and perturbation, as an option of pictures."""
        held = self.session.perturbation
        if not held.active:
            return Perturb(self.shows.body)
        return Perturb(
            held.body, held.localpos,
            None if held.turning else held.refselpos, held.refquat if held.turning else None,
        )  # fmt: skip

    def _refresh(self) -> None:
        # a program may have changed the model or the options
        self.session.version += 1
        if self._server.get_clients():
            for part in (
                self._panel, self._controls, self._joints, self._physics, self._equalities,
                self._readings, self.plots,
            ):  # fmt: skip
                part.refresh()
            if self.session.world.n > 1:
                self._world_number.value = self.session.world.selected

    def start(self) -> None:
        """Start a thread that steps and draws until the viewer is closed."""
        self._thread = threading.Thread(target=self._run, name="cortenforge viewer", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        due = time.perf_counter()
        while not self._closed.is_set():
            try:
                self._pump()
            except ThreadError:
                pass  # another thread uses the world: try again
            except Exception as error:  # an error must not end the thread
                self._report_error(error)
            due = max(due + 1.0 / FRAMES_PER_SECOND, time.perf_counter())
            self._closed.wait(max(due - time.perf_counter(), 1e-4))

    def _report_error(self, error: Exception) -> None:
        """Print an unexpected error once, and show it in the panel."""
        if self.session.problem is None:
            traceback.print_exception(error)
        self.session.fail(error)

    def sync(self, **numbers: float) -> None:
        """Draw after a step of your program, and wait while the viewer is paused or ahead.

        numbers: what is plotted, by name.

        Numbers are plotted by their names as rewards.

        >>> viewer = cf.view(model, data, drive=False)
        >>> while viewer.is_open:
        ...     data.step()
        ...     viewer.sync(reward=1.0)
        """
        if self._thread is not None:
            raise ArgumentError(
                "sync: this viewer takes the steps itself; call view with drive=False"
            )
        with self.lock:
            self.session.moved(numbers)
        while self.is_open:
            with self.lock:
                self.session.pump()
                now = time.perf_counter()
                if now - self._last_frame > 1.0 / FRAMES_PER_SECOND:
                    self._last_frame = now
                    self._draw()
                if self.session.may_go_on():
                    return
            time.sleep(0.5 / FRAMES_PER_SECOND if self.session.clock.paused else 1e-3)

    _last_frame = 0.0

    def play_when_seen(self) -> None:
        """Start to play when the first browser connects."""
        seen = threading.Event()

        def look(_: Any) -> None:
            if not seen.is_set():
                seen.set()
                self.session.queue_action(self.session.play)

        self._server.on_client_connect(look)

    # another model -----------------------------------------------------------------------

    @property
    def data(self) -> Data:
        """The selected world; after a reload, one of the new model."""
        return self.session.world.inputs

    @property
    def can_reload(self) -> bool:
        """Whether `view` was given `reload`."""
        return self._source is not None

    def show(self, model: Model | BatchSim, data: Data | BatchSim | None = None) -> None:
        """Show another model, in the state of its data, with the same cameras and options."""
        world = _worlds_from(model, data)
        check_visuals(world.model)
        with self.lock:
            old, painter = self.session, FramePainter(world, self.painter.spacing)
            old.release()
            painter.extra = self.painter.extra
            session = Session(world, speed=old.clock.speed, control=old.control, driven=old.driven)
            camera = self.switches.camera_name
            self.shows = transferred_view_options(self.shows, old.model, world.model)
            self.session, self.painter, self._drawn = session, painter, -1
            self._server.scene.reset()
            self._server.gui.reset()
            self._set_up()
            self.switches.look_through(camera)
            if not old.clock.paused:
                session.queue_action(session.play)

    def reload(self) -> None:
        """Load the model again; if that fails, the panel shows the error, and the old one stays.

        Raises ArgumentError if `view` was not given `reload`.
        """
        if self._source is None:
            raise ArgumentError(
                "reload: pass view a function, such as reload=lambda: cf.load_model(path)"
            )
        if not self._loading.acquire(blocking=False):
            return
        try:
            found = self._source()
            self.show(*found) if isinstance(found, tuple) else self.show(found)
        except Exception as error:  # an incomplete file, or an error of a user's function
            known = isinstance(error, CortenForgeError)
            self._panel.refused = str(error) if known else f"{type(error).__name__}: {error}"
        finally:
            self._loading.release()

    def watch(self, files: Iterable[str | os.PathLike[str]]) -> None:
        """Load the model again whenever one of these files changes."""
        watch = FileWatch(files)

        def look() -> None:
            while not self._closed.wait(WATCH_INTERVAL):
                if watch.changed():
                    self.reload()

        threading.Thread(target=look, name="cortenforge watch", daemon=True).start()

    # recordings --------------------------------------------------------------------------

    def page(self) -> str:
        """The recording, or the last minute, as an HTML page that plays without Python."""
        with self.lock:
            moments = self.session.history.clip()
        return recording_html(self.session.world, moments, self.shows, self.painter)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the recording as an HTML page that needs neither Python nor a network.

        path: an HTML file.
        """
        page = self.page()
        with replacing(path) as beside:
            beside.write_text(page, encoding="utf-8")

    # the end -----------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether the viewer is not closed; independent of connected browsers."""
        return not self._closed.is_set()

    def wait(self) -> None:
        """Wait until the viewer is closed, or for Ctrl-C, which closes it."""
        try:
            while not self._closed.wait(0.2):
                pass
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Close the viewer. The world is kept."""
        if self._closed.is_set():
            return
        self._closed.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=PATIENCE)
        # a thread that is stuck in a user's function keeps the lock
        if self.lock.acquire(timeout=PATIENCE):
            try:
                self.session.release()
            finally:
                self.lock.release()
        stop_server(self._server)

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<cortenforge.Viewer {self.url if self.is_open else 'closed'}>"

    def _repr_html_(self) -> str:
        """The page in a frame of a notebook."""
        if not self.is_open:
            return "<p>The viewer is closed.</p>"
        look = 'width="100%" height="600" style="border:0"'
        return f'<iframe src="{html.escape(self.url)}" {look}></iframe>'


def mouse_rotation(touch: BodyMouseEvent) -> tuple[np.ndarray, float]:
    """Axis (world) and angle of a rotation by a mouse drag, as of a trackball."""
    assert touch.camera is not None
    right, down, _ = rotation_matrices(touch.camera).T
    axis = -down * touch.across + right * touch.down
    return axis, RADIANS_PER_SCREEN * float(np.hypot(touch.across, touch.down))


def view(
    model: Model | BatchSim,
    data: Data | BatchSim | None = None,
    *,
    host: str = HOST,
    port: int | None = None,
    allowed_hosts: Iterable[str] = (),
    play: bool = True,
    wait_for_tab: bool = True,
    speed: float = 1.0,
    control: Control | None = None,
    drive: bool = True,
    spacing: float | None = None,
    extra: Callable[[Data], Sequence[ExtraItem]] | None = None,
    open_browser: bool = False,
    reload: ModelSource | None = None,
    watch: Iterable[str | os.PathLike[str]] = (),
    **shown: Any,
) -> Viewer:
    """Show worlds in a browser: play, pause, perturb bodies, go back in time.

    open_browser: whether to open a tab.
    data:    a Data or a BatchSim; a new Data by default.
    host:    address to listen on; by default this machine only. Whoever can open the page can also
             perturb bodies. "0.0.0.0" admits everybody who can reach this machine.
    port:    port to listen on; by default the first free one from 8080 on.
    allowed_hosts: further host names under which browsers may request the page, such as that of a
             proxy. Requests of other pages, and under other names, are refused.
    play:    whether to start playing.
    wait_for_tab: wait with that until a browser connects; ignored with `drive=False`.
    speed:   simulated seconds per second.
    control: called with the Data before every step, to set its controls; a number, or numbers by
             name, that it returns are plotted as rewards.
    drive:   False if your program takes the steps: call `viewer.sync()` after each.
    spacing: distance between worlds of a batch; by default the model's extent.
    extra:   called with the Data for each frame; returns `Surface` or `Tubes` to draw beside it.
    reload:  function that loads the model again; returns a Model, or (Model, Data or BatchSim).
    watch:   files; whenever one of them changes, the model is loaded again.
    shown:   fields of `RenderOptions`, and `boxes`, `touch`, `follow`.
    Raises ViewerError if viser is not installed, or the port is in use.

    >>> viewer = cf.view(model, data, contactforce=True)
    >>> viewer.wait()
    """
    viser_module()
    for name, value in (("control", control), ("extra", extra), ("reload", reload)):
        if value is not None and not callable(value):
            raise ArgumentError(f"{name}: expected a function, got {value!r}")
    if spacing is not None and checked_real(spacing, "spacing") < 0.0:
        raise ArgumentError(f"spacing: expected 0 or more, got {spacing}")
    if reload is None and watch:
        raise ArgumentError("watch: a function that loads the model again is needed: reload=")
    if reload is not None and not drive:
        raise ArgumentError("reload: with drive=False, call viewer.show with the new model instead")
    session = Session(_worlds_from(model, data), speed=speed, control=control, driven=drive)
    painter = FramePainter(session.world, spacing)
    painter.extra = extra
    warn_if_public(checked_host(host), 2)
    made = Viewer(
        session, painter, shown,
        host=host, port=port, allowed_hosts=allowed_hosts, source=reload,
    )  # fmt: skip
    if play and drive and wait_for_tab:
        made.play_when_seen()
    elif play:
        session.queue_action(session.play)
    if drive:
        made.start()
    if watch:
        made.watch(watch)
    if open_browser:
        import webbrowser

        webbrowser.open(made.url)
    return made


def _worlds_from(model: Any, data: Any) -> ShownWorlds:
    """The worlds of a model and its data, or of a batch."""
    if isinstance(model, BatchSim) and data is None:
        return BatchWorlds(model)
    if not isinstance(model, Model):
        raise ArgumentError(f"model: expected a Model or a BatchSim, got {model!r}")
    if data is None:
        data = model.make_data()
    if not isinstance(data, (Data, BatchSim)):
        raise ArgumentError(f"data: expected a Data or a BatchSim, got {data!r}")
    if data.model is not model:
        raise ArgumentError("data: it belongs to another model")
    if isinstance(data, BatchSim):
        return BatchWorlds(data)
    if not data.xmat.any() or not data.geom_xmat[:1].any():
        data.forward()
    return SingleWorld(data)
