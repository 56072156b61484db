"""The README is short, and its programs run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"
#: it is read on one screen, or two
LINES = 110


def test_programs_run() -> None:
    """As a reader pastes them: one after another, in one session."""
    text = README.read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    session: dict[str, Any] = {}
    assert programs
    for number, program in enumerate(programs):
        exec(compile(program, f"README program {number}", "exec"), session)
    assert session["data"].time > 1.0


def test_it_is_short() -> None:
    """Long tables are pages of the site."""
    assert len(README.read_text(encoding="utf-8").splitlines()) <= LINES
