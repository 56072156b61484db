"""`cortenforge warmup`: compile every kernel ahead of time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cortenforge.cli.screen import results

if TYPE_CHECKING:
    from cortenforge.model import Model

__all__ = ["compile_cold", "warmup"]


def compile_cold(*models: Model) -> None:
    """Compile what steps of models need, under a bar: two bars at once overwrite each other."""
    from cortenforge.kernel.language.plain import jit_is_off
    from cortenforge.step.engine import ENGINE
    from cortenforge.step.run import run_forward, run_steps

    if not jit_is_off():
        for model in models:
            reach = ENGINE.linker.reach([run_steps, run_forward], model._plain())
            ENGINE.linker.load(reach.found(alone=False))


def warmup() -> None:
    """Compile every kernel that is not in the cache yet."""
    from cortenforge import warmup as ahead
    from cortenforge.kernel import cache_info

    start = time.perf_counter()
    count = ahead.warmup(progress=True)
    cache = cache_info()
    results.print(
        f"{count} kernels are ready after {time.perf_counter() - start:.1f} s; "
        f"{cache['files']} compiled units ({cache['bytes'] / 1e6:.1f} MB) in {cache['path']}",
        soft_wrap=True,
    )
