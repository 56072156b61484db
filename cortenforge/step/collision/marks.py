"""Marks of near pairs: a bit for each candidate of the list, in memory of each world."""

from __future__ import annotations

from cortenforge.fields.data_contact import NNEARMAX
from cortenforge.kernel import bit, kernel, lane_bits, lowest_bit, without_lowest, world
from cortenforge.step.status import need, well


@kernel
def clear_marks(m, d):
    """No candidate is near, so far; whether there is room for their bits."""
    if m.nnearword > d.nnearmax:
        need(d, NNEARMAX, m.nnearword)
    else:
        for w in range(m.nnearword):
            d.near_word[w] = bit(0) ^ bit(0)


@kernel
def mark(d, p: int):
    """Set the bit of a candidate."""
    d.near_word[p >> 6] = d.near_word[p >> 6] | bit(p & 63)


@kernel
def toggle(d, p: int):
    """Clear the bit of a candidate that has it."""
    d.near_word[p >> 6] = d.near_word[p >> 6] ^ bit(p & 63)


@kernel
def leave_unmarked(d, p: int):
    """Do not ask for the contacts of a candidate in worlds that have not marked it."""
    if d.near_word[p >> 6] & bit(p & 63) == 0:
        d.asked = 0


@kernel(lanes=True)
def own_marks(d, w: int):
    """What is marked in one world, of 64 candidates."""
    return d.near_word[w]


@kernel(lanes=True)
def mark_where(d, p: int, hit):
    """Mark a candidate in the worlds where `hit` holds."""
    waiting = lane_bits(hit and well(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        mark(world(d, lane), p)


@kernel(lanes=True)
def unmark(d, p: int, out):
    """Take the mark of a candidate away in the worlds where `out` holds."""
    waiting = lane_bits(out and well(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        if own_marks(world(d, lane), p >> 6) & bit(p & 63) != 0:
            toggle(world(d, lane), p)
