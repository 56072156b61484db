"""The machine that is measured, and where results go."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path
from typing import Any

__all__ = ["RESULTS", "ROOT", "Neighbours", "machine"]

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results.json")


def machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


class Neighbours:
    """How many cores other programs used since the last look; 0 where nobody can tell."""

    def __init__(self) -> None:
        self._seen = self._read()

    def cores(self) -> float:
        before, self._seen = self._seen, self._read()
        spent, others = (now - then for now, then in zip(self._seen, before, strict=True))
        return max(0.0, others / spent) if spent > 0 else 0.0

    @staticmethod
    def _read() -> tuple[float, float]:
        """Seconds on the clock, and seconds of all cores that were not ours."""
        file = Path("/proc/stat")
        if not file.is_file():
            return time.perf_counter(), 0.0
        user, nice, system, _, _, *interrupts = map(int, file.read_text().split()[1:9])
        used = (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
        return time.perf_counter(), used - time.process_time()
