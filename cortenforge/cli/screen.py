"""What the commands print with: results to standard output, the rest to standard error."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["figures", "notes", "results", "show_error", "titled"]

#: looked up at each print, so that redirected streams are honoured
results = Console(highlight=False)
notes = Console(stderr=True, highlight=False)


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
