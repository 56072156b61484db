"""The order in which MuJoCo's wheels list the sides of a hull.

MuJoCo keeps sides in a hash table by their direction, two whole numbers, and lists them as it
does. The order matters: where several sides or edges could take part in a contact, the first one
does. It is that of the C++ library in the wheels (libc++): all elements are one chain, those of a
bucket stand together, and a new one goes to the front of its bucket, or of the chain if there was
no bucket.
"""

from __future__ import annotations

import struct

#: what comes before the first element, and after the last
FRONT = END = -1
#: what hashes of pairs are mixed with, and their 64 bits
GOLDEN = 0x9E3779B9
ALL = (1 << 64) - 1


class Table:
    """A hash table as libc++ has it, of elements that are numbered in the order they come in."""

    def __init__(self) -> None:
        self.hashes: list[int] = []
        self.buckets = 0
        self.after = {FRONT: END}
        #: what stands before the first element of each bucket
        self.before: dict[int, int] = {}

    def add(self, code: int) -> None:
        """One more element."""
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
        """More buckets: along the chain, elements of a bucket that was there before go to it."""
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
        """The elements along the chain."""
        found, at = [], self.after[FRONT]
        while at != END:
            found.append(at)
            at = self.after[at]
        return found


def table_order(keys: list[tuple[float, float]]) -> list[int]:
    """Places of distinct keys, in the order of a table that took them one after another."""
    table = Table()
    for one, other in keys:
        table.add(_combined(_hash(one), _hash(other)))
    return table.order()


def _combined(one: int, other: int) -> int:
    """The hash of a pair, in 64 bits: the well-known mix with the golden ratio."""
    return (one ^ (other + GOLDEN + (one << 6) + (one >> 2))) & ALL


def _hash(number: float) -> int:
    """The bits of a number; both zeros are one."""
    return int.from_bytes(struct.pack("<d", number), "little") if number else 0


def _next_prime(count: int) -> int:
    """The smallest prime that is not smaller."""
    while any(count % k == 0 for k in range(2, int(count**0.5) + 1)):
        count += 1
    return count
