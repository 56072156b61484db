"""Random marks on textures: the pixels that MuJoCo marks, found with its generator and seed.

The generator is the 64-bit Mersenne Twister.  With NumPy its words are made in blocks,
as far as the recurrence reaches.  That is quick enough for usual textures; for very large ones the
loop is compiled, where there is a compiler, which takes a second once.  Marks of a starry sky are
kept beside compiled kernels, because many models have the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from cortenforge.kernel.load.cache import (
    caches_assets,
    has_compiler,
    prune_cached,
    read_cached,
    write_cached,
)

MT_WORDS = 312
MT_SHIFT = 156
MT_BLOCK = MT_WORDS - 1
MT_SEED = 42
MT_UPPER_MASK = np.uint64(0xFFFFFFFF80000000)
MT_LOWER_MASK = np.uint64(0x7FFFFFFF)
MT_TWIST = np.uint64(0xB5026F5AA96619E9)
ONE_BIT = np.uint64(1)
WORD_MASK = 2**64 - 1
UNIT_INTERVAL = 2.0**-64
# more pixels than this are left to the compiled loop
PLAIN_PIXELS = 2**22
PIXEL_CHUNK = 2**14
# marks of at least so many pixels are kept on disk
SKYBOX_PIXELS = 2**20
CACHE_SUFFIX = ".marks"
MAX_CACHED_FILES = 64 * 2**20


@lru_cache(maxsize=8)
def marked_pixels(count: int, probability: float) -> np.ndarray:
    """Which of so many pixels have a random number in [0, 1) below a probability."""
    if probability <= 0:
        return np.zeros(count, np.bool_)
    if count < SKYBOX_PIXELS or not caches_assets():
        return _computed_marks(count, probability)
    name = f"sky-{count}-{probability.hex()}{CACHE_SUFFIX}"
    kept = read_cached(name)
    if kept is None or len(kept) != -(-count // 8):
        kept = np.packbits(_computed_marks(count, probability)).tobytes()
        write_cached(name, kept)
        prune_cached(CACHE_SUFFIX, MAX_CACHED_FILES)
    return np.unpackbits(np.frombuffer(kept, np.uint8), count=count).view(np.bool_)


def _computed_marks(count: int, probability: float) -> np.ndarray:
    if count > PLAIN_PIXELS and has_compiler():
        return _compiled_marks()(_seeded(), count, probability)
    marks = np.empty(count, np.bool_)
    words = _first_words(count)
    for start in range(0, count, PIXEL_CHUNK):
        part = slice(start, start + PIXEL_CHUNK)
        marks[part] = _temper_words(words[part]) * UNIT_INTERVAL < probability
    return marks


def _seeded() -> np.ndarray:
    """The generator's state after seeding."""
    state = [MT_SEED]
    for i in range(1, MT_WORDS):
        before = state[-1]
        state.append((6364136223846793005 * (before ^ (before >> 62)) + i) & WORD_MASK)
    return np.array(state, np.uint64)


@cache
def _compiled_marks() -> Callable[[np.ndarray, int, float], np.ndarray]:
    """The loop over pixels, compiled; the compiler is loaded when it is needed."""
    from numba import njit

    return njit(cache=True)(marks_from_state)


def marks_from_state(state: np.ndarray, count: int, probability: float) -> np.ndarray:
    """Whether each pixel is marked, from a state that this uses up."""
    marks = np.zeros(count, np.bool_)
    for k in range(count):
        i = k % MT_WORDS
        word = (state[i] & MT_UPPER_MASK) | (state[(i + 1) % MT_WORDS] & MT_LOWER_MASK)
        word = state[(i + MT_SHIFT) % MT_WORDS] ^ (word >> ONE_BIT) ^ ((word & ONE_BIT) * MT_TWIST)
        state[i] = word
        word ^= (word >> np.uint64(29)) & np.uint64(0x5555555555555555)
        word ^= (word << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        word ^= (word << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        word ^= word >> np.uint64(43)
        marks[k] = word * UNIT_INTERVAL < probability
    return marks


def _first_words(count: int) -> np.ndarray:
    """The generator's first words, before tempering."""
    blocks = -(-count // MT_BLOCK)
    words = np.empty(MT_WORDS + blocks * MT_BLOCK, np.uint64)
    words[:MT_WORDS] = _seeded()
    high, low = np.empty(MT_BLOCK, np.uint64), np.empty(MT_BLOCK, np.uint64)
    early, late = high[:MT_SHIFT], high[MT_SHIFT:]
    for start in range(0, blocks * MT_BLOCK, MT_BLOCK):
        np.bitwise_and(words[start : start + MT_BLOCK], MT_UPPER_MASK, out=high)
        np.bitwise_and(words[start + 1 : start + MT_WORDS], MT_LOWER_MASK, out=low)
        high |= low
        low &= ONE_BIT
        low *= MT_TWIST
        high >>= ONE_BIT
        high ^= low
        middle, end = start + MT_SHIFT, start + MT_WORDS
        # the second part of a block needs words of the first
        np.bitwise_xor(words[middle:end], early, out=words[end : end + MT_SHIFT])
        np.bitwise_xor(
            words[end : end + MT_SHIFT - 1], late, out=words[end + MT_SHIFT : end + MT_BLOCK]
        )
    return words[MT_WORDS : MT_WORDS + count]


def _temper_words(words: np.ndarray) -> np.ndarray:
    """What the generator gives out for its words."""
    words = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
    words ^= (words << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
    words ^= (words << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
    words ^= words >> np.uint64(43)
    return words
