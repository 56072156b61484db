"""`cortenforge info MODEL`: what a model file holds; of a folder, which models it holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from cortenforge.cli.folder_table import list_models
from cortenforge.cli.model_tables import model_tables
from cortenforge.cli.options import complete_model
from cortenforge.cli.screen import results, significant_figures
from cortenforge.enums import Integrator, JointType
from cortenforge.errors import Location, MjcfError
from cortenforge.model.methods.collision_report import pair_counts_by_function
from cortenforge.models import find, names

if TYPE_CHECKING:
    from cortenforge.model import Model

COUNTS = {
    "bodies": "nbody",
    "joints": "njnt",
    "positions (nq)": "nq",
    "degrees of freedom (nv)": "nv",
    "kinematic trees": "ntree",
    "geoms": "ngeom",
    "sites": "nsite",
    "actuators": "nactuator",
    "controls (nu)": "nu",
    "sensors": "nsensor",
    "tendons": "ntendon",
    "equalities": "neq",
    "cameras": "ncam",
    "lights": "nlight",
    "keyframes": "nkey",
}


def info(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="MJCF or URDF file, bundled model, or a folder of files.",
            autocompletion=complete_model,
        ),
    ],
    tree: Annotated[bool, typer.Option(help="Show the tree of bodies and joints.")] = True,
) -> None:
    """Show what a model holds: sizes, options, bodies, actuators, sensors and other parts."""
    from cortenforge.load import load_model

    # a bundled model comes first, as a folder of its name is no model
    if Path(model).is_dir() and model not in names():
        _show_folder(Path(model))
        return
    path = find(model)
    loaded = load_model(path)
    results.print(_summary(path.name, loaded))
    if tree:
        results.print(_body_tree(loaded))
    for table in model_tables(loaded):
        results.print(table)
    missing = loaded.supported()
    if missing:
        results.print("[bold yellow]not supported yet[/], so this model cannot be stepped:")
        for feature in missing:
            results.print(f"  - {escape(feature)}", soft_wrap=True)
    else:
        results.print("[green]everything this model uses is supported[/]")


def _show_folder(folder: Path) -> None:
    table, left = list_models(folder)
    if not table.row_count:
        raise MjcfError(
            "there are no model files in this folder",
            Location(str(folder)),
            hint=f"bundled models: {', '.join(names())}",
        )
    results.print(table)
    if left:
        results.print(f"and {left:,} more", soft_wrap=True)
    results.print("+ stands for what is included, attached or replicated", soft_wrap=True)


def _summary(title: str, model: Model) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for label, size in COUNTS.items():
        table.add_row(label, significant_figures(getattr(model, size)))
    table.add_section()
    table.add_row("mass", f"{model.body_mass.sum():.4g} kg")
    table.add_row("extent", f"{model.stat.extent:.4g} m")
    table.add_section()
    touching = pair_counts_by_function(model)
    table.add_row("pairs of geoms that can touch", significant_figures(sum(touching.values())))
    for test, count in touching.items():
        table.add_row(f"  by {test}", significant_figures(count))
    table.add_section()
    table.add_row("timestep", f"{model.opt.timestep:g} s")
    table.add_row("integrator", Integrator(int(model.opt.integrator)).name)
    table.add_row("gravity", " ".join(f"{g:g}" for g in model.opt.gravity) + " m/s²")
    return table


def _body_tree(model: Model) -> Tree:
    """The bodies as a tree, each with its mass and joints."""
    branches = {0: Tree(f"[bold]{escape(_name(model, 0))}[/]", guide_style="dim")}
    for body in range(1, model.nbody):
        parent = branches[int(model.body_parentid[body])]
        label = f"{escape(_name(model, body))} [dim]{model.body_mass[body]:.3g} kg[/]"
        branches[body] = parent.add(f"{label}{_joint_labels(model, body)}")
    return branches[0]


def _name(model: Model, body: int) -> str:
    return model.body(body).name or f"body {body}"


def _joint_labels(model: Model, body: int) -> str:
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    labels = []
    for joint in range(first, first + count):
        kind = JointType(int(model.jnt_type[joint])).name.lower()
        labels.append(f"{escape(model.joint(joint).name)}:{kind}".removeprefix(":"))
    return f"  [cyan]{' '.join(labels)}[/]" if labels else ""
