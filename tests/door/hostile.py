"""Programs that may crash run in processes of their own, with bounded memory and time."""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Ending:
    """How a program ended: its exit code (negative: a signal), what it wrote, and its seconds."""

    code: int
    out: str
    seconds: float


def run_apart(
    program: str, *arguments: object, megabytes: int = 8192, seconds: int = 900
) -> Ending:
    """Run a program; its arguments are words in `sys.argv`."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    start = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        preexec_fn=bound,
        check=False,
    )
    return Ending(ended.returncode, ended.stdout, time.monotonic() - start)
