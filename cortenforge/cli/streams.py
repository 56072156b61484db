"""Standard streams that can always be written to: closed, full and ASCII-only ones, too."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer

__all__ = [
    "OUTPUT",
    "finite",
    "finite_if_given",
    "give_up_output",
    "naming_failures",
    "prepare_streams",
]

#: what errors of it are called
OUTPUT = "standard output"


def prepare_streams() -> None:
    """Closed streams lead nowhere, and what a stream cannot encode is escaped."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def give_up_output() -> None:
    """Let what could not be written go nowhere, so that Python does not try again at the end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def finite(value: float) -> float:
    """A number that is one; bounds of options let others pass."""
    if not math.isfinite(value):
        raise typer.BadParameter(f"expected a finite number, got {value}")
    return value


def finite_if_given(value: float | None) -> float | None:
    """The same of an option that may be left out."""
    return None if value is None else finite(value)


@contextmanager
def naming_failures(what: str | Path) -> Iterator[None]:
    """Errors of files in here are of this one, unless they say otherwise: full disks do not."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.strerror is not None:
            error.filename = str(what)
        raise
