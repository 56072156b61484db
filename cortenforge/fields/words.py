"""`python -m cortenforge.fields.words`: bring the order of words up to date.

Compiled code has positions of words in it. A field keeps its word for as long as it exists, so that
a new field does not move others: `word_order.py` lists names in the order of their words. New names
take the places of names that are gone, or come behind all others, as they do until they are listed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.fields.word_order import DATA_ORDER, MODEL_ORDER
from cortenforge.kernel.language.layout import StructLayout

ORDER_FILE = Path(__file__).with_name("word_order.py")
HEADER = (
    '"""Fields in the order of their words; `python -m cortenforge.fields.words` writes it."""\n'
)


def updated_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """The order with new names in it, and without those that are gone."""
    present = list(names)
    kept = {*order} & {*present}
    new = [name for name in present if name not in kept]
    updated = []
    for name in order:
        if name in kept:
            updated.append(name)
        elif new:
            updated.append(new.pop(0))
    return updated + new


def order_text(model: StructLayout, data: StructLayout) -> str:
    """What `word_order.py` is to hold, for the fields that there are now."""
    parts = [HEADER]
    for name, layout, order in (
        ("MODEL_ORDER", model, MODEL_ORDER),
        ("DATA_ORDER", data, DATA_ORDER),
    ):
        names = " ".join(updated_order(layout.entries, order.split()))
        lines = textwrap.fill(names, 99, break_long_words=False, break_on_hyphens=False)
        parts.append(f'\n{name} = """\n{lines}\n"""\n')
    return "".join(parts)


def main() -> None:
    """Bring the order up to date."""
    ORDER_FILE.write_text(order_text(MODEL_LAYOUT, DATA_LAYOUT), encoding="utf-8")


if __name__ == "__main__":
    main()
