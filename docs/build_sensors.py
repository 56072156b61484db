"""Write the table of docs/sensors.md from the table of sensors.

python docs/build_sensors.py            write the table
python docs/build_sensors.py --check    exit 1 if it is not what would be written
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cortenforge.sensors import Attachment, DataType, SensorType

PAGE = Path(__file__).with_name("sensors.md")
BETWEEN = re.compile(r"(<!-- sensors -->\n).*?(<!-- /sensors -->)", re.DOTALL)


def table() -> str:
    """A row for each sensor, in the order of their numbers."""
    head = ("sensor", "attached to", "against", "numbers", "stage", "unit", "what it reports")
    lines = [head, tuple("---:" if name == "numbers" else "---" for name in head)]
    for kind in SensorType:
        sides = [[to for to in kind.attachments if to.reference == side] for side in (False, True)]
        attached, against = (", ".join(map(attributes, side)) for side in sides)
        data = "" if kind.data == DataType.REAL else kind.data.name.lower()
        unit = ", ".join(filter(None, (kind.unit, data)))
        cells = (f"`{kind.tag}`", attached, against, kind.numbers, kind.stage.name.lower())
        lines.append((*cells, unit, kind.reports))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def attributes(to: Attachment) -> str:
    """The attributes that name an object."""
    names = " or ".join(f"`{name}`" for name in to.names)
    if to.type_and_name:
        names = " ".join(f"`{name}`" for name in to.type_and_name)
    words = (to.must_be, names, "(optional)" if to.optional else "")
    return " ".join(word for word in words if word)


def page() -> str:
    """The page with its table filled in."""
    text = PAGE.read_text(encoding="utf-8")
    return BETWEEN.sub(lambda found: f"{found[1]}{table()}\n{found[2]}", text)


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        stale = PAGE.read_text(encoding="utf-8") != text
        if stale:
            print("docs/sensors.md is out of date: run python docs/build_sensors.py")
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
