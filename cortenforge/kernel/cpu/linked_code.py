"""Machine code that runs wherever it is in memory, and what it needs to know there.

Behind the code, from the next page on, is a word for everything outside that it refers to: the
address of a function of C, or of the slot of a unit. Code finds its words relative to itself, so
nothing is written into code, and the pages that hold it are the same in all processes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

WORD = 8


@dataclass(frozen=True)
class CodeLayout:
    """What is where in linked code, of one unit or of many.

    length:    bytes of code and constants.
    words:     what the words behind the code stand for, in their order.
    functions: where functions begin.
    page:      words begin at the next multiple of it.
    """

    length: int
    words: tuple[str, ...]
    functions: Mapping[str, int]
    page: int

    @property
    def words_start(self) -> int:
        """Where words begin."""
        return page_end(self.length, self.page)

    @property
    def size(self) -> int:
        """Bytes that code and words take in memory."""
        return page_end(self.words_start + WORD * len(self.words), self.page)

    def described(self) -> dict[str, Any]:
        """What `checked_layout` takes."""
        return {**asdict(self), "words": list(self.words)}


@dataclass(frozen=True)
class LinkedCode:
    """Instructions and constants, and what is where in them."""

    code: bytes
    layout: CodeLayout

    def to_bytes(self) -> bytes:
        return json.dumps(self.layout.described()).encode() + b"\n" + self.code


def page_end(size: int, page: int) -> int:
    """The first multiple of a page that is not below a size."""
    return -(-size // page) * page


def read_linked_code(kept: bytes, function: str) -> LinkedCode | None:
    """What was kept of linked code that holds a function; None if this is something else."""
    head, _, code = kept.partition(b"\n")
    try:
        layout = checked_layout(json.loads(head))
    except ValueError:
        return None
    whole = layout.length == len(code) and function in layout.functions
    return LinkedCode(code, layout) if whole else None


def checked_layout(described: Any) -> CodeLayout:
    """A layout in which everything lies where it can; otherwise a ValueError."""
    try:
        length, words, functions, page = (
            described[name] for name in ("length", "words", "functions", "page")
        )
        numbers = [length, page, *functions.values()]
        good = (
            all(type(number) is int for number in numbers)
            and all(type(name) is str for name in (*words, *functions))
            and all(0 <= start < length for start in functions.values())
            and page > 0
            and page % 4096 == 0
        )
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"this does not describe code: {error!r}") from error
    if not good:
        raise ValueError("this does not describe code")
    return CodeLayout(length, tuple(words), functions, page)
