"""`cortenforge cache`: where kernels, meshes and models are kept, how much, and away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cortenforge.cli.screen import results, titled


def show_cache(context: typer.Context) -> None:
    """Show where kernels, processed meshes and models are kept, and how much that is."""
    if context.invoked_subcommand is None:
        from cortenforge.kernel import cache_info

        info = cache_info()
        table = titled("", "kept", "files", "MB")
        for label, kind in LABELS.items():
            table.add_row(label, f"{info[f'{kind}files']:,}", f"{info[f'{kind}bytes'] / 1e6:,.1f}")
        results.print(f"cache: {info['path']}", soft_wrap=True, markup=False)
        results.print(table)
        results.print(_remark(Path(info["path"])), soft_wrap=True, markup=False)
        if info["shared"] is not None:
            results.print(_shared_remark(Path(info["shared"])), soft_wrap=True, markup=False)


LABELS = {
    "compiled kernels": "",
    "kernels as plain Python": "plain_",
    "processed meshes and skies": "asset_",
    "compiled models": "model_",
}


def _remark(folder: Path) -> str:
    from cortenforge.kernel.load.folder import refusal, writable

    problem = refusal(folder)
    if problem:
        return f"not used: {problem}"
    if not folder.exists():
        return "not made yet; CORTENFORGE_CACHE chooses another folder"
    return ("" if writable(folder) else "only read; ") + "CORTENFORGE_CACHE chooses another folder"


def _shared_remark(folder: Path) -> str:
    from cortenforge.kernel.load.folder import shared_refusal

    problem = shared_refusal(folder)
    units = sum(1 for _ in folder.glob("*.unit")) if not problem else 0
    used = f"not used: {problem}" if problem else f"{units:,} compiled kernels, only read"
    return f"shared cache {folder}: {used}"


def clear(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete what is kept; kernels and models are compiled again when they are needed."""
    from cortenforge.kernel import cache_info
    from cortenforge.kernel.load.cache import clear_cache

    info = cache_info()
    files = sum(info[f"{kind}files"] for kind in LABELS.values())
    size = sum(info[f"{kind}bytes"] for kind in LABELS.values()) / 1e6
    if not yes:
        typer.confirm(f"Delete {files:,} files ({size:,.1f} MB) in {info['path']}?", abort=True)
    count = clear_cache()
    results.print(f"deleted {count:,} files ({size:,.1f} MB) in {info['path']}", soft_wrap=True)
