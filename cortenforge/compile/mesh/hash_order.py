"""Order of a hull's polygons in MuJoCo: the iteration order of libc++'s unordered_map.

MuJoCo groups coplanar faces in a hash map keyed by two integers of their normal's direction, and
lists polygons in its iteration order. That order matters: where several faces or edges could take
part in a contact, the first one does. In libc++ all elements are one linked list, those of a bucket
are adjacent, and a new element goes to the front of its bucket, or of the list for a new bucket.
"""

from __future__ import annotations

import struct

#: markers before the first element, and after the last
FRONT = END = -1
#: constant that hashes of pairs are mixed with; mask of 64 bits
GOLDEN = 0x9E3779B9
ALL = (1 << 64) - 1


class HashTable:
    """A hash table with libc++'s iteration order; elements are numbered as they are added."""

    def __init__(self) -> None:
        self.hashes: list[int] = []
        self.buckets = 0
        self.after = {FRONT: END}
        #: predecessor of the first element of each bucket
        self.before: dict[int, int] = {}

    def add(self, code: int) -> None:
        """Add an element by its hash."""
        new = len(self.hashes)
        self.hashes.append(code)
        if new + 1 > self.buckets:
            self._rehash(_next_prime(2 * self.buckets + 1) if self.buckets else 2)
        place = self.before.get(code % self.buckets)
        if place is None:
            place = self.before[code % self.buckets] = FRONT
            following = self.after[FRONT]
            if following != END:
                self.before[self.hashes[following] % self.buckets] = new
        self.after[new], self.after[place] = self.after[place], new

    def _rehash(self, buckets: int) -> None:
        """Change the number of buckets, moving elements to the front of buckets as libc++ does."""
        self.buckets, self.before = buckets, {}
        last = FRONT
        while (this := self.after[last]) != END:
            bucket = self.hashes[this] % buckets
            in_last = last != FRONT and self.hashes[last] % buckets == bucket
            if in_last or bucket not in self.before:
                if not in_last:
                    self.before[bucket] = last
                last = this
            else:
                place = self.before[bucket]
                self.after[last] = self.after[this]
                self.after[this], self.after[place] = self.after[place], this

    def order(self) -> list[int]:
        """Elements in iteration order."""
        found, at = [], self.after[FRONT]
        while at != END:
            found.append(at)
            at = self.after[at]
        return found


def hash_table_order(keys: list[tuple[float, float]]) -> list[int]:
    """Indices of distinct keys in the iteration order of a table they were added to."""
    table = HashTable()
    for one, other in keys:
        table.add(_combined(_hash(one), _hash(other)))
    return table.order()


def _combined(one: int, other: int) -> int:
    """Hash of a pair, in 64 bits, by the golden-ratio mix."""
    return (one ^ (other + GOLDEN + (one << 6) + (one >> 2))) & ALL


def _hash(number: float) -> int:
    """Hash of a number: its bits; both zeros are equal."""
    return int.from_bytes(struct.pack("<d", number), "little") if number else 0


def _next_prime(count: int) -> int:
    """The smallest prime that is not smaller than a number."""
    while any(count % k == 0 for k in range(2, int(count**0.5) + 1)):
        count += 1
    return count
