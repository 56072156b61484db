"""Model and Data as HTML tables, for notebooks."""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING, Any

from cortenforge.enums import Cone, Enable, Integrator, Solver
from cortenforge.errors import CortenForgeError
from cortenforge.notebook import counts_text, html_table

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: what a model is made of, by the sizes that count it
PART_SIZES = {
    "bodies": "nbody", "joints": "njnt", "geoms": "ngeom", "sites": "nsite", "meshes": "nmesh",
    "cameras": "ncam", "lights": "nlight", "tendons": "ntendon", "equalities": "neq",
    "actuators": "nactuator", "sensors": "nsensor", "keyframes": "nkey",
}  # fmt: skip


def model_summary(model: Model) -> dict[str, Any]:
    """Sizes, parts and options of a model."""
    sizes, opt = model.sizes, model.opt
    return {
        "sizes": ", ".join(f"{name} {sizes[name]}" for name in ("nq", "nv", "nu", "na")),
        "parts": counts_text({name: sizes[size] for name, size in PART_SIZES.items()}),
        "time step": f"{float(opt.timestep):g} s, {Integrator(int(opt.integrator)).name}",
        "solver": f"{Solver(int(opt.solver)).name}, {Cone(int(opt.cone)).name.lower()} cones",
        "gravity": " ".join(f"{g:g}" for g in opt.gravity),
        "keyframes": ", ".join(name for name in model.names["key"] if name),
        "cameras": ", ".join(name for name in model.names["camera"] if name),
    }


#: lines of a tree of bodies that a notebook shows
LONGEST_TREE = 60


def body_tree(model: Model) -> str:
    """The bodies, each below its parent, with their joints."""
    below: dict[int, list[int]] = {}
    for body in range(model.nbody - 1, 0, -1):
        below.setdefault(int(model.body_parentid[body]), []).append(body)
    lines: list[str] = []
    waiting = [(body, 0) for body in below.get(0, [])]
    while waiting and len(lines) < LONGEST_TREE:
        body, depth = waiting.pop()
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        joints = [model.name_of("joint", j) or f"joint {j}" for j in range(first, first + count)]
        name = model.name_of("body", body) or f"body {body}"
        lines.append("  " * depth + name + (f" ({', '.join(joints)})" if joints else ""))
        waiting += [(child, depth + 1) for child in below.get(body, [])]
    return "\n".join([*lines, "..."] if waiting else lines)


def model_html(model: Model) -> str:
    """A model as HTML: an image of its initial state, the tree of its bodies, and sizes."""
    try:
        pixels = base64.b64encode(model.make_data()._repr_png_()).decode()
        picture = f'<img alt="Model" width="240" src="data:image/png;base64,{pixels}">'
    except CortenForgeError:  # such as a model without extent
        picture = ""
    tree = f"<details><summary>bodies</summary><pre>{html.escape(body_tree(model))}</pre></details>"
    return picture + tree + html_table("Model", model_summary(model))


def data_html(data: Data) -> str:
    """A Data as HTML: time, sizes, contacts, energy if it is enabled, and an image.

    Notebooks prefer HTML to images, so the image is inside the HTML.
    """
    model = data.model
    energy = ""
    if int(model.opt.enableflags) & Enable.ENERGY:
        energy = "potential {:.6g} J, kinetic {:.6g} J".format(*data.energy)
    pixels = base64.b64encode(data._repr_png_()).decode()
    picture = f'<img alt="Data" src="data:image/png;base64,{pixels}">'
    return picture + html_table(
        "Data",
        {
            "time": f"{data.time:.6g} s",
            "sizes": f"nq {model.nq}, nv {model.nv}, nu {model.nu}",
            "contacts": str(data.ncon),
            "rows of constraints": str(data.nefc),
            "energy": energy,
        },
    )
