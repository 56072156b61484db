"""The 64-bit Mersenne Twister, by which MuJoCo marks random pixels.

    x[k + 312] = x[k + 156] ^ twist(upper 33 bits of x[k], lower 31 bits of x[k + 1])

Integers are words of 64 bits with a sign. A shift to the right is followed by a mask, which takes
the bits that a signed shift would bring in.

Source: Matsumoto, Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform
pseudo-random number generator", ACM Transactions on Modeling and Computer Simulation 8(1), 1998;
Nishimura, "Tables of 64-bit Mersenne Twisters", the same 10(4), 2000.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

STATE_WORDS = 312
SHIFT_WORDS = 156
SEED = 42
SEED_FACTOR = 6364136223846793005
WORD_MASK = 2**64 - 1
UPPER_MASK = -(2**31)
LOWER_MASK = 2**31 - 1
WITHOUT_SIGN = 2**63 - 1
TWIST = 0xB5026F5AA96619E9 - 2**64
#: masks of tempering; those behind shifts to the right without the bits of the sign
FIRST_MASK = 0x5555555555555555 & (2**35 - 1)
SECOND_MASK = 0x71D67FFFEDA60000
THIRD_MASK = 0xFFF7EEE000000000 - 2**64
LAST_MASK = 2**21 - 1
HALF_MASK = 2**32 - 1
HALF_WORD = 2.0**32
UNIT_INTERVAL = 2.0**-64
#: fewer pixels are marked in Python in the time that it takes to load compiled code
MAX_PLAIN_PIXELS = 1000

PIXEL_LAYOUT = StructLayout(
    "RandomPixels",
    [("npixel", "size", (), True), ("probability", "real", (), True)],
    constant=True,
)
MARK_LAYOUT = StructLayout(
    "RandomMarks",
    [("state", "word", (), False), ("mark", "byte", (), False)],
    constant=False,
)


@kernel
def next_word(d, i: int):
    """The word of a place of the state, which is replaced by the next one."""
    after = i + 1 if i + 1 < STATE_WORDS else 0
    middle = i + SHIFT_WORDS if i + SHIFT_WORDS < STATE_WORDS else i + SHIFT_WORDS - STATE_WORDS
    joined = (d.state[i] & UPPER_MASK) | (d.state[after] & LOWER_MASK)
    word = d.state[middle] ^ ((joined >> 1) & WITHOUT_SIGN)
    if joined & 1 == 1:
        word = word ^ TWIST
    d.state[i] = word
    return word


@kernel
def uniform_deviate(word: int):
    """A real in [0, 1] from a word of the state, tempered; rounded once."""
    word = word ^ ((word >> 29) & FIRST_MASK)
    word = word ^ ((word << 17) & SECOND_MASK)
    word = word ^ ((word << 37) & THIRD_MASK)
    word = word ^ ((word >> 43) & LAST_MASK)
    high = 1.0 * ((word >> 32) & HALF_MASK)
    low = 1.0 * (word & HALF_MASK)
    return (high * HALF_WORD + low) * UNIT_INTERVAL


@kernel(entry=True)
def mark_pixels(m, d, count: int):
    """Mark each pixel whose random number is below a probability."""
    i = 0
    for k in range(m.npixel):
        if uniform_deviate(next_word(d, i)) < m.probability:
            d.mark[k] = 1
        i = i + 1 if i + 1 < STATE_WORDS else 0
    return 0


@registered(lambda: [mark_pixels])
def mark_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(PIXEL_LAYOUT, MARK_LAYOUT)


def random_marks(count: int, probability: float) -> np.ndarray:
    """Which of so many pixels have a random number below a probability."""
    given = {"npixel": count, "probability": np.array([probability])}
    made = {"state": _seeded(), "mark": np.zeros(count, np.uint8)}
    run_on(mark_pixels, mark_linker, given, made, small=count < MAX_PLAIN_PIXELS)
    return made["mark"].view(np.bool_)


def _seeded() -> np.ndarray:
    """The generator's state after seeding."""
    state = [SEED]
    for i in range(1, STATE_WORDS):
        before = state[-1]
        state.append((SEED_FACTOR * (before ^ (before >> 62)) + i) & WORD_MASK)
    return np.array(state, np.uint64).view(np.int64)
