"""`cortenforge view MODEL`: a model in the browser."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cortenforge.cli.options import (
    Controls,
    IntegratorName,
    Keyframe,
    ModelName,
    Timestep,
    load_with_options,
    require_suffix,
    starting_data,
)
from cortenforge.cli.screen import results
from cortenforge.cli.simulate import require_folder
from cortenforge.cli.streams import finite, naming_failures
from cortenforge.cli.warmup import compile_uncached
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.batch import BatchSim
    from cortenforge.model import Data, Model
    from cortenforge.viewer import Viewer

#: more worlds than a browser shows
MAX_WORLDS = 100_000
#: moments of a page that a browser plays
MAX_SNAPSHOTS = 100_000


def view(
    model: ModelName,
    port: Annotated[
        int | None, typer.Option(help="Where to listen; the first free one from 8080 on.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Who may look: this machine only; 0.0.0.0 for everybody near.")
    ] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A further name that browsers call it by.")
    ] = None,
    keyframe: Keyframe = None,
    ctrl: Controls = None,
    integrator: IntegratorName = None,
    timestep: Timestep = None,
    worlds: Annotated[
        int, typer.Option(help="So many worlds side by side.", min=1, max=MAX_WORLDS)
    ] = 1,
    speed: Annotated[float, typer.Option(help="Simulated seconds a second.")] = 1.0,
    paused: Annotated[bool, typer.Option("--paused", help="Do not begin to move.")] = False,
    contacts: Annotated[
        bool, typer.Option("--contacts", help="Show contact points and forces.")
    ] = False,
    browse: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser, if there is a screen.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Load the model again whenever its files change.")
    ] = False,
    save: Annotated[
        Path | None, typer.Option(help="Do not listen: write a page that plays by itself (.html).")
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long that page plays.", min=0, callback=finite)
    ] = 5.0,
) -> None:
    """Look at a model in a browser: play, pause, pull at bodies, go back in time."""
    from cortenforge.viewer.web.server import viser_module

    viser_module()  # what is missing is said at once
    require_folder(save, "--save")
    require_suffix(save, ".html", "--save")
    again = ModelReloader(find(model), keyframe, worlds, integrator, timestep, ctrl)
    loaded = again.load()
    shown = {"contactpoint": contacts, "contactforce": contacts}
    if save is not None:
        _save(again.start(loaded), seconds, save, shown)
        return
    viewer = _open(
        loaded, again, shown,
        host=host, port=port, allowed_hosts=allow_host or (), speed=speed, play=not paused,
        open_browser=has_screen() if browse is None else browse, watch=again.files if watch else (),
    )  # fmt: skip
    results.print(f"{viewer.url}   (Ctrl-C ends it)", soft_wrap=True)
    viewer.wait()


def _save(data: Data, seconds: float, path: Path, shown: dict[str, bool]) -> None:
    from cortenforge.viewer.html_export import PAGE_FPS, record_html

    if not seconds * PAGE_FPS < MAX_SNAPSHOTS:
        raise typer.BadParameter(
            f"this would be more than {MAX_SNAPSHOTS:,} moments", param_hint="--seconds"
        )
    compile_uncached(data.model)
    with naming_failures(path):
        moments = record_html(data, seconds, path, **shown)
    results.print(f"{moments} moments: {path}", soft_wrap=True)


@dataclass
class ModelReloader:
    """A file that can be loaded more than once.

    files: what the model was made of when it was last loaded, and before.
    """

    path: Path
    keyframe: str | None
    worlds: int
    integrator: str | None = None
    timestep: float | None = None
    ctrl: list[str] | None = None
    files: set[str] = field(default_factory=set)

    def load(self) -> Model:
        """The model as its files are now."""
        from cortenforge.read_files import recording_files

        with recording_files() as read:
            try:
                return load_with_options(self.path, self.integrator, self.timestep)
            finally:
                self.files |= read.paths | {os.path.abspath(self.path)}

    def start(self, model: Model) -> Data:
        """Where the model begins."""
        return starting_data(model, self.keyframe, self.ctrl)

    def world(self, model: Model) -> Data | BatchSim:
        """A world of the model where it begins, or many of them."""
        from cortenforge.batch import BatchSim

        start = self.start(model)
        if self.worlds == 1:
            return start
        batch = BatchSim(model, self.worlds)
        batch.set_states([start.get_state()] * self.worlds)
        return batch

    def __call__(self) -> tuple[Model, Data | BatchSim]:
        """Both, for a viewer."""
        model = self.load()
        return model, self.world(model)


def _open(model: Model, again: ModelReloader, shown: dict[str, bool], **more: object) -> Viewer:
    from cortenforge.viewer import view as show

    world = again.world(model)
    compile_uncached(model)
    return show(model, world, reload=again, **more, **shown)  # type: ignore[arg-type]


def has_screen() -> bool:
    """Whether a browser that is opened here would be seen."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
