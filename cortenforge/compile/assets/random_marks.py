"""Random marks on textures: the pixels that MuJoCo marks, found with its generator and seed.

Marks of a starry sky are kept beside compiled kernels, because many models have the same one.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from cortenforge.compile.assets.random_kernels import random_marks
from cortenforge.kernel.load.cache import caches_assets, prune_cached, read_cached, write_cached

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
        return random_marks(count, probability)
    name = f"sky-{count}-{probability.hex()}{CACHE_SUFFIX}"
    kept = read_cached(name)
    if kept is None or len(kept) != -(-count // 8):
        marks = random_marks(count, probability)
        write_cached(name, np.packbits(marks).tobytes())
        prune_cached(CACHE_SUFFIX, MAX_CACHED_FILES)
        return marks
    return np.unpackbits(np.frombuffer(kept, np.uint8), count=count).view(np.bool_)
