"""The random numbers of a program's worlds, as arrays: for checks, and for tasks in NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cortenforge.math.random import feistel_cipher, uniform_number


def uniform_draws(
    seed: int, worlds: npt.ArrayLike, episodes: npt.ArrayLike, first: int, count: int
) -> np.ndarray:
    """Uniform numbers in 0 .. 1, (worlds, count), with the bits that kernels have.

    first: number of the first draw in the episode; a program's `reset` begins at 0.

    >>> noise = uniform_draws(seed, np.arange(n), episode, 0, model.nq)
    """
    worlds, episodes = np.broadcast_arrays(np.asarray(worlds, int), np.asarray(episodes, int))
    high, low = feistel_cipher(np.full(worlds.shape, int(seed)), worlds, episodes)
    drawn = first + np.arange(count)
    left, _ = feistel_cipher(high[:, None], low[:, None], drawn[None])
    numbers: np.ndarray = uniform_number(left)
    return numbers
