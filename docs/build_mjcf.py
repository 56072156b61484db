"""Fill the lists of docs/mjcf.md from the grammar.

python docs/build_mjcf.py            write the page
python docs/build_mjcf.py --check    exit 1 if the page is not what would be written
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from cortenforge.grammar.rule import Rule
from cortenforge.grammar.rules import LATER_SECTIONS, RULES
from cortenforge.grammar.tables.equality import INSIDE
from cortenforge.grammar.tables.sensor import SENSORS

PAGE = Path(__file__).with_name("mjcf.md")


def rules() -> Iterator[tuple[str, Rule]]:
    """Every rule of the grammar with the name of its element."""
    yield from RULES.items()
    yield from ((f"equality/{tag}", rule) for tag, rule in INSIDE.items() if tag not in RULES)
    yield from ((f"sensor/{tag}", rule) for tag, rule in SENSORS.items())


def refused() -> str:
    """Features of MuJoCo that the reader refuses by name: elements, attributes, values."""
    elements: dict[str, list[str]] = {}
    others: list[tuple[str, str]] = []
    for name, rule in rules():
        for child in sorted(rule.later_children):
            elements.setdefault(child, []).append(f"`{name}`")
        others += [(f"attribute `{one}`", f"`{name}`") for one in sorted(rule.later_attributes)]
        for attribute in rule.attributes.values():
            words = " ".join(f"`{word}`" for word in attribute.later)
            others += [(f"`{attribute.name}` with {words}", f"`{name}`")] if words else []
    listed = [(f"`<{child}>`", ", ".join(places)) for child, places in sorted(elements.items())]
    inside = (f"`{name}` ({', '.join(sorted(tags))})" for name, tags in LATER_SECTIONS.items())
    rows = "\n".join(f"| {what} | {where} |" for what, where in listed + others)
    return f"Whole sections: {'; '.join(inside)}.\n\n| refused | in |\n| --- | --- |\n{rows}"


def removed() -> str:
    """Elements that MuJoCo itself has removed."""
    tags = sorted({tag for _, rule in rules() for tag in rule.removed_children})
    return f"Removed by MuJoCo 4.0: {', '.join(f'`<{tag}>`' for tag in tags)}."


def filled(text: str) -> str:
    """The page with its lists filled in."""
    for mark, content in (("refused", refused()), ("removed", removed())):
        before, rest = text.split(f"<!-- {mark} -->")
        after = rest.split(f"<!-- /{mark} -->")[1]
        text = f"{before}<!-- {mark} -->\n{content}\n<!-- /{mark} -->{after}"
    return text


def main() -> int:
    before = PAGE.read_text(encoding="utf-8")
    text = filled(before)
    if "--check" in sys.argv[1:]:
        if text != before:
            print("docs/mjcf.md is out of date: run python docs/build_mjcf.py")
        return int(text != before)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
