"""`cortenforge bench --gpu`."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from cortenforge.cli.app import app
from cortenforge.gpu import GpuSimContext


def test_bench_on_a_gpu(gpu: GpuSimContext, tmp_path: Path) -> None:
    """Both speeds at each size, every shader of a step, and a file to send."""
    report = tmp_path / "report.json"
    words = ["bench", "pendulum", "--report", str(report)]
    done = CliRunner().invoke(app, [*words, "--gpu", "--worlds", "64"])
    assert done.exit_code == 0, done.output
    assert "BatchSim" in done.stdout and "dispatches a step" in done.stdout
    found = json.loads(report.read_text())
    assert [size["worlds"] for size in found["sizes"]] == [64]
    assert min(found["sizes"][0]["gpu"], found["sizes"][0]["cpu"]) > 0
    assert len(found["shaders"]) == found["dispatches"] > 0
    assert all(shader["seconds"] > 0 for shader in found["shaders"])
    assert "--gpu" in CliRunner().invoke(app, words).output
