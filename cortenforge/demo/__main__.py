"""`python -m cortenforge.demo [PNG]`: simulate, print three tables, write a picture."""

from __future__ import annotations

import sys
from errno import EISDIR
from pathlib import Path

from rich.markup import escape

from cortenforge.cli.app import show_failure
from cortenforge.cli.race import Race, race
from cortenforge.cli.screen import notes, results, show_error, significant_figures, titled
from cortenforge.cli.streams import naming_failures, prepare_streams
from cortenforge.cli.warmup import compile_uncached
from cortenforge.demo.falls import Fall, humanoid, pile, stack
from cortenforge.demo.figure import draw_figure
from cortenforge.demo.runs import DoublePendulum, Run, Somersault, TumblingBox
from cortenforge.errors import CortenForgeError
from cortenforge.model import Model
from cortenforge.models import find

#: seconds of each engine's time a model
RACE_SECONDS = 0.6
RACERS = ("pendulum", "double_pendulum", "tumbling_box", "chain30", "humanoid_floating")


def main(picture: Path) -> None:
    """Run the demo and write its picture."""
    compile_uncached(*(Model.from_mjcf(find(name)) for name in RACERS))
    runs = (DoublePendulum.run(), TumblingBox.run(), Somersault.run())
    falls = (humanoid(), stack(), pile())
    _show_conservation(runs)
    _show_falls(falls)
    with notes.status("measuring speed"):
        races = {name: _race(name) for name in RACERS}
    _show_speed(races)
    with naming_failures(picture):
        draw_figure(*runs, falls, picture)
    results.print(f"picture: [bold]{picture}[/]", soft_wrap=True)


def _race(name: str) -> tuple[int, Race]:
    model = Model.from_mjcf(find(name))
    return model.nv, race(find(name), model, seconds=RACE_SECONDS)


def _show_conservation(runs: tuple[Run, ...]) -> None:
    table = titled("What is conserved", "model", "quantity", "simulated", "largest drift")
    table.columns[1].justify = "left"
    for run in runs:
        for index, (quantity, drift) in enumerate(run.conserved().items()):
            name, seconds = (run.title, f"{run.seconds:g} s") if index == 0 else ("", "")
            table.add_row(name, escape(quantity), seconds, f"{drift:.1e}")
        table.add_section()
    results.print(table)


def _show_falls(falls: tuple[Fall, ...]) -> None:
    table = titled(
        "What comes to rest", "model", "dof", "simulated", "in", "contacts, at most",
        "depth at rest", "speed at rest",
    )  # fmt: skip
    for fall in falls:
        table.add_row(
            fall.title,
            str(fall.model.nv),
            f"{fall.seconds:g} s",
            f"{fall.elapsed:.2f} s",
            str(fall.contacts),
            f"{1e3 * fall.deepest:.2f} mm",
            f"{fall.speed:.1e}",
        )
    results.print(table)


def _show_speed(races: dict[str, tuple[int, Race]]) -> None:
    table = titled(
        "Speed, one core", "model", "dof", "steps/s", "us a step", "times MuJoCo's speed"
    )
    for name, (dof, result) in races.items():
        ratio = "not installed" if result.ratio is None else f"{result.ratio:.2f}"
        table.add_row(
            name,
            str(dof),
            significant_figures(1 / result.ours),
            significant_figures(1e6 * result.ours),
            ratio,
        )
    results.print(table)


def run(*words: str) -> int:
    """Run the demo as a command: errors are words, and a code."""
    picture = Path(words[0]) if words else Path("out/demo.png")
    try:
        if picture.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder", str(picture))
        picture.parent.mkdir(parents=True, exist_ok=True)
        main(picture)
    except CortenForgeError as error:
        show_error(str(error))
    except OSError as error:
        show_failure(error)
    except KeyboardInterrupt:
        show_error("interrupted")
    else:
        return 0
    return 1


if __name__ == "__main__":
    prepare_streams()
    sys.exit(run(*sys.argv[1:]))
