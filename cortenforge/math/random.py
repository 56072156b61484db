"""Counter-based random numbers: pure functions of integers, with no state to carry along.

    (left, right) <- four rounds of   left, right = right, left ^ hash(right + key)

A Feistel cipher of two integers, keyed by a third. Two uniform numbers make a normal deviate
(Box-Muller): sqrt(-2 log u1) cos(2 pi u2).

Source: Box and Muller, A note on the generation of random normal deviates (1958).
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.trig import sin_cos

#: integers of the generator are in 0 .. 2^31 - 1, so that all targets agree on them
INT31_MASK = 2**31 - 1
FEISTEL_ROUNDS = 4
TWO_PI = 2.0 * math.pi
#: resolution of uniform numbers in 0 .. 1
UNIFORM_STEP = 2.0**-31


@kernel
def hashed_integer(x: int):
    """Integer hash (xor-shift and multiply) of 31 bits."""
    x = x ^ (x >> 15)
    x = (x * 739982445) & INT31_MASK
    x = x ^ (x >> 12)
    x = (x * 695872825) & INT31_MASK
    return x ^ (x >> 15)


@kernel
def feistel_cipher(left: int, right: int, key: int):
    """Two random integers from two others and a key."""
    for turn in range(FEISTEL_ROUNDS):
        part = ((key * FEISTEL_ROUNDS + turn + 1) * 668265263) & INT31_MASK
        mixed = left ^ hashed_integer((right + part) & INT31_MASK)
        left = right
        right = mixed
    return left, right


@kernel
def uniform_number(left: int):
    """A random integer as a real in 0 .. 1, both excluded."""
    return UNIFORM_STEP * (left + 0.5)


@kernel
def normal_number(left: int, right: int):
    """Two random integers as a standard normal deviate (Box-Muller)."""
    _sine, cosine = sin_cos(TWO_PI * uniform_number(right))
    return math.sqrt(-2.0 * math.log(uniform_number(left))) * cosine
