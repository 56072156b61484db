"""`cortenforge train TASK`: a policy that learns, with its curve in the terminal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live
from rich.text import Text

from cortenforge.cli.screen import notes, results, significant_figures
from cortenforge.cli.streams import naming_failures
from cortenforge.errors import ArgumentError

if TYPE_CHECKING:
    from cortenforge.learning import Progress, Training

#: columns and lines of the curve
CURVE_WIDTH, CURVE_HEIGHT = 78, 16
#: seconds between two lines where there is no terminal
LINE_INTERVAL = 10.0


def train(
    task: Annotated[
        str | None, typer.Argument(help="A task with a recipe, such as HalfCheetah-v5.")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(help="Actions of all worlds; the recipe's by default.", min=1),
    ] = None,
    seed: Annotated[int, typer.Option(help="What weights and noise are drawn from.", min=0)] = 0,
    worlds: Annotated[
        int | None, typer.Option(help="Worlds that learn at once.", min=1, max=100_000)
    ] = None,
    threads: Annotated[
        int,
        typer.Option(help="Threads; bits depend on their number.", min=1, max=256),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of checkpoint, policy and clip; out/TASK by default."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the training in this folder.")
    ] = None,
    clip: Annotated[bool, typer.Option("--clip/--no-clip", help="Draw a clip at the end.")] = True,
    listed: Annotated[bool, typer.Option("--list", help="Show all tasks with a recipe.")] = False,
) -> None:
    """Train a policy by PPO; Ctrl-C stops it after the round under way, --resume goes on."""
    from cortenforge.learning import RECIPES, Training, find_recipe

    if listed:
        for recipe in RECIPES.values():
            results.print(f"{recipe.task:28} {recipe.steps:>12,} steps  {recipe.about}")
        return
    if resume is not None:
        if task or steps or worlds or out:
            raise typer.BadParameter("a training goes on as it was begun", param_hint="--resume")
        folder, training = resume, Training.resume(resume)
    elif task is None:
        raise typer.BadParameter("name a task, or see --list", param_hint="TASK")
    else:
        recipe = find_recipe(task)
        recipe = replace(recipe, steps=steps or recipe.steps, worlds=worlds or recipe.worlds)
        folder = out or Path("out") / task
        training = Training(recipe, seed=seed, threads=threads)
    with naming_failures(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with stopping(training), shown_curve(training) as show:
            training.run(on_progress=show, folder=folder)
    _report(training, folder, clip=clip and training.finished)


@contextmanager
def stopping(training: Training) -> Iterator[None]:
    """Let the first Ctrl-C end the training after its round; the second one ends it at once."""

    def stop(*_: Any) -> None:
        training.stop()
        signal.signal(signal.SIGINT, before)
        notes.print("stopping after this round; Ctrl-C again stops at once")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def shown_curve(training: Training) -> Iterator[Any]:
    """Context with a function that shows where a training is: a curve, or lines in a file."""
    if not notes.is_terminal:
        last = [float("-inf")]

        def print_line(point: Progress) -> None:
            if point.seconds - last[0] >= LINE_INTERVAL:
                last[0] = point.seconds
                notes.print(summary(point))

        yield print_line
        return
    with Live(console=notes, refresh_per_second=4, transient=False) as live:
        yield lambda point: live.update(curve_text(training.curve, training.recipe.steps))


def summary(point: Progress) -> str:
    """One line about where a training is."""
    return (
        f"{point.steps:>12,} steps  {point.seconds:7.1f} s  {point.episodes:>8,} episodes  "
        f"return {significant_figures(point.mean_return)}  "
        f"length {significant_figures(point.mean_length)}"
    )


def curve_text(curve: list[Progress], steps: int) -> Text:
    """The curve of returns over millions of steps, and the last numbers."""
    known = [point for point in curve if point.mean_return == point.mean_return]
    text = Text()
    if len(known) > 1:
        plot = plotting_module()
        plot.clear_figure()
        plot.theme("clear")
        plot.plot_size(min(CURVE_WIDTH, notes.width), CURVE_HEIGHT)
        plot.title("mean return of the last 100 episodes, over millions of steps")
        every = max(1, len(known) // CURVE_WIDTH)
        shown = known[::-every][::-1]
        plot.plot([p.steps / 1e6 for p in shown], [p.mean_return for p in shown], marker="braille")
        plot.xlim(0.0, steps / 1e6)
        text = Text.from_ansi(plot.build() + "\n")
    return text.append(summary(curve[-1]))


def plotting_module() -> Any:
    """The module plotext.  Raises ArgumentError, with what to install, without it."""
    try:
        import plotext
    except ImportError:
        raise ArgumentError(
            "the curve needs plotext: pip install 'cortenforge[train]'; without a terminal, "
            "lines are printed instead"
        ) from None
    return plotext


def _report(training: Training, folder: Path, *, clip: bool) -> None:
    from cortenforge.learning import evaluate, record_clip

    policy = training.trained_policy()
    if training.finished:
        returns = evaluate(policy, 20, seed=training.seed + 1)
        results.print(f"return {returns.mean():,.0f} ± {returns.std():,.0f} of 20 episodes")
    results.print(f"policy: {folder / 'policy.pt'}", soft_wrap=True)
    if clip:
        target = record_clip(policy, folder / f"clip{clip_suffix()}")
        results.print(f"clip: {target}", soft_wrap=True)
    if not training.finished:
        results.print(f"go on: cortenforge train --resume {folder}", soft_wrap=True)


def clip_suffix() -> str:
    """The format of clips: a video where its package is installed, else an animation."""
    from importlib.util import find_spec

    return ".mp4" if find_spec("imageio_ffmpeg") else ".gif"
