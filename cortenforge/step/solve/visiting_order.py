"""Visiting order of Gauss-Seidel: MuJoCo's shuffle, from the PCG32 random number generator.

In a fixed order, errors would run around in circles. The 64 bits of state are kept in pieces of
nine bits, so that no target needs wider integers than it has.
Source: M. O'Neill, PCG: a family of simple fast space-efficient statistically good algorithms for
random number generation, 2014.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.constants import CONTACT_ELLIPTIC

PCG_MULTIPLIER = 6364136223846793005
#: bits of a piece
PIECE_MASK = (1 << 9) - 1
#: orders of up to so many visits are kept, of so many sweeps: a draw takes longer than a visit
KEPT_VISITS, KEPT_SWEEPS = 10, 64
#: numbers of all of them
KEPT_ORDERS = KEPT_SWEEPS * KEPT_VISITS * (KEPT_VISITS + 1) // 2
M0, M1, M2, M3 = (PCG_MULTIPLIER >> (9 * k) & PIECE_MASK for k in range(4))
M4, M5, M6, M7 = (PCG_MULTIPLIER >> (9 * k) & PIECE_MASK for k in range(4, 8))


@kernel
def reset_visiting_order(d, island: int):
    """List bounded rows and cones in the order of all rows, and reset the generator; the count.

    A cone is numbered behind all bounded rows.
    """
    first, count, rows, cones = d.island_efcadr[island], 0, 0, 0
    for k in range(first, first + d.island_nefc[island]):
        e = d.map_iefc2efc[k]
        if d.efc_type[e] != CONTACT_ELLIPTIC:
            d.iefc_turn[count] = rows
            rows += 1
            count += 1
        elif d.contact_efc_address[d.efc_id[e]] == e:
            d.iefc_turn[count] = d.island_bounded + cones
            cones += 1
            count += 1
    reset_generator(d)
    return count


@kernel
def shuffle_visits(d, count: int):
    """Shuffle the visiting order, by Fisher and Yates.  Mirrors shuffle_int."""
    for k in range(count - 1, 0, -1):
        other = random_below(d, k + 1)
        kept = d.iefc_turn[k]
        d.iefc_turn[k] = d.iefc_turn[other]
        d.iefc_turn[other] = kept


@kernel
def can_keep_orders(m, count: int):
    """Whether orders of so many visits are kept, for all sweeps that there can be."""
    return count <= KEPT_VISITS and m.opt_iterations <= KEPT_SWEEPS


@kernel
def keep_visiting_orders(d, count: int):
    """Compute the orders of so many visits, if this world has not done so yet.

    They are the same in every solve, since the generator begins anew. Numbers are one higher: zero
    is what memory holds at first.
    """
    start = KEPT_SWEEPS * (count * (count - 1) >> 1)
    if d.visit_order[start] == 0:
        for k in range(count):
            d.iefc_turn[k] = k
        reset_generator(d)
        for sweep in range(KEPT_SWEEPS):
            shuffle_visits(d, count)
            for k in range(count):
                d.visit_order[start + sweep * count + k] = d.iefc_turn[k] + 1


@kernel
def load_visiting_order(d, count: int, sweep: int):
    """Load the order of a sweep that was kept."""
    start = KEPT_SWEEPS * (count * (count - 1) >> 1) + sweep * count
    for k in range(count):
        d.iefc_turn[k] = d.visit_order[start + k] - 1


@kernel
def reset_generator(d):
    """Reset the random generator."""
    d.iefc_seed[0] = 1
    for k in range(1, 8):
        d.iefc_seed[k] = 0


@kernel
def random_below(d, count: int):
    """Next random integer, below count: PCG32 output modulo count."""
    s3, s4, s5 = d.iefc_seed[3], d.iefc_seed[4], d.iefc_seed[5]
    s6, s7 = d.iefc_seed[6], d.iefc_seed[7]
    advance_pcg32(d)
    # bits 27 to 58 of the state and of itself 18 bits on, in two halves
    x4 = s4 ^ s6
    low = ((s3 ^ s5) + 512 * x4) & 65535
    high = (x4 >> 7) + 4 * (s5 ^ s7) + 2048 * (s6 & 31)
    # turned by as much as its last five bits say
    by = (s6 >> 5) + 16 * s7
    if by > 15:
        by -= 16
        kept = low
        low = high
        high = kept
    over = 65536 >> by
    right = ((low >> by) + high * over) & 65535
    left = ((high >> by) + low * over) & 65535
    rest = integer_remainder(256 * integer_remainder(left, count) + (right >> 8), count)
    return integer_remainder(256 * rest + (right & 255), count)


@kernel
def integer_remainder(x: int, count: int):
    """x modulo count; a quotient of reals may be one off."""
    rest = x - count * math.floor(x / count)
    if rest < 0:
        rest += count
    elif rest >= count:
        rest -= count
    return rest


@kernel
def advance_pcg32(d):
    """state <- state * PCG_MULTIPLIER + 1, modulo 2^64, in pieces of nine bits."""
    s0, s1, s2, s3 = d.iefc_seed[0], d.iefc_seed[1], d.iefc_seed[2], d.iefc_seed[3]
    s4, s5, s6, s7 = d.iefc_seed[4], d.iefc_seed[5], d.iefc_seed[6], d.iefc_seed[7]
    total = s0 * M0 + 1
    d.iefc_seed[0] = total & PIECE_MASK
    total = (total >> 9) + s0 * M1 + s1 * M0
    d.iefc_seed[1] = total & PIECE_MASK
    total = (total >> 9) + s0 * M2 + s1 * M1 + s2 * M0
    d.iefc_seed[2] = total & PIECE_MASK
    total = (total >> 9) + s0 * M3 + s1 * M2 + s2 * M1 + s3 * M0
    d.iefc_seed[3] = total & PIECE_MASK
    total = (total >> 9) + s0 * M4 + s1 * M3 + s2 * M2 + s3 * M1 + s4 * M0
    d.iefc_seed[4] = total & PIECE_MASK
    total = (total >> 9) + s0 * M5 + s1 * M4 + s2 * M3 + s3 * M2 + s4 * M1 + s5 * M0
    d.iefc_seed[5] = total & PIECE_MASK
    total = (total >> 9) + s0 * M6 + s1 * M5 + s2 * M4 + s3 * M3 + s4 * M2 + s5 * M1 + s6 * M0
    d.iefc_seed[6] = total & PIECE_MASK
    total = (total >> 9) + s0 * M7 + s1 * M6 + s2 * M5 + s3 * M4 + s4 * M3 + s5 * M2 + s6 * M1
    # of the last piece there is one bit
    d.iefc_seed[7] = (total + s7 * M0) & 1
