"""Graph colouring of elements: one colour shares no vertex, so eight are done at once."""

from __future__ import annotations

import numpy as np

#: each colour is filled up to a multiple of this many elements
COLOUR_MULTIPLE = 8


def greedy_colours(members: np.ndarray) -> np.ndarray:
    """Greedy colouring (n,) of rows of members (n, k): rows of one colour share no member.

    Each row takes the lowest colour that none of its members has yet, so colours are few, and the
    first ones are the fullest. `seen` has the colours of each member as bits.
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


def order_by_colour(members: np.ndarray, *, padded: bool) -> tuple[np.ndarray, np.ndarray]:
    """(order, ranges): rows in the order of their colours, and the (first, end) of each colour.

    padded: each colour has a multiple of eight rows; -1 in `order` is a row to be filled up.
    Within a colour, rows go by their lowest member, so that memory is read in order.
    """
    colour = greedy_colours(members)
    lowest = members.min(axis=1) if len(members) else np.zeros(0, np.int64)
    order = np.lexsort((lowest, colour))
    counts = np.bincount(colour) if len(colour) else np.zeros(0, np.int64)
    parts: list[np.ndarray] = []
    ranges: list[tuple[int, int]] = []
    start = at = 0
    for count in counts.tolist():
        fill = -count % COLOUR_MULTIPLE if padded else 0
        parts += [order[start : start + count], np.full(fill, -1)]
        ranges.append((at, at + count + fill))
        start, at = start + count, at + count + fill
    rows = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    return rows.astype(np.int64), np.array(ranges, np.int32).reshape(-1, 2)
