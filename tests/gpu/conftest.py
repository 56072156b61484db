"""GPU tests need an adapter; Mesa's software one is enough."""

from __future__ import annotations

import pytest

from cortenforge.gpu import GpuBatchSim, GpuSimContext
from tests.gpu.scenes import scene


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
