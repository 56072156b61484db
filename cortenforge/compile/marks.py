"""Random marks on textures: the pixels that MuJoCo marks, found with its generator and seed.

The generator is the 64-bit Mersenne Twister.  Its words are made 156 at a time, which is as far as
the recurrence reaches without using its own results, and tempered all at once.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

WORDS = 312
REACH = 156
SEED = 42
UPPER = np.uint64(0xFFFFFFFF80000000)
LOWER = np.uint64(0x7FFFFFFF)
TWIST = np.uint64(0xB5026F5AA96619E9)
ONE = np.uint64(1)
MASK = 2**64 - 1


@lru_cache(maxsize=8)
def marked_pixels(count: int, probability: float) -> np.ndarray:
    """Numbers of the pixels, of so many, whose random number in [0, 1) is below a probability."""
    if probability <= 0:
        return np.zeros(0, np.int64)
    numbers = _tempered(_words(count)).astype(np.float64)
    numbers *= 2.0**-64
    found = np.flatnonzero(numbers < probability)
    found.setflags(write=False)
    return found


def _words(count: int) -> np.ndarray:
    """The generator's first words, before tempering."""
    state = [SEED]
    for i in range(1, WORDS):
        before = state[-1]
        state.append((6364136223846793005 * (before ^ (before >> 62)) + i) & MASK)
    blocks = -(-count // REACH)
    words = np.empty(WORDS + blocks * REACH, np.uint64)
    words[:WORDS] = state
    high, low = np.empty(REACH, np.uint64), np.empty(REACH, np.uint64)
    for start in range(0, blocks * REACH, REACH):
        middle = start + REACH
        np.bitwise_and(words[start:middle], UPPER, out=high)
        np.bitwise_and(words[start + 1 : middle + 1], LOWER, out=low)
        high |= low
        low &= ONE
        low *= TWIST
        high >>= ONE
        high ^= low
        end = middle + REACH
        np.bitwise_xor(words[middle:end], high, out=words[end : end + REACH])
    return words[WORDS : WORDS + count]


def _tempered(words: np.ndarray) -> np.ndarray:
    """What the generator gives out for its words."""
    words = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
    words ^= (words << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
    words ^= (words << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
    words ^= words >> np.uint64(43)
    return words
