"""Order of a hull's polygons in MuJoCo: the iteration order of libc++'s unordered_map.

MuJoCo groups coplanar faces in a hash map keyed by two integers of their normal's direction, and
lists polygons in its iteration order. That order matters: where several faces or edges could take
part in a contact, the first one does. In libc++ all elements are one linked list, those of a bucket
are adjacent, and a new element goes to the front of its bucket, or of the list for a new bucket.
"""

from __future__ import annotations

import numpy as np

#: markers before the first element, and after the last
FRONT = END = -1
#: constant that hashes of pairs are mixed with
GOLDEN = np.uint64(0x9E3779B9)
#: buckets of a table with one element
FEWEST_BUCKETS = 2


class HashTable:
    """A hash table with libc++'s iteration order; elements are numbered as they are added."""

    def __init__(self, codes: np.ndarray) -> None:
        """Add elements by their hashes."""
        self._codes = codes
        #: successor of each element, and in the last place that of FRONT
        self._after = [END] * (len(codes) + 1)
        #: predecessor of the first element of each bucket
        self._before: dict[int, int] = {}
        buckets, count = FEWEST_BUCKETS, 0
        while count < len(codes):
            # as many elements as there are buckets
            end = min(buckets, len(codes))
            bucket = (codes[:end] % np.uint64(buckets)).tolist()
            self._rehash(bucket)
            self._add(bucket, count)
            buckets, count = _next_prime(2 * buckets + 1), end

    def _add(self, bucket: list[int], start: int) -> None:
        """Add elements from `start` on, given the buckets of all elements so far."""
        after, before = self._after, self._before
        for new in range(start, len(bucket)):
            place = before.get(bucket[new])
            if place is None:
                place = before[bucket[new]] = FRONT
                following = after[FRONT]
                if following != END:
                    before[bucket[following]] = new
            after[new], after[place] = after[place], new

    def _rehash(self, bucket: list[int]) -> None:
        """Change the number of buckets, moving elements to the front of buckets as libc++ does."""
        after = self._after
        before = self._before = {}
        last = FRONT
        while (this := after[last]) != END:
            here = bucket[this]
            in_last = last != FRONT and bucket[last] == here
            if in_last or here not in before:
                if not in_last:
                    before[here] = last
                last = this
            else:
                place = before[here]
                after[last] = after[this]
                after[this], after[place] = after[place], this

    def order(self) -> list[int]:
        """Elements in iteration order."""
        found, at = [], self._after[FRONT]
        while at != END:
            found.append(at)
            at = self._after[at]
        return found


def hash_table_order(one: np.ndarray, other: np.ndarray) -> list[int]:
    """Indices of distinct pairs of numbers in the iteration order of a table they were added to."""
    return HashTable(_combined(_hashes(one), _hashes(other))).order()


def _combined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Hashes of pairs, in 64 bits, by the golden-ratio mix."""
    mixed: np.ndarray = one ^ (other + GOLDEN + (one << np.uint64(6)) + (one >> np.uint64(2)))
    return mixed


def _hashes(numbers: np.ndarray) -> np.ndarray:
    """Hashes of numbers: their bits; both zeros are equal."""
    # -0 + 0 is 0
    return (np.asarray(numbers, np.float64) + 0.0).view(np.uint64)


def _next_prime(count: int) -> int:
    """The smallest prime that is not smaller than a number."""
    while any(count % k == 0 for k in range(2, int(count**0.5) + 1)):
        count += 1
    return count
