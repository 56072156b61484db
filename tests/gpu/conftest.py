"""GPU tests need an adapter; Mesa's software one is enough."""

from __future__ import annotations

import os

import pytest

from cortenforge.gpu import GpuBatchSim, GpuSimContext
from tests.gpu.scenes import scene

# Mesa's software driver: optimising shaders takes longer than the few steps that run in them
os.environ.setdefault("GALLIVM_PERF", "nopt")


@pytest.fixture(scope="session")
def gpu() -> GpuSimContext:
    """The context; without an adapter the test is skipped, and says why."""
    context = GpuSimContext.get()
    if context is None:
        pytest.skip(f"no GPU adapter, so this was not tested: {GpuSimContext._reason}")
    return context


@pytest.fixture
def batch(gpu: GpuSimContext) -> GpuBatchSim:
    """Four triple pendulums."""
    return GpuBatchSim(scene("triple_pendulum"), 4)
