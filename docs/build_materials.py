"""Write the table of materials in docs/deformables.md from the presets.

python docs/build_materials.py            write the table
python docs/build_materials.py --check    exit 1 if it is not what would be written
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cortenforge.soft import CHAINS, CLOTHS, MATERIALS, SOFT_BODIES

PAGE = Path(__file__).with_name("deformables.md")
BETWEEN = re.compile(r"(<!-- (materials|presets) -->\n).*?(\n<!-- /\2 -->)", re.DOTALL)


def materials() -> str:
    """A row for each material."""
    lines = ["| material | Young [Pa] | Poisson | density [kg/m³] | friction | damping [1/s] |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for name, one in MATERIALS.items():
        numbers = (one.young, one.poisson, one.density, one.friction, one.damping)
        lines.append(f"| `{name}` | {' | '.join(f'{n:g}' for n in numbers)} |")
    return "\n".join(lines)


def presets() -> str:
    """A row for each preset."""
    names = {id(material): name for name, material in MATERIALS.items()}
    lines = [
        "| of | preset | material | thickness or radius [m] | bending |",
        "|---|---|---|---:|---:|",
    ]
    for kind, listed in (("cloth", CLOTHS), ("soft body", SOFT_BODIES), ("chain", CHAINS)):
        for name, one in listed.items():
            made = one.material
            what = names.get(id(made), f"Young {made.young:g}, Poisson {made.poisson:g}")
            size = one.thickness or one.radius
            bending = f"{one.bending:g}" if size else ""
            lines.append(
                f"| {kind} | `{name}` | {what} | {f'{size:g}' if size else ''} | {bending} |"
            )
    return "\n".join(lines)


def page() -> str:
    """The page with its tables filled in."""
    made = {"materials": materials(), "presets": presets()}
    text = PAGE.read_text(encoding="utf-8")
    return BETWEEN.sub(lambda found: found[1] + made[found[2]] + found[3], text)


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        stale = PAGE.read_text(encoding="utf-8") != text
        if stale:
            print("docs/deformables.md is out of date: run python docs/build_materials.py")
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
