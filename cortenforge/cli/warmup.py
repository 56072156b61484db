"""`cortenforge warmup`: compile kernels ahead of time, into the cache or a shared folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cortenforge.cli.options import complete_model
from cortenforge.cli.screen import results
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.models import find

if TYPE_CHECKING:
    from cortenforge.model import Model

__all__ = ["compile_uncached", "warmup"]

#: a bundled model that runs, while it is loaded, all kernels that loading runs as plain Python
TYPICAL_MODEL = "humanoid"


def compile_uncached(*models: Model) -> None:
    """Compile what steps of models need, under a bar: two bars at once overwrite each other."""
    from cortenforge.kernel.language.plain import jit_is_off
    from cortenforge.step.engine import ENGINE
    from cortenforge.step.run import run_forward, run_steps

    if not jit_is_off():
        for model in models:
            for entry in (run_steps, run_forward):
                ENGINE.linker.function(entry, plain_model(model))


def warmup(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="Compile only what steps of these models need; their meshes are processed, too.",
            autocompletion=complete_model,
        ),
    ] = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="With MODEL: batches of worlds, too.")
    ] = False,
    randomize: Annotated[
        bool, typer.Option("--randomize", help="With MODEL: worlds with their own parameters, too.")
    ] = False,
    derivatives: Annotated[
        bool, typer.Option("--derivatives", help="With MODEL: derivatives of a step, too.")
    ] = False,
    render: Annotated[bool, typer.Option("--render", help="With MODEL: pictures, too.")] = False,
    into: Annotated[
        Path | None,
        typer.Option(help="A folder to share; CORTENFORGE_SHARED_CACHE tells others to read it."),
    ] = None,
) -> None:
    """Compile every kernel that is not in the cache yet, or what some models need."""
    from cortenforge import warmup as ahead
    from cortenforge.kernel import cache_info

    files = [find(model) for model in (TYPICAL_MODEL, *(models or ()))]
    chosen = {
        "batch": batch, "randomize": randomize, "derivatives": derivatives, "render": render
    }  # fmt: skip
    if not models and any(chosen.values()):
        text = ", ".join(f"--{name}" for name, given in chosen.items() if given)
        raise typer.BadParameter(f"{text}: name a model, or leave it out to compile everything")
    start = time.perf_counter()
    needed = ahead.needed_by(_load(files)[1:], **chosen) if models else None
    if into is None:
        count = ahead.warmup(needed, progress=True)
        _load(files)
        cache = cache_info()
        where = f"{cache['files']} compiled units ({cache['bytes'] / 1e6:.1f} MB) in "
        where += str(cache["path"])
    else:
        count = ahead.warmup_into(into, needed, progress=True, more=lambda: _load(files))
        where = f"to use them, set CORTENFORGE_SHARED_CACHE={into.resolve()}"
    elapsed = time.perf_counter() - start
    results.print(f"{count} kernels are ready after {elapsed:.1f} s; {where}", soft_wrap=True)


def _load(files: list[Path]) -> list[Model]:
    """Load models; they, their processed meshes and compiled kernels are cached."""
    from cortenforge.load import load_model
    from cortenforge.model_cache import renewing_entries

    with renewing_entries():
        return [load_model(file) for file in files]
