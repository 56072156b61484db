"""The command line application: its verbs, and how an error reaches a person."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from cortenforge.cli import (
    bench,
    cache,
    compare,
    convert,
    docs,
    doctor,
    info,
    play,
    render,
    selftest,
    simulate,
    train,
    validate,
    view,
    warmup,
)
from cortenforge.cli.screen import UNLIMITED_WIDTH, ShownWarnings, results, show_error, visible_text
from cortenforge.cli.streams import OUTPUT, give_up_output, naming_failures, prepare_streams
from cortenforge.errors import CortenForgeError

__all__ = ["app", "main", "show_failure"]

#: what is raised for words that make no command; newer versions of typer have a click of their own
USAGE: Any = typer.BadParameter.__mro__[1]


class Verb(TyperCommand):
    """A command; what it prints while its words are read is help, and goes to the output."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        with naming_failures(OUTPUT):
            return super().make_context(*args, **extra)


class CleanErrors(TyperGroup):
    """A group of commands that prints what we raise on purpose, without a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command; frames, colours and lines that fit are for a terminal only."""
        on_screen = sys.stdout.isatty() and sys.stderr.isatty()
        _set_markup(self, "rich" if on_screen else None)
        if not on_screen:
            extra["terminal_width"] = UNLIMITED_WIDTH
        with warnings.catch_warnings():
            warnings.showwarning = ShownWarnings().show  # type: ignore[assignment]
            try:
                with naming_failures(OUTPUT):
                    return super().main(*args, **extra)
            except BrokenPipeError:
                raise
            except OSError as error:
                show_failure(error)
                sys.exit(1)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        with _visible_words():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _visible_words():
                return super().invoke(ctx)
        except CortenForgeError as error:
            show_error(str(error))
        except BrokenPipeError:
            raise
        except OSError as error:
            show_failure(error)
        except MemoryError as error:
            show_error(f"there is not enough memory for this: {error}")
        raise typer.Exit(1)


def _set_markup(command: Any, mode: str | None) -> None:
    command.rich_markup_mode = mode
    for part in getattr(command, "commands", {}).values():
        _set_markup(part, mode)


@contextmanager
def _visible_words() -> Iterator[None]:
    """What somebody typed is repeated to him in letters that a terminal shows."""
    try:
        yield
    except USAGE as error:
        error.message = visible_text(error.message)
        raise


def show_failure(error: OSError) -> None:
    """Print what a file, or what is printed to, does not allow."""
    if error.filename == OUTPUT:
        give_up_output()
    show_error(f"{error.filename or 'file'}: {error.strerror or error}")


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
    pretty_exceptions_enable=False,
)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Version.")
    ] = False,
) -> None:
    pass


for verb in (
    doctor.doctor,
    selftest.selftest,
    docs.docs,
    info.info,
    validate.validate,
    simulate.simulate,
    render.render,
    view.view,
    bench.bench,
    compare.compare,
    convert.convert,
    train.train,
    play.play,
    warmup.warmup,
):
    app.command(cls=Verb)(verb)

kept = typer.Typer()
kept.callback(invoke_without_command=True)(cache.show_cache)
kept.command(cls=Verb)(cache.clear)
app.add_typer(kept, name="cache")


def main() -> None:
    """Run the command line."""
    prepare_streams()
    app()
