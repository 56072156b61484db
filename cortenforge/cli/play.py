"""`cortenforge play POLICY`: a trained policy at work, in the browser or as a clip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cortenforge.cli.screen import results
from cortenforge.cli.simulate import require_folder
from cortenforge.cli.streams import finite, naming_failures
from cortenforge.cli.view import has_screen

if TYPE_CHECKING:
    from cortenforge.learning import Policy


def play(
    policy: Annotated[Path, typer.Argument(help="The policy.pt of a training.")],
    out: Annotated[
        Path | None, typer.Option(help="Write a clip instead (.mp4, .gif or .png).")
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="How long the clip is.", min=0.1, max=3600, callback=finite)
    ] = 10.0,
    worlds: Annotated[int, typer.Option(help="Worlds side by side.", min=1, max=1000)] = 1,
    seed: Annotated[int, typer.Option(help="What episodes begin with.", min=0)] = 0,
    evaluate: Annotated[
        int, typer.Option(help="Print the return of so many episodes instead.", min=0)
    ] = 0,
    export: Annotated[
        Path | None, typer.Option(help="Write the policy as .onnx or TorchScript (.pt) instead.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Where the viewer listens.")] = None,
    browse: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open a browser, if there is a screen.")
    ] = None,
) -> None:
    """Show a trained policy at work."""
    from cortenforge import learning

    require_folder(out)
    require_folder(export, "--export")
    loaded = learning.Policy.load(policy)
    if evaluate:
        returns = learning.evaluate(loaded, evaluate, seed=seed)
        results.print(f"return {returns.mean():,.0f} ± {returns.std():,.0f} of {evaluate} episodes")
    elif export is not None:
        loaded.export(export)
        results.print(f"exported: {export}", soft_wrap=True)
    elif out is not None:
        with naming_failures(out):
            learning.record_clip(loaded, out, seconds=seconds, seed=seed)
        results.print(f"clip: {out}", soft_wrap=True)
    else:
        _show(loaded, worlds, seed, port, has_screen() if browse is None else browse)


def _show(policy: Policy, count: int, seed: int, port: int | None, browse: bool) -> None:
    """Step worlds by the policy while the viewer is open."""
    from cortenforge.learning.evaluation import make_worlds
    from cortenforge.viewer import view

    worlds = make_worlds(policy, count)
    observations, _ = worlds.reset(seed=seed)
    viewer = view(worlds.batch, port=port, drive=False, open_browser=browse)
    results.print(f"{viewer.url}   (Ctrl-C ends it)", soft_wrap=True)
    while viewer.is_open:
        observations, rewards, *_ = worlds.step(policy.act(observations))
        viewer.sync(reward=float(rewards[0]))
