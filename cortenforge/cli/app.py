"""The command line application: its verbs, and how an error reaches a person."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cortenforge.cli import (
    bench,
    compare,
    convert,
    doctor,
    info,
    render,
    simulate,
    validate,
    view,
    warmup,
)
from cortenforge.cli.screen import WIDE, results, show_error
from cortenforge.errors import CortenForgeError

__all__ = ["app", "main"]


class CleanErrors(TyperGroup):
    """A group of commands that prints what we raise on purpose, without a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command; frames, colours and lines that fit are for a terminal only."""
        on_screen = sys.stdout.isatty() and sys.stderr.isatty()
        for command in (self, *self.commands.values()):
            command.rich_markup_mode = "rich" if on_screen else None  # type: ignore[attr-defined]
        if not on_screen:
            extra["terminal_width"] = WIDE
        return super().main(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except CortenForgeError as error:
            show_error(str(error))
        except BrokenPipeError:
            raise
        except OSError as error:
            show_error(f"{error.filename or 'file'}: {error.strerror or error}")
        raise typer.Exit(1)


def _show_version(wanted: bool) -> None:
    if wanted:
        from cortenforge import __version__

        results.print(f"cortenforge {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=CleanErrors,
    help="Rigid-body physics at MuJoCo's numbers and MuJoCo's speed. "
    "MODEL is an MJCF or URDF file, or the name of a bundled model.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Version.")
    ] = False,
) -> None:
    pass


app.command()(doctor.doctor)
app.command()(info.info)
app.command()(validate.validate)
app.command()(simulate.simulate)
app.command()(render.render)
app.command()(view.view)
app.command()(bench.bench)
app.command()(compare.compare)
app.command()(convert.convert)
app.command()(warmup.warmup)


def main() -> None:
    """Run the command line."""
    app()
