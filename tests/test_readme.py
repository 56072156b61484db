"""The README, pasted block by block into one session, runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge as cf

README = Path(__file__).parents[1] / "README.md"


def python_blocks() -> list[str]:
    """Programs of the README, in their order; one that shows how a kernel looks is no program."""
    found = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    return [block for block in found if "@kernel" not in block]


def test_blocks_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a reader pastes them: one after another, in one session, in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    session: dict[str, Any] = {}
    blocks = python_blocks()
    assert len(blocks) >= 5
    opened: list[Any] = []
    view = cf.view
    monkeypatch.setattr(cf, "view", lambda *a, **k: opened.append(view(*a, **k, port=0)))
    for number, block in enumerate(blocks):
        exec(compile(block, f"README block {number}", "exec"), session)
    for viewer in opened:
        viewer.close()
    assert opened
    pixels = session["pixels"]
    assert pixels.dtype == np.uint8 and pixels.mean() > 60
    assert session["found"].B.shape[1] == cf.Model.from_mjcf(cf.models.find("humanoid")).nu
    assert session["data"].time > 1.0
