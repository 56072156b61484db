"""Shaders are compiled together at the first call, with a bar; their time is the device's own."""

from __future__ import annotations

import time

import pytest

from cortenforge.errors import ShaderCompilation
from cortenforge.gpu import GpuBatchSim
from cortenforge.gpu import context as gpu_context
from cortenforge.model.calls.progress_bar import DelayedProgressBar
from tests.gpu.scenes import scene

MAIN = "@compute @workgroup_size({size}) fn main() {{ {body} }}"


@pytest.fixture
def bars(monkeypatch) -> list[DelayedProgressBar]:
    """The bars that were made."""
    made = []

    def record(title: str, total: float) -> DelayedProgressBar:
        made.append(DelayedProgressBar(title, total))
        return made[-1]

    monkeypatch.setattr(gpu_context, "DelayedProgressBar", record)
    return made


def test_a_bar_shows_how_much_is_compiled(gpu, bars):
    """One for all shaders of the first call, which ends full; none for those that are there."""
    batch = GpuBatchSim(scene("triple_pendulum"), 3)
    texts = [MAIN.format(size=size, body="") for size in (9, 10, 11)]
    gpu.pipelines([("test", text) for text in (*texts, texts[0])])
    assert [(bar.title, bar.done) for bar in bars] == [("Compiling shaders", bars[0].total)]
    assert bars[0].total == sum(map(len, texts))
    batch.step_all()
    stepped = len(bars)
    batch.step_all()
    assert len(bars) == stepped <= 2


def test_a_shader_that_does_not_compile_is_named(gpu):
    """With its line; the others are not harmed."""
    good, bad = (MAIN.format(size=13, body=body) for body in ("", "let x: f32 = true;"))
    with pytest.raises(ShaderCompilation, match="bad"):
        gpu.pipelines([("good", good), ("bad", bad)])
    assert len(gpu.pipelines([("good", good)])) == 1


def test_time_of_shaders(gpu):
    """Each dispatch of a step, by the device's clock if it has one; not longer than the call."""
    batch = GpuBatchSim(scene("triple_pendulum"), 64)
    batch.step_all()
    begin = time.perf_counter()
    times = batch.time_shaders()
    passed = time.perf_counter() - begin
    assert [one.name for one in times] == [shader.name for shader in batch._program.step_shaders]
    assert all(one.by_device == gpu.has_clock for one in times)
    assert 0.0 < sum(one.seconds for one in times) < passed
