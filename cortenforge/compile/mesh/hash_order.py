"""Order of a hull's polygons in MuJoCo: the iteration order of libc++'s unordered_map.

MuJoCo groups coplanar faces in a hash map keyed by two integers of their normal's direction, and
lists polygons in its iteration order. That order matters: where several faces or edges could take
part in a contact, the first one does. In libc++ all elements are one linked list, those of a bucket
are adjacent, and a new element goes to the front of its bucket, or of the list for a new bucket.
"""

from __future__ import annotations

import functools

import numpy as np

from cortenforge.compile.mesh.polygon_kernels import table_order

#: constant that hashes of pairs are mixed with
GOLDEN = np.uint64(0x9E3779B9)
#: buckets of a table with one element
FEWEST_BUCKETS = 2


def hash_table_order(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Indices of distinct pairs of numbers in the iteration order of a table they were added to."""
    return order_of_hashes(_combined(_hashes(one), _hashes(other)))


def order_of_hashes(codes: np.ndarray) -> np.ndarray:
    """Indices of hashes in the iteration order of a table to which they were added."""
    stages, counts = [], []
    buckets, count = FEWEST_BUCKETS, 0
    while count < len(codes):
        # as many elements as there are buckets
        count = min(buckets, len(codes))
        stages.append(codes[:count] % np.uint64(buckets))
        counts.append(buckets)
        buckets = _next_prime(2 * buckets + 1)
    return table_order(stages, counts)


def _combined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Hashes of pairs, in 64 bits, by the golden-ratio mix."""
    mixed: np.ndarray = one ^ (other + GOLDEN + (one << np.uint64(6)) + (one >> np.uint64(2)))
    return mixed


def _hashes(numbers: np.ndarray) -> np.ndarray:
    """Hashes of numbers: their bits; both zeros are equal."""
    # -0 + 0 is 0
    return (np.asarray(numbers, np.float64) + 0.0).view(np.uint64)


@functools.cache
def _next_prime(count: int) -> int:
    """The smallest prime that is not smaller than a number."""
    while any(count % k == 0 for k in range(2, int(count**0.5) + 1)):
        count += 1
    return count
