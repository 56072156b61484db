"""Write docs/fields.md, the page of fields, from the field tables.

python docs/build_fields.py            write the page
python docs/build_fields.py --check    exit 1 if the page is not what would be written
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from cortenforge.fields import DATA_FIELDS, MODEL_FIELDS, SIZES, Field

PAGE = Path(__file__).with_name("fields.md")
MADE_BY = "made by docs/build_fields.py from the field tables; do not edit"


def page() -> str:
    """`docs/fields.md`."""
    sizes = "\n".join(f"| `{name}` | {doc} |" for name, doc in SIZES.items())
    return (
        f"# Fields\n\n<!-- {MADE_BY} -->\n\n"
        "Names, shapes and order are MuJoCo's. Shapes are given in sizes of the model. `opt_` and "
        "`stat_` fields are also available as `model.opt.timestep` and `model.stat.extent`, and "
        'fields of one object by its name: `data.body("torso").xpos`.\n\n'
        f"## Sizes\n\n| size | counts |\n| --- | --- |\n{sizes}\n\n"
        f"## Model\n\n{_groups(MODEL_FIELDS)}\n\n## Data\n\n{_groups(DATA_FIELDS)}\n"
    )


def _groups(fields: Iterable[Field]) -> str:
    return "\n\n".join(
        f"### {group.capitalize()}\n\n{_table(list(rows))}"
        for group, rows in groupby(fields, key=lambda field: field.group)
    )


def _table(fields: list[Field]) -> str:
    written = any(field.written_by for field in fields)
    head = ["field", "shape", "type", "what it is", *["written by"] * written]
    lines = [head, ["---"] * len(head)]
    for field in fields:
        unit = f" [{field.unit}]" if field.unit else ""
        cells = [f"`{field.name}`", _shape(field), field.dtype.name, f"{field.doc}{unit}"]
        lines.append(cells + [_writers(field)] * written)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _shape(field: Field) -> str:
    return " × ".join(str(extent) for extent in field.shape) or "number"


def _writers(field: Field) -> str:
    return ", ".join(f"`{writer}`" for writer in field.written_by)


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text
        if stale:
            print("docs/fields.md is out of date: run python docs/build_fields.py")
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
