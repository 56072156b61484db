"""`cortenforge convert IN OUT.xml`: a model as one MJCF file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from cortenforge.cli.options import complete_model, require_suffix
from cortenforge.cli.screen import results
from cortenforge.cli.simulate import require_folder
from cortenforge.cli.streams import naming_failures
from cortenforge.models import find


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="MJCF or URDF file, or bundled model.",
            autocompletion=complete_model,
        ),
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT.xml", help="MJCF file to write.")],
) -> None:
    """Write a model as one MJCF file: includes and replicas expanded, names of files adapted."""
    from cortenforge.read import is_urdf
    from cortenforge.spec import Spec

    path = find(source)
    require_folder(out, "OUT")
    if out.suffix.lower() == ".urdf":
        raise typer.BadParameter(
            "URDF is read, not written; name a file that ends with .xml for MJCF", param_hint="OUT"
        )
    require_suffix(out, ".xml", "OUT")
    if out.exists() and os.path.samefile(path, out):
        raise typer.BadParameter("OUT is IN: choose another name", param_hint="OUT")
    spec = Spec.from_urdf(path) if is_urdf(path) else Spec.from_mjcf(path)
    model = spec.compile()
    with naming_failures(out):
        spec.save(out)
    results.print(f"wrote {out}: {model.nbody} bodies, {model.njnt} joints, {model.ngeom} geoms")
