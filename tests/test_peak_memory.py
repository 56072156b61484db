"""Runs of the tests in which a process takes too much memory fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.skipif(
    not os.path.exists("/proc/self/status"), reason="needs Linux's /proc to know the peak"
)
def test_a_worker_that_takes_too_much_fails_the_run() -> None:
    """Though all of its tests pass; it is named."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider"),
            *("-o", "peak_memory=20", "tests/grammar/test_schema.py"),
        ],
        capture_output=True, text=True, cwd=TESTS.parent,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "peak memory [MB]: gw0 " in done.stdout
    assert "gw0 took more than 20 MB" in done.stdout
    assert "failed" not in done.stdout.splitlines()[-1]
