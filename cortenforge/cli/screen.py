"""What the commands print with: results to standard output, the rest to standard error."""

from __future__ import annotations

from rich.console import Console, ConsoleDimensions
from rich.table import Table
from rich.text import Text

__all__ = ["WIDE", "Screen", "figures", "notes", "results", "show_error", "titled"]

#: columns of what is no terminal: people search and copy there, so no line may be broken or cut
WIDE = 1_000_000


class Screen(Console):
    """A console that fits its lines to a terminal, and leaves them as they are everywhere else."""

    @property  # type: ignore[misc]
    def size(self) -> ConsoleDimensions:
        """Columns and lines; COLUMNS is the width of the terminal one types in, not of a pipe."""
        return super().size if self.file.isatty() else ConsoleDimensions(WIDE, 25)


#: looked up at each print, so that redirected streams are honoured
results = Screen(highlight=False)
notes = Screen(stderr=True, highlight=False)


def show_error(message: str) -> None:
    """Print one error, without a traceback and without breaking its lines."""
    notes.print(Text("error: ", style="bold red") + Text(message, style="red"), soft_wrap=True)


def titled(title: str, *columns: str) -> Table:
    """A table whose first column is text and whose other columns are numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left")
    return table


def figures(value: float, digits: int = 3) -> str:
    """A number as a person reads it: 1,234,567 or 0.0123 or 1.2e-12."""
    if value == 0:
        return "0"
    if 1000 <= abs(value) < 1e9:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"
