"""GPU tests need an adapter; Mesa's software one is enough."""

from __future__ import annotations

import pytest

from cortenforge.gpu import GpuSimContext


@pytest.fixture(scope="session")
def gpu() -> GpuSimContext:
    """The context; without an adapter the test is skipped, and says why."""
    context = GpuSimContext.get()
    if context is None:
        pytest.skip(f"no GPU adapter, so this was not tested: {GpuSimContext._reason}")
    return context
