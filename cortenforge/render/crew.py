"""Threads that draw parts of one picture. Its bytes are the same for any number of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.model.threads import Threads
from cortenforge.render.frame import Block, Frame, Hand
from cortenforge.render.layout import FIRST_LIGHT, MIRROR, PICTURE
from cortenforge.render.linkers import picture_linker

#: parts of a picture for each thread to shade: some take longer than others
TILES = 6
#: a view, and the first and last rows of its samples
Part = tuple[int, int, int]


class Crew:
    """Threads, each with memory of its own, that take parts of a picture until none is left."""

    def __init__(self, threads: int) -> None:
        whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
        if not whole or threads < 1:
            raise ArgumentError(f"threads: expected a whole number from 1, got {threads!r}")
        self.threads = min(int(threads), 4 * (os.cpu_count() or 1))
        self._hands = [Hand() for _ in range(self.threads)]
        self._threads = Threads(self.threads)

    def take(self, frame: Frame, shapes: Block, vertices: int) -> None:
        """Draw in a frame from now on."""
        self._frame, self._shapes = frame, shapes
        for hand in self._hands:
            hand.take(frame, vertices)

    def draw(self, entry: Any, parts: list[Part]) -> None:
        """Draw all parts."""
        left = iter(parts)
        if self.threads > 1:
            # compiled once, before there are threads
            picture_linker().function(entry)
        self._threads.each([partial(self._work, entry, left, hand) for hand in self._hands])

    def _work(self, entry: Any, left: Iterator[Part], hand: Hand) -> None:
        linker = picture_linker()
        for view, first, last in left:
            rows = self._frame.arrays["view_rows"]
            hand.arrays["view_rows"][: len(rows)] = np.clip(rows, first, last)
            hand.draw(linker, entry, self._shapes, view)

    def views(self, count: int) -> list[Part]:
        """Parts of all views: the picture's, its mirror's, and those from lights."""
        views = [*range(FIRST_LIGHT, count), PICTURE]
        if self._frame.words[self._frame.layout.entries["mirror"].word] >= 0:
            views.append(MIRROR)
        return [part for view in views for part in self._parts(view)]

    def _parts(self, view: int) -> list[Part]:
        """Rows of a view, divided where there is something to see."""
        arrays, room = self._frame.arrays, self._frame.room
        begin, end = (int(n) for n in arrays["view_rows"][view])
        count = int(self._frame.words[self._frame.layout.entries["nthing"].word])
        own = slice(view * room, view * room + count)
        spans = arrays["row_span"][own][arrays["is_seen"][own] != 0]
        top = max(int(spans[:, 0].min(initial=end)), begin)
        bottom = max(min(int(spans[:, 1].max(initial=begin)), end), top)
        cuts = [top + (bottom - top) * k // self.threads for k in range(1, self.threads)]
        return [(view, a, b) for a, b in zip([begin, *cuts], [*cuts, end], strict=True)]

    def rows(self) -> list[Part]:
        """The picture's rows of pixels, some for each part."""
        height, samples = self._frame.height, self._frame.samples
        count = 1 if self.threads == 1 else min(TILES * self.threads, height)
        cuts = [samples * (height * k // count) for k in range(count + 1)]
        return [(PICTURE, a, b) for a, b in pairwise(cuts)]
