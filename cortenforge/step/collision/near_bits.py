"""Near pairs as bits: one for each candidate, in words of 64, for each world."""

from __future__ import annotations

from cortenforge.fields.data_contact import NNEARMAX
from cortenforge.kernel import bit, kernel, lane_bits, lowest_bit, without_lowest, world
from cortenforge.step.status import is_ok, need


@kernel
def clear_near_bits(m, d):
    """Clear all bits; request memory if there is too little for them."""
    if m.nnearword > d.nnearmax:
        need(d, NNEARMAX, m.nnearword)
    else:
        for w in range(m.nnearword):
            d.near_word[w] = bit(0) ^ bit(0)


@kernel
def set_near_bit(d, p: int):
    """Set the bit of a candidate."""
    d.near_word[p >> 6] = d.near_word[p >> 6] | bit(p & 63)


@kernel
def toggle_near_bit(d, p: int):
    """Clear the bit of a candidate whose bit is set."""
    d.near_word[p >> 6] = d.near_word[p >> 6] ^ bit(p & 63)


@kernel
def skip_if_not_near(d, p: int):
    """Skip a candidate in worlds whose bit is not set: set `d.asked` to 0 there."""
    if d.near_word[p >> 6] & bit(p & 63) == 0:
        d.asked = 0


@kernel(lanes=True)
def near_bits_of_world(d, w: int):
    """The bits of 64 candidates in one world."""
    return d.near_word[w]


@kernel(lanes=True)
def set_near_bit_in_lanes(d, p: int, hit):
    """Set a candidate's bit in the worlds where `hit` holds."""
    waiting = lane_bits(hit and is_ok(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        set_near_bit(world(d, lane), p)


@kernel(lanes=True)
def clear_near_bit_in_lanes(d, p: int, out):
    """Clear a candidate's bit in the worlds where `out` holds."""
    waiting = lane_bits(out and is_ok(d))
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        if near_bits_of_world(world(d, lane), p >> 6) & bit(p & 63) != 0:
            toggle_near_bit(world(d, lane), p)
