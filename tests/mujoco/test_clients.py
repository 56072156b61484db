"""Gymnasium's environments with the module and with MuJoCo, each step from the same state."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        importlib.util.find_spec("gymnasium") is None,
        reason="gymnasium is not installed; `make clients` runs all clients in an environment",
    ),
]


def test_environments_are_the_same(tmp_path: Path) -> None:
    """Observations and rewards to 1e-10, and the same ends, in every environment of version 5."""
    file = str(tmp_path / "episodes.npz")
    found = []
    for mode in ("real", "ours"):
        command = [sys.executable, "-m", "conformance.clients.twice", mode, file]
        ran = subprocess.run(
            [*command, "--steps", "30", "--version", "v5"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        rows = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        found = [row for row in rows if "task" in row]
    assert len(found) == 11
    for row in found:
        assert row.get("close") and row["same_ends"], row
