"""`cortenforge render MODEL`: a clip of a model that moves, or one picture of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cortenforge.cli.options import (
    Controls,
    IntegratorName,
    Keyframe,
    ModelName,
    Timestep,
    load_with_options,
    starting_data,
)
from cortenforge.cli.screen import notes, results, significant_figures
from cortenforge.cli.simulate import require_folder
from cortenforge.cli.streams import finite, finite_if_given, naming_failures
from cortenforge.cli.warmup import compile_uncached
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

#: pictures that a clip may have: more is rather a slip of the keyboard
MAX_FRAMES = 100_000
#: how long a clip is if nobody says
CLIP_SECONDS = 5.0


def render(
    model: ModelName,
    out: Annotated[Path, typer.Option(help="A clip, .mp4 or .gif, or one picture, .png.")],
    seconds: Annotated[
        float | None,
        typer.Option(
            help="Seconds to simulate: 5 for a clip, 0 for a picture, which shows the end.",
            min=0,
            callback=finite_if_given,
        ),
    ] = None,
    camera: Annotated[
        str | None, typer.Option(help="Camera of the model; 'track' can follow its first body.")
    ] = None,
    fps: Annotated[
        float, typer.Option(help="Pictures a second.", min=1, max=1000, callback=finite)
    ] = 30.0,
    width: Annotated[int, typer.Option(help="Of the pictures, in pixels.", min=1)] = 640,
    height: Annotated[int, typer.Option(help="Of the pictures, in pixels.", min=1)] = 480,
    keyframe: Keyframe = None,
    ctrl: Controls = None,
    integrator: IntegratorName = None,
    timestep: Timestep = None,
    contacts: Annotated[
        bool, typer.Option("--contacts", help="Show contact points and forces.")
    ] = False,
) -> None:
    """Simulate a model and draw it: a video, an animation, or one picture."""
    from cortenforge.kernel.load.cores import usable_cores
    from cortenforge.render import Renderer, RenderOptions
    from cortenforge.render.clips import checked_clip_path, open_clip

    checked_clip_path(out)
    require_folder(out)
    loaded = load_with_options(find(model), integrator, timestep)
    data = starting_data(loaded, keyframe, ctrl)
    options = RenderOptions(contactpoint=contacts, contactforce=contacts)
    renderer = Renderer(loaded, width=width, height=height, options=options, threads=usable_cores())
    data.forward()
    chosen = _camera(loaded, data, camera)
    renderer.render(data, chosen)  # what cannot be drawn is said before the simulation
    times = _times(seconds, fps, still=out.suffix == ".png")
    if times[-1] > 0:
        compile_uncached(loaded)
    start = time.perf_counter()
    with naming_failures(out), open_clip(out, (width, height), fps) as clip, _bar() as bar:
        task = bar.add_task("", total=len(times))
        begin = float(data.time)
        for k, moment in enumerate(times):
            _advance(loaded, data, begin + moment)
            clip.add(renderer.render(data, chosen))
            bar.update(task, completed=k + 1)
    elapsed = time.perf_counter() - start
    made = "1 picture" if len(times) == 1 else f"{len(times)} pictures"
    results.print(f"{made} in {significant_figures(elapsed)} s: {out}", soft_wrap=True)


def _times(seconds: float | None, fps: float, *, still: bool) -> list[float]:
    """When pictures are taken, counted from the start: those of a clip, or one of the end."""
    usual = 0.0 if still else CLIP_SECONDS
    lasting = usual if seconds is None else seconds
    if not lasting * fps < MAX_FRAMES:
        raise typer.BadParameter(
            f"this would be more than {MAX_FRAMES:,} pictures", param_hint="--seconds"
        )
    return [lasting] if still else [k / fps for k in range(max(1, round(lasting * fps)))]


def _camera(model: Model, data: Data, name: str | None) -> Any:
    """A camera by its name; without one of that name, `track` follows the first body that moves."""
    from cortenforge.scene.camera import subtree_camera

    moving = np.flatnonzero(model.body_dofnum)
    if name == "track" and name not in model.names["camera"] and len(moving):
        return subtree_camera(model, data, int(moving[0]))
    return name


def _advance(model: Model, data: Data, until: float) -> None:
    """Advance to the step nearest to a time, and compute poses there."""
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
