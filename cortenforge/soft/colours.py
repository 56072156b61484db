"""Elements by colours: those of one colour share no vertex, and are worked on side by side."""

from __future__ import annotations

import numpy as np

#: colours are filled up to a multiple of this
WIDTH = 8


def colours_of(members: np.ndarray) -> np.ndarray:
    """A colour for each row of members, so that rows of one colour share none.

    Rows take the first colour that none of their members has seen: colours are few, and the first
    ones are the fullest.
    """
    seen = [0] * (int(members.max()) + 1 if members.size else 0)
    found = np.empty(len(members), np.int64)
    for row, numbers in enumerate(members.tolist()):
        taken = 0
        for number in numbers:
            taken |= seen[number]
        free = ~taken & (taken + 1)
        for number in numbers:
            seen[number] |= free
        found[row] = free.bit_length() - 1
    return found


def by_colour(members: np.ndarray, *, padded: bool) -> tuple[np.ndarray, np.ndarray]:
    """The order of rows by colours, and where each colour begins and ends.

    padded: each colour has a multiple of WIDTH rows; -1 stands for rows that are to be made up.
    Within a colour, rows go by their lowest member, so that memory is read in order.
    """
    colour = colours_of(members)
    lowest = members.min(axis=1) if len(members) else np.zeros(0, np.int64)
    order = np.lexsort((lowest, colour))
    counts = np.bincount(colour) if len(colour) else np.zeros(0, np.int64)
    parts: list[np.ndarray] = []
    ranges: list[tuple[int, int]] = []
    start = at = 0
    for count in counts.tolist():
        fill = -count % WIDTH if padded else 0
        parts += [order[start : start + count], np.full(fill, -1)]
        ranges.append((at, at + count + fill))
        start, at = start + count, at + count + fill
    rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    return rows.astype(np.int64), np.array(ranges, np.int32).reshape(-1, 2)
