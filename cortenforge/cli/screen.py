"""What the commands print with: results to standard output, the rest to standard error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleDimensions
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cortenforge.cli.streams import OUTPUT, naming_failures
from cortenforge.errors import StepWarning

__all__ = [
    "UNLIMITED_WIDTH",
    "Screen",
    "ShownWarnings",
    "notes",
    "results",
    "show_error",
    "significant_figures",
    "titled",
    "visible_text",
]  # fmt: skip

#: columns of what is no terminal: people search and copy there, so no line may be broken or cut
UNLIMITED_WIDTH = 1_000_000
#: what a terminal obeys, or what turns text around: controls other than tab and end of line
CONTROL_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
    "\ud800-\udfff]"  # bytes of a file's name that are no text
)

#: numbers of a message
NUMBER_PATTERN = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?")


def visible_text(text: str) -> str:
    """Text without control characters, so that names of a file cannot control a terminal."""
    return CONTROL_CHARACTERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class Screen(Console):
    """A console that fits its lines to a terminal, and leaves them as they are everywhere else."""

    @property  # type: ignore[misc]
    def size(self) -> ConsoleDimensions:
        """Columns and lines; COLUMNS is the width of the terminal one types in, not of a pipe."""
        return super().size if self.file.isatty() else ConsoleDimensions(UNLIMITED_WIDTH, 25)

    def render(self, *args: Any, **options: Any) -> Iterable[Segment]:
        """Pieces of what is printed; only those that say so are for a terminal to obey."""
        for piece in super().render(*args, **options):
            if piece.control or not CONTROL_CHARACTERS.search(piece.text):
                yield piece
            else:
                yield Segment(visible_text(piece.text), piece.style)

    def print(self, *args: Any, **options: Any) -> None:
        """Print; what goes wrong is this stream's fault."""
        with naming_failures("standard error" if self.stderr else OUTPUT):
            super().print(*args, **options)


#: looked up at each print, so that redirected streams are honoured
results = Screen(highlight=False)
notes = Screen(stderr=True, highlight=False)


def show_error(message: str) -> None:
    """Print one error, without a traceback and without breaking its lines."""
    notes.print(Text("error: ", style="bold red") + Text(message, style="red"), soft_wrap=True)


class ShownWarnings:
    """Prints warnings of one command, each as one line and once.

    Where Python was when it warned is not of interest here. Warnings of steps that differ in their
    numbers, such as the time, are one.
    """

    def __init__(self) -> None:
        self._told: set[str] = set()

    def show(self, message: Warning | str, category: type[Warning], *_: object) -> None:
        """Take a warning, as `warnings.showwarning` does."""
        line = "; ".join(part.strip() for part in str(message).splitlines())
        kind = NUMBER_PATTERN.sub("", line) if issubclass(category, StepWarning) else line
        if kind not in self._told:
            self._told.add(kind)
            notes.print(Text("warning: ", style="bold yellow") + Text(line), soft_wrap=True)


def titled(title: str, *columns: str) -> Table:
    """A table whose first column is text and whose other columns are numbers."""
    table = Table(
        title=title or None, title_justify="left", title_style="bold", header_style="bold"
    )
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left")
    return table


def significant_figures(value: float, digits: int = 3) -> str:
    """A number as a person reads it: 1,234,567 or 0.0123 or 1.2e-12."""
    if value == 0:
        return "0"
    if 1000 <= abs(value) < 1e9:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"
