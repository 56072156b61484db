"""Progress bars for work that takes longer than a second."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any

from cortenforge.notebook import NotebookBar, in_notebook

#: seconds without a bar
BAR_DELAY = 1.0


class DelayedProgressBar:
    """A bar on a terminal, on standard error, or in a notebook, once work has taken a second."""

    def __init__(self, title: str, total: float) -> None:
        self.title, self.total, self.done = title, total, 0
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._bar: Any = None
        self._cell: NotebookBar | None = None

    def __enter__(self) -> DelayedProgressBar:
        return self

    def advance(self, count: int) -> None:
        """Add to the amount of work done."""
        with self._lock:
            self.done += count
            if self._bar is self._cell is None and time.monotonic() - self._start > BAR_DELAY:
                self._show()
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done)
            if self._cell is not None:
                self._cell.update(self.done)

    def _show(self) -> None:
        if in_notebook():
            self._cell = NotebookBar(self.title, self.total)
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("[bold]{task.description}[/]"),
            BarColumn(),
            TextColumn("{task.percentage:.0f}%"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bar.start()
        self._task = self._bar.add_task(self.title, total=self.total)

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
