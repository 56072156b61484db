"""`cortenforge view MODEL`: a model in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cortenforge.cli.options import (
    Controls,
    IntegratorName,
    Keyframe,
    ModelName,
    Timestep,
    load_with,
    require_suffix,
    start_of,
)
from cortenforge.cli.screen import results
from cortenforge.cli.simulate import require_folder
from cortenforge.cli.streams import finite, naming
from cortenforge.cli.warmup import compile_cold
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.model import Data
    from cortenforge.viewer import Viewer

#: more worlds than a browser shows
MOST_WORLDS = 100_000
#: moments of a page that a browser plays
MOST_MOMENTS = 100_000


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
        int, typer.Option(help="So many worlds side by side.", min=1, max=MOST_WORLDS)
    ] = 1,
    speed: Annotated[float, typer.Option(help="Simulated seconds a second.")] = 1.0,
    paused: Annotated[bool, typer.Option("--paused", help="Do not begin to move.")] = False,
    contacts: Annotated[
        bool, typer.Option("--contacts", help="Show contact points and forces.")
    ] = False,
    browse: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser, if there is a screen.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Do not listen: write a page that plays by itself (.html).")
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long that page plays.", min=0, callback=finite)
    ] = 5.0,
) -> None:
    """Look at a model in a browser: play, pause, pull at bodies, go back in time."""
    from cortenforge.viewer.server import viser_module

    viser_module()  # what is missing is said at once
    require_folder(save, "--save")
    require_suffix(save, ".html", "--save")
    loaded = load_with(find(model), integrator, timestep)
    start = start_of(loaded, keyframe, ctrl)
    shown = {"contactpoint": contacts, "contactforce": contacts}
    if save is not None:
        _save(start, seconds, save, shown)
        return
    viewer = _open(
        start, worlds, shown,
        host=host, port=port, allowed_hosts=allow_host or (), speed=speed, play=not paused,
        open_browser=has_screen() if browse is None else browse,
    )  # fmt: skip
    results.print(f"{viewer.url}   (Ctrl-C ends it)", soft_wrap=True)
    viewer.wait()


def _save(data: Data, seconds: float, path: Path, shown: dict[str, bool]) -> None:
    from cortenforge.viewer.page import RATE, record_page

    if not seconds * RATE < MOST_MOMENTS:
        raise typer.BadParameter(
            f"this would be more than {MOST_MOMENTS:,} moments", param_hint="--seconds"
        )
    compile_cold(data.model)
    with naming(path):
        moments = record_page(data, seconds, path, **shown)
    results.print(f"{moments} moments: {path}", soft_wrap=True)


def _open(start: Data, worlds: int, shown: dict[str, bool], **more: object) -> Viewer:
    from cortenforge.batch import BatchSim
    from cortenforge.viewer import view as show

    model = start.model
    compile_cold(model)
    if worlds == 1:
        return show(model, start, **more, **shown)  # type: ignore[arg-type]
    batch = BatchSim(model, worlds)
    batch.set_states([start.get_state()] * worlds)
    return show(model, batch, **more, **shown)  # type: ignore[arg-type]


def has_screen() -> bool:
    """Whether a browser that is opened here would be seen."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
