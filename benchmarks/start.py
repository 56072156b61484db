"""Start-up: a fresh process from import to the first step, with an empty and a full cache.

The humanoid stands on a floor, with contacts and limits.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.subjects import HUMANOID

__all__ = ["Start", "standing", "start_times"]

SCRIPT = """
import json, sys, time
begin = time.perf_counter()
import cortenforge as cf
imported = time.perf_counter()
model = cf.Model.from_mjcf(sys.stdin.read())
loaded = time.perf_counter()
model.make_data().step()
stepped = time.perf_counter()
print(json.dumps([imported - begin, loaded - imported, stepped - loaded]))
"""


@dataclass(frozen=True)
class Start:
    """Seconds of one start; `whole` counts the interpreter too."""

    cache: str
    importing: float
    loading: float
    first_step: float
    whole: float


def standing() -> str:
    """The bundled humanoid on a floor, with the constraints that it has switched off."""
    text = HUMANOID.read_text()
    off = 'contact="disable" limit="disable"'
    assert off in text and "<worldbody>" in text
    floor = '<geom type="plane" size="5 5 .1"/>'
    return text.replace(off, "").replace("<worldbody>", f"<worldbody>{floor}", 1)


def start_times(warm_runs: int = 3) -> list[Start]:
    """One cold start of the humanoid in an empty cache folder, then the best warm one."""
    with tempfile.TemporaryDirectory() as folder:
        cold = _start("empty", Path(folder))
        warm = [_start("full", Path(folder)) for _ in range(warm_runs)]
    return [cold, min(warm, key=lambda start: start.whole)]


def _start(cache: str, folder: Path) -> Start:
    environment = os.environ | {"XDG_CACHE_HOME": str(folder)}
    environment.pop("CORTENFORGE_CACHE", None)
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=standing(),
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    whole = time.perf_counter() - begin
    return Start(cache, *json.loads(done.stdout.splitlines()[-1]), whole)
