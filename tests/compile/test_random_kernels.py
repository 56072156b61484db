"""The Mersenne Twister of textures: published numbers, and the same bits in every way."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.assets import random_kernels
from cortenforge.compile.assets.random_kernels import next_word, random_marks, uniform_deviate

pytestmark = pytest.mark.usefixtures("small_runs_plainly")


class State:
    """The state as the kernels see it."""

    def __init__(self, seed: int) -> None:
        words = [seed]
        for i in range(1, 312):
            words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + i) % 2**64)
        self.state = np.array(words, np.uint64).view(np.int64).tolist()


def test_the_generator_is_that_of_the_standard() -> None:
    """C++ says that number 10,000 of std::mt19937_64 by its own seed is 9981545732273789042."""
    made = State(5489)
    for k in range(10_000):
        word = next_word(made, k % 312)
    assert uniform_deviate(word) == 9981545732273789042 * 2.0**-64


@pytest.mark.parametrize("probability", [0.01, 0.5, 1.0])
def test_compiled_and_plain_marks_are_the_same(monkeypatch, probability) -> None:
    found = []
    for most in (0, 10**6):
        monkeypatch.setattr(random_kernels, "MAX_PLAIN_PIXELS", most)
        found.append(random_marks(3000, probability))
    assert np.array_equal(*found)
    assert abs(found[0].mean() - probability) < 0.03


def test_marks_begin_with_the_same_numbers() -> None:
    assert np.array_equal(random_marks(3000, 0.2)[:100], random_marks(100, 0.2))
