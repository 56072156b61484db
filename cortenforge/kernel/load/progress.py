"""Progress of the first compilation of kernels."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from cortenforge.notebook import NotebookBar, in_notebook


class CompileProgress:
    """A progress bar with the unit that is being compiled.

    A bar on a terminal or below a notebook's cell; elsewhere one line at the start. It is written
    to standard error, so that it does not mix with a program's output. It advances by the weights
    of units, since the largest takes as long as thirty small ones.
    """

    def __init__(self, weights: Mapping[str, float], *, shown: bool) -> None:
        """
        weights: of the units that are compiled, by name.
        """
        self.weights, self.shown = weights, shown
        self.count = len(weights)
        self._lock = threading.Lock()
        self._bar: Any = None
        self._task: Any = None
        self._cell: NotebookBar | None = None
        self._done: set[str] = set()

    def __enter__(self) -> CompileProgress:
        if self.shown and in_notebook():
            self._cell = NotebookBar("Compiling kernels (only once)", sum(self.weights.values()))
            self._update_cell("")
        elif self.shown:
            self._start()
        return self

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True)
        # units reached later are compiled one at a time, without a line for each
        if not console.is_terminal and self.count > 1:
            print(
                f"cortenforge: compiling {self.count} kernels for this processor "
                "(once; they are kept on disk)",
                file=sys.stderr,
            )
        self._bar = Progress(
            TextColumn("[bold]Compiling kernels[/] (only once)"),
            BarColumn(),
            TextColumn("{task.fields[done]}/" + str(self.count)),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.description}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=sum(self.weights.values()), done=0)

    def doing(self, name: str) -> None:
        """Show the name of the unit that is being compiled."""
        with self._lock:
            if self._bar is not None:
                self._bar.update(self._task, description=name)
            if self._cell is not None:
                self._update_cell(name)

    def done(self, name: str) -> None:
        """Count a unit as compiled."""
        with self._lock:
            self._done.add(name)
            if self._bar is not None:
                weight, done = self.weights[name], len(self._done)
                self._bar.update(self._task, advance=weight, description=name, done=done)
            if self._cell is not None:
                self._update_cell(name)

    def _update_cell(self, name: str) -> None:
        assert self._cell is not None
        weight = sum(self.weights[one] for one in self._done)
        self._cell.update(weight, name, shown=f"{len(self._done)}/{self.count}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self._cell is not None:
            self._cell.close()
