"""Display in notebooks: text, tables, and a progress bar."""

from __future__ import annotations

import html
import importlib
import sys
from collections.abc import Mapping
from typing import Any


class Printed:
    """Shown in a notebook, and by IPython, as `print` shows it, and not as its repr."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


class TextLines(Printed, str):
    """A string of several lines, which a notebook shows as printed."""

    __slots__ = ()


def html_table(title: str, rows: Mapping[str, Any]) -> str:
    """A small table of names and values, as HTML; rows without a value are left out."""
    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(name)}</th>'
        f'<td style="text-align:left">{html.escape(str(value))}</td></tr>'
        for name, value in rows.items()
        if value not in (None, "")
    )
    return f"<table><caption>{html.escape(title)}</caption>{cells}</table>"


def counts_text(counts: Mapping[str, int]) -> str:
    """Counts in one line, without those that are zero."""
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook, without importing IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"


class NotebookBar:
    """A progress bar below a notebook's cell, removed when it is closed."""

    def __init__(self, title: str, total: float) -> None:
        self.title, self.total = title, total
        self._handle: Any = None

    def update(self, done: float, note: str = "", *, shown: str = "") -> None:
        """Show how much is done.

        shown: what to say instead of `done/total`.
        """
        ipython = importlib.import_module("IPython.display")
        cell = ipython.HTML(
            f"{html.escape(self.title)} "
            f'<progress value="{done:g}" max="{self.total:g}"></progress> '
            f"{shown or f'{done:g}/{self.total:g}'} <small>{html.escape(note)}</small>"
        )
        if self._handle is None:
            self._handle = ipython.display(cell, display_id=True)
        else:
            self._handle.update(cell)

    def close(self) -> None:
        """Remove the bar."""
        if self._handle is not None:
            self._handle.update(importlib.import_module("IPython.display").HTML(""))
            self._handle = None
