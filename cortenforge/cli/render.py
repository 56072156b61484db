"""`cortenforge render MODEL`: a clip, or a picture, of a model that moves."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cortenforge.cli.screen import figures, notes, results
from cortenforge.cli.simulate import require_folder, reset_to
from cortenforge.cli.streams import finite, naming
from cortenforge.cli.warmup import compile_cold
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: pictures that a clip may have: more is rather a slip of the keyboard
MOST_PICTURES = 100_000


def render(
    model: Annotated[str, typer.Argument(help="MJCF or URDF file, or bundled model.")],
    out: Annotated[Path, typer.Option(help="The clip: .mp4, .gif, or .png of the end.")],
    seconds: Annotated[
        float, typer.Option(help="How long to simulate.", min=0, callback=finite)
    ] = 5.0,
    camera: Annotated[
        str | None, typer.Option(help="Camera of the model; 'track' can follow its first body.")
    ] = None,
    fps: Annotated[
        float, typer.Option(help="Pictures a second.", min=1, max=1000, callback=finite)
    ] = 30.0,
    width: Annotated[int, typer.Option(help="Of the pictures, in pixels.", min=1)] = 640,
    height: Annotated[int, typer.Option(help="Of the pictures, in pixels.", min=1)] = 480,
    keyframe: Annotated[str | None, typer.Option(help="Start from this keyframe.")] = None,
    contacts: Annotated[
        bool, typer.Option("--contacts", help="Show contact points and forces.")
    ] = False,
) -> None:
    """Simulate a model and draw it: a video, an animation, or one picture."""
    from cortenforge.load import load_model
    from cortenforge.render import Renderer, RenderOptions
    from cortenforge.render.clips import checked_path, clip_to

    checked_path(out)
    require_folder(out)
    loaded = load_model(find(model))
    data = loaded.make_data()
    if keyframe is not None:
        reset_to(data, keyframe)
    options = RenderOptions(contactpoint=contacts, contactforce=contacts)
    renderer = Renderer(
        loaded, width=width, height=height, options=options, threads=os.cpu_count() or 1
    )
    data.forward()
    chosen = _camera(loaded, data, camera)
    renderer.render(data, chosen)  # what cannot be drawn is said before the simulation
    compile_cold(loaded)
    count = _checked_count(seconds, fps)
    start = time.perf_counter()
    with naming(out), clip_to(out, (width, height), fps) as clip, _bar() as bar:
        task = bar.add_task("", total=count)
        for k in range(count):
            _advance(loaded, data, k / fps)
            clip.add(renderer.render(data, chosen))
            bar.update(task, completed=k + 1)
    elapsed = time.perf_counter() - start
    results.print(f"{count} pictures in {figures(elapsed)} s: {out}", soft_wrap=True)


def _checked_count(seconds: float, fps: float) -> int:
    if not seconds * fps < MOST_PICTURES:
        raise typer.BadParameter(
            f"this would be more than {MOST_PICTURES:,} pictures", param_hint="--seconds"
        )
    return max(1, round(seconds * fps))


def _camera(model: Model, data: Data, name: str | None) -> Any:
    """A camera by its name; without one of that name, `track` follows the first body that moves."""
    from cortenforge.render.camera import track_whole

    moving = np.flatnonzero(model.body_dofnum)
    if name == "track" and name not in model.names["camera"] and len(moving):
        return track_whole(model, data, int(moving[0]))
    return name


def _advance(model: Model, data: Data, until: float) -> None:
    """Go on to the step that is nearest to a time, and work out where things are there."""
    steps = round((until - float(data.time)) / float(model.opt.timestep))
    if steps > 0:
        data.step(steps)
        data.forward()


def _bar() -> Progress:
    return Progress(
        TextColumn("[bold]Drawing[/]"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total}"),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
        disable=not notes.is_terminal,
    )
