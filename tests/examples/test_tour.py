"""The notebook, cell by cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "tour.ipynb"


def last_value(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; what its last line gives, which a notebook would show."""
    import ast

    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_tour_runs() -> None:
    """In a clean namespace; each cell shows what it is about, and nothing is kept in the file."""
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("imageio_ffmpeg")
    matplotlib.use("Agg")
    cells = [c for c in json.loads(NOTEBOOK.read_text())["cells"] if c["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells)
    names: dict[str, Any] = {}
    shown = [last_value("".join(cell["source"]), names) for cell in cells]
    assert "12 actuators" in shown[0]._repr_html_() and "<img" in shown[1]._repr_html_()
    assert shown[2]._repr_html_().startswith("<pre>") and "<video" in shown[4]._repr_html_()
    assert np.ptp(names["height"]) > 0.01 and names["errors"] == [None] * 64
    mass, height = names["batch"].parameters["body_mass"].sum(1), names["batch"].qpos[:, 2]
    # heavier ones bend their legs more
    assert np.corrcoef(mass, height)[0, 1] < -0.5
    assert names["found"].A.shape == (36, 36) and names["found"].B.shape == (36, 12)
    names["plt"].close("all")
