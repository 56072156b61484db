"""How a Model or a Data is laid out for kernels: a block of words, one a field.

A block is a small int64 array. The word of a size (`nbody`) is the number itself; the word of
anything else is the address of its first element. A batch is therefore many small blocks, and
per-world parameters are a block in which some addresses differ. The first word of a block of
worlds in lockstep leads to the blocks of each of them.

Compiled code has the positions of words in it. So a field keeps its position when others are added
(see `fields.word_order`), and the length of a block is rounded up: after a new field, only units
that use it are compiled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cortenforge.kernel.language.values import KINDS
from cortenforge.kernel.language.width import lane_width

#: worlds that run in lockstep
LANES = lane_width()

#: the word that leads to the blocks of a group's worlds; fields follow it
WORLDS_WORD = 0
#: lengths of blocks are multiples of this
BLOCK_MULTIPLE = 32

#: how a struct reaches the numbers of a field
PLAIN = "plain"  # one after another: a single world, or what all worlds share
LANES_OF = "lanes"  # a vector of all worlds of a group at once
ONE_OF = "one of lanes"  # those of one world among the others of its group


@dataclass(frozen=True)
class Entry:
    """One word of a block."""

    name: str
    kind: str  # "size", "real", "single", "int", "byte", "word" or a value kind
    trailing: tuple[int, ...]  # shape of one element, for plain numbers only
    is_scalar: bool  # the field is one element and is used as `d.time`, not `d.time[0]`
    word: int
    #: "lanes": worlds in lockstep share its memory; "world": each has its own; "group": both
    home: str = "lanes"
    access: str = PLAIN
    differs: bool = False  # for a model: worlds of a batch may have values of their own

    def __post_init__(self) -> None:
        if self.kind not in {"size", "real", "single", "int", "byte", "word", *KINDS}:
            raise ValueError(f"field {self.name}: unknown kind {self.kind!r}")

    @property
    def signature(self) -> str:
        """Text that changes whenever code that reads or writes the field must."""
        return f"{self.name}:{self.kind}:{self.trailing}:{self.is_scalar}:{self.word}:{self.access}"


def word_positions(names: Iterable[str], order: Sequence[str]) -> dict[str, int]:
    """The word of each name: its place in the order, or behind it."""
    first = WORLDS_WORD + 1
    known = {name: word for word, name in enumerate(order, first)}
    found: dict[str, int] = {}
    behind = first + len(order)
    for name in names:
        if name in known:
            found[name] = known[name]
        else:
            found[name], behind = behind, behind + 1
    return found


#: what a row of a layout says: name, kind, trailing shape, whether it is one element
Row = tuple[str, str, tuple[int, ...], bool]


class StructLayout:
    """Names, kinds and word positions of a struct's fields."""

    #: of a struct of several worlds: the struct of one of them
    of_one: StructLayout | None = None
    #: whether it is that struct of one of them
    is_of_group: bool = False

    def __init__(self, name: str, rows: Iterable[Row | Entry], *, constant: bool) -> None:
        self.name = name
        self.constant = constant
        entries = (
            row if isinstance(row, Entry) else Entry(*row, word)
            for word, row in enumerate(rows, WORLDS_WORD + 1)
        )
        self.entries = {entry.name: entry for entry in entries}
        words = {entry.word for entry in self.entries.values()}
        if len(words) < len(self.entries) or WORLDS_WORD in words:
            raise ValueError(f"fields of {name} need words of their own, from {WORLDS_WORD + 1} on")

    @cached_property
    def words(self) -> int:
        """Length of a block."""
        last = max((entry.word for entry in self.entries.values()), default=WORLDS_WORD)
        return -(-(last + 1) // BLOCK_MULTIPLE) * BLOCK_MULTIPLE

    def block(self, words: Mapping[str, int]) -> np.ndarray:
        """A block in which these fields have these words; those of others are zero."""
        made = np.zeros(self.words, np.int64)
        for name, word in words.items():
            made[self.entries[name].word] = word
        return made

    def in_lanes(
        self, name: str, chosen: Callable[[Entry], bool], extra: Iterable[Row] = ()
    ) -> StructLayout:
        """The struct of eight worlds in lockstep: chosen fields are vectors.

        Fields of a Model that are not chosen are shared by all worlds. Those of a Data belong to
        each world, and only kernels of one world see them; of a group's fields, kernels of one
        world see that world's own. `extra` fields are the group's, too.
        """
        entries = list(self.entries.values())
        own = [replace(entry, access=LANES_OF) for entry in entries if chosen(entry)]
        shared = [
            entry
            for entry in entries
            if not chosen(entry) and (self.constant or entry.home == "group")
        ]
        more = [Entry(*row, self.words + k) for k, row in enumerate(extra)]
        made = StructLayout(name, [*own, *shared, *more], constant=self.constant)
        made.of_one = StructLayout(
            f"{name}World",
            [
                replace(entry, access=ONE_OF) if chosen(entry) and entry.home != "group" else entry
                for entry in entries
            ],
            constant=self.constant,
        )
        made.of_one.is_of_group = True
        return made

    def signature(self) -> str:
        """Text that changes whenever any field does."""
        inner = self.of_one.signature() if self.of_one else ""
        return f"{self.name} {self.signature_of(self.entries)} {inner}"

    def signature_of(self, names: Iterable[str]) -> str:
        """Text that changes whenever compiled code that uses these fields must change."""
        used = sorted(set(names) & self.entries.keys())
        rows = ";".join(self.entries[name].signature for name in used)
        inner = f"{self.of_one.words} {self.of_one.signature_of(used)}" if self.of_one else ""
        return f"({self.constant} {self.is_of_group})[{rows}]{inner}"
