"""How a Model or a Data is laid out for kernels: a block of words, one a field.

A block is a small int64 array. The word of a size (`nbody`) is the number itself; the word of
anything else is the address of its first element. A batch is therefore many small blocks, and
per-world parameters are a block in which some addresses differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cortenforge.kernel.language.values import KINDS
from cortenforge.kernel.language.width import lane_width

#: worlds that run in lockstep
LANES = lane_width()


@dataclass(frozen=True)
class Entry:
    """One word of a block."""

    name: str
    kind: str  # "size", "real", "int", "byte" or a value kind
    trailing: tuple[int, ...]  # shape of one element, for plain numbers only
    is_scalar: bool  # the field is one element and is used as `d.time`, not `d.time[0]`
    word: int
    lanes: bool = False  # each number is one of eight worlds

    def __post_init__(self) -> None:
        if self.kind not in {"size", "real", "int", "byte", *KINDS}:
            raise ValueError(f"field {self.name}: unknown kind {self.kind!r}")


class StructLayout:
    """Names, kinds and word positions of a struct's fields."""

    def __init__(
        self,
        name: str,
        entries: Iterable[tuple[str, str, tuple[int, ...], bool]],
        *,
        constant: bool,
        lanes: frozenset[str] = frozenset(),
    ) -> None:
        self.name = name
        self.constant = constant
        self.entries = {
            row[0]: Entry(row[0], row[1], row[2], row[3], word, row[0] in lanes)
            for word, row in enumerate(entries)
        }

    def signature(self) -> str:
        """Text that changes whenever compiled code that uses the struct must change."""
        rows = (
            f"{e.name}:{e.kind}:{e.trailing}:{e.is_scalar}:{e.word}:{e.lanes}"
            for e in self.entries.values()
        )
        return f"{self.name}({self.constant})[{';'.join(rows)}]"
