"""Write the tables of docs/actuators.md from the tables of actuators.

python docs/build_actuators.py            write the tables
python docs/build_actuators.py --check    exit 1 if they are not what would be written
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from cortenforge.actuators import (
    ACTUATOR_ELEMENTS,
    ActuatorType,
    Bias,
    Dynamics,
    Gain,
    Transmission,
)

PAGE = Path(__file__).with_name("actuators.md")
BETWEEN = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)


def grid(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(*words: str) -> str:
    return " ".join(f"`{word}`" for word in words if word)


def elements() -> str:
    """A row for each element of MJCF."""
    head = ("element", "gain", "bias", "dynamics", "acts on", "meaning")
    return grid(
        head,
        (
            (code(one.tag), one.gain, one.bias, one.dynamics, acts_on(one.targets), one.meaning)
            for one in ACTUATOR_ELEMENTS.values()
        ),
    )


def acts_on(targets: tuple[Transmission, ...]) -> str:
    """Attributes of targets; in words where there are most of them."""
    rest = [kind for kind in Transmission if kind.attribute and kind not in targets]
    if rest and len(rest) < len(targets):
        return f"all but {code(*(kind.attribute for kind in rest))}"
    return code(*(kind.attribute for kind in targets)) if rest else "all"


def transmissions() -> str:
    """A row for each transmission."""
    head = ("`actuator_trntype`", "number", "attributes", "what it acts on")
    return grid(
        head,
        (
            (kind.name, str(int(kind)), code(kind.attribute, kind.second), kind.meaning)
            for kind in Transmission
        ),
    )


def types(kinds: type[ActuatorType], array: str) -> str:
    """A row for each type of dynamics, gain or bias."""
    head = ("type", "number", f"`{array}`", "meaning")
    return grid(
        head,
        ((kind.word, str(int(kind)), code(*kind.parameters), kind.meaning) for kind in kinds),
    )


def page() -> str:
    """The page with its tables filled in."""
    tables = {
        "elements": elements(),
        "transmissions": transmissions(),
        "dynamics": types(Dynamics, "dynprm"),
        "gains": types(Gain, "gainprm"),
        "biases": types(Bias, "biasprm"),
    }
    text = PAGE.read_text(encoding="utf-8")
    return BETWEEN.sub(lambda found: f"{found[1]}{tables[found[2]]}\n{found[3]}", text)


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        stale = PAGE.read_text(encoding="utf-8") != text
        if stale:
            print("docs/actuators.md is out of date: run python docs/build_actuators.py")
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
