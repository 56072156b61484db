"""Threads that draw parts of one picture; its bytes do not depend on their number."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.model.calls.threads import ThreadPool
from cortenforge.render.frame import Frame, StructMemory, ThreadFrame
from cortenforge.render.layout import FIRST_LIGHT_VIEW, MIRROR_VIEW, PICTURE_VIEW
from cortenforge.render.linkers import render_linker

#: parts of a picture for each thread to shade: a balance of load, since parts differ in cost
PARTS_PER_THREAD = 6
#: a view, and the first and last rows of its samples (view, first, last)
ViewRows = tuple[int, int, int]


class RenderThreads:
    """Threads, each with its own scratch memory, that take parts of a picture from one list."""

    def __init__(self, threads: int) -> None:
        whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
        if not whole or threads < 1:
            raise ArgumentError(f"threads: expected a whole number from 1, got {threads!r}")
        self.threads = min(int(threads), 4 * (os.cpu_count() or 1))
        self._thread_frames = [ThreadFrame() for _ in range(self.threads)]
        self._threads = ThreadPool(self.threads)

    def use_frame(self, frame: Frame, shapes: StructMemory, vertices: int) -> None:
        """Use a frame from now on; no shape has more than `vertices` vertices."""
        self._frame, self._shapes = frame, shapes
        for thread_frame in self._thread_frames:
            thread_frame.use_frame(frame, vertices)

    def run_entry(self, entry: Any, parts: list[ViewRows]) -> None:
        """Run an entry on all parts."""
        left = iter(parts)
        if self.threads > 1:
            # compile once, before threads start
            render_linker().function(entry)
        self._threads.each(
            [
                partial(self._run_parts, entry, left, thread_frame)
                for thread_frame in self._thread_frames
            ]
        )

    def _run_parts(self, entry: Any, left: Iterator[ViewRows], thread_frame: ThreadFrame) -> None:
        linker = render_linker()
        for view, first, last in left:
            rows = self._frame.arrays["view_rows"]
            thread_frame.arrays["view_rows"][: len(rows)] = np.clip(rows, first, last)
            thread_frame.run_entry(linker, entry, self._shapes, view)

    def view_parts(self, count: int) -> list[ViewRows]:
        """Parts of all views to rasterise: those of lights, the picture's and its mirror's."""
        views = [*range(FIRST_LIGHT_VIEW, count), PICTURE_VIEW]
        if self._frame.words[self._frame.layout.entries["mirror"].word] >= 0:
            views.append(MIRROR_VIEW)
        return [part for view in views for part in self._parts(view)]

    def _parts(self, view: int) -> list[ViewRows]:
        """Rows of a view, divided evenly where there are instances to see."""
        arrays, capacity = self._frame.arrays, self._frame.capacity
        begin, end = (int(n) for n in arrays["view_rows"][view])
        count = int(self._frame.words[self._frame.layout.entries["ninstance"].word])
        own = slice(view * capacity, view * capacity + count)
        spans = arrays["row_span"][own][arrays["is_seen"][own] != 0]
        top = max(int(spans[:, 0].min(initial=end)), begin)
        bottom = max(min(int(spans[:, 1].max(initial=begin)), end), top)
        cuts = [top + (bottom - top) * k // self.threads for k in range(1, self.threads)]
        return [(view, a, b) for a, b in zip([begin, *cuts], [*cuts, end], strict=True)]

    def picture_parts(self) -> list[ViewRows]:
        """Parts of the picture to shade: rows of whole pixels."""
        height, samples = self._frame.height, self._frame.samples
        count = 1 if self.threads == 1 else min(PARTS_PER_THREAD * self.threads, height)
        cuts = [samples * (height * k // count) for k in range(count + 1)]
        return [(PICTURE_VIEW, a, b) for a, b in pairwise(cuts)]
