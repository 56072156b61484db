"""Random marks on textures: the pixels that MuJoCo marks, found with its generator and seed.

The generator is the 64-bit Mersenne Twister.  With NumPy its words are made in blocks,
as far as the recurrence reaches.  That is quick enough for usual textures; for very large ones the
loop is compiled, which takes a second once.  Marks of a starry sky are kept beside compiled
kernels, because many models have the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from cortenforge.kernel.load.cache import keeps_assets, prune_kept, read_kept, write_kept

WORDS = 312
REACH = 156
BLOCK = WORDS - 1
SEED = 42
UPPER = np.uint64(0xFFFFFFFF80000000)
LOWER = np.uint64(0x7FFFFFFF)
TWIST = np.uint64(0xB5026F5AA96619E9)
ONE = np.uint64(1)
MASK = 2**64 - 1
UNIT = 2.0**-64
# more pixels than this are left to the compiled loop
FEW = 2**22
CHUNK = 2**14
# marks of at least so many pixels are kept on disk
SKY = 2**20
SUFFIX = ".marks"
MOST_KEPT = 64 * 2**20


@lru_cache(maxsize=8)
def marked_pixels(count: int, probability: float) -> np.ndarray:
    """Which of so many pixels have a random number in [0, 1) below a probability."""
    if probability <= 0:
        return np.zeros(count, np.bool_)
    if count < SKY or not keeps_assets():
        return _found(count, probability)
    name = f"sky-{count}-{probability.hex()}{SUFFIX}"
    kept = read_kept(name)
    if kept is None or len(kept) != -(-count // 8):
        kept = np.packbits(_found(count, probability)).tobytes()
        write_kept(name, kept)
        prune_kept(SUFFIX, MOST_KEPT)
    return np.unpackbits(np.frombuffer(kept, np.uint8), count=count).view(np.bool_)


def _found(count: int, probability: float) -> np.ndarray:
    if count > FEW:
        return _compiled()(_seeded(), count, probability)
    marks = np.empty(count, np.bool_)
    words = _words(count)
    for start in range(0, count, CHUNK):
        part = slice(start, start + CHUNK)
        marks[part] = _tempered(words[part]) * UNIT < probability
    return marks


def _seeded() -> np.ndarray:
    """The generator's state after seeding."""
    state = [SEED]
    for i in range(1, WORDS):
        before = state[-1]
        state.append((6364136223846793005 * (before ^ (before >> 62)) + i) & MASK)
    return np.array(state, np.uint64)


@cache
def _compiled() -> Callable[[np.ndarray, int, float], np.ndarray]:
    """The loop over pixels, compiled; the compiler is loaded when it is needed."""
    from numba import njit

    return njit(cache=True)(marks_of)


def marks_of(state: np.ndarray, count: int, probability: float) -> np.ndarray:
    """Whether each pixel is marked, from a state that this uses up."""
    marks = np.zeros(count, np.bool_)
    for k in range(count):
        i = k % WORDS
        word = (state[i] & UPPER) | (state[(i + 1) % WORDS] & LOWER)
        word = state[(i + REACH) % WORDS] ^ (word >> ONE) ^ ((word & ONE) * TWIST)
        state[i] = word
        word ^= (word >> np.uint64(29)) & np.uint64(0x5555555555555555)
        word ^= (word << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        word ^= (word << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        word ^= word >> np.uint64(43)
        marks[k] = word * UNIT < probability
    return marks


def _words(count: int) -> np.ndarray:
    """The generator's first words, before tempering."""
    blocks = -(-count // BLOCK)
    words = np.empty(WORDS + blocks * BLOCK, np.uint64)
    words[:WORDS] = _seeded()
    high, low = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    early, late = high[:REACH], high[REACH:]
    for start in range(0, blocks * BLOCK, BLOCK):
        np.bitwise_and(words[start : start + BLOCK], UPPER, out=high)
        np.bitwise_and(words[start + 1 : start + WORDS], LOWER, out=low)
        high |= low
        low &= ONE
        low *= TWIST
        high >>= ONE
        high ^= low
        middle, end = start + REACH, start + WORDS
        # the second part of a block needs words of the first
        np.bitwise_xor(words[middle:end], early, out=words[end : end + REACH])
        np.bitwise_xor(words[end : end + REACH - 1], late, out=words[end + REACH : end + BLOCK])
    return words[WORDS : WORDS + count]


def _tempered(words: np.ndarray) -> np.ndarray:
    """What the generator gives out for its words."""
    words = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
    words ^= (words << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
    words ^= (words << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
    words ^= words >> np.uint64(43)
    return words
