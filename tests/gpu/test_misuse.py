"""GpuBatchSim beside forked processes, other threads and wrong arguments."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cortenforge.errors import CortenForgeError, NotAvailable
from cortenforge.gpu import GpuBatchSim, GpuSimContext
from tests.forked import run_forked
from tests.gpu.scenes import scene


def test_a_forked_process_is_told(batch: GpuBatchSim) -> None:
    """A driver does not survive a fork: it would never answer."""
    batch.step_all()
    calls: list[Callable[[], Any]] = [
        lambda: batch.step_all(),
        lambda: batch.forward_all(),
        lambda: batch.qpos,
        lambda: batch.xpos,
        lambda: batch.get_states(),
        lambda: batch.reset_all(),
        lambda: batch.env(0),
        lambda: GpuBatchSim(batch.model, 2),
    ]

    def child() -> None:
        for call in calls:
            with pytest.raises(NotAvailable, match="spawn"):
                call()
        assert GpuBatchSim.try_new(batch.model, 2) is None
        assert not GpuSimContext.is_available()

    run_forked(child)
    batch.step_all()


def test_threads_take_turns_on_the_device(batch: GpuBatchSim) -> None:
    """Two threads in one batch, and one in another: all steps are taken."""
    other = GpuBatchSim(batch.model, 3)
    crowd = [
        threading.Thread(target=lambda one=one: [one.step_all(2) and one.qpos for _ in range(10)])
        for one in (batch, batch, other)
    ]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join(120)
    dt = batch.model.opt.timestep
    assert np.allclose(batch.time, 40 * dt, rtol=1e-12) and np.allclose(other.time, 20 * dt)


@pytest.mark.parametrize(
    "call",
    [
        lambda model: GpuBatchSim(None, 2),
        lambda model: GpuBatchSim(model, "2"),
        lambda model: GpuBatchSim(model, 1.5),
        lambda model: GpuBatchSim(model, True),
        lambda model: GpuBatchSim(model, 2, capacities=[1]),
        lambda model: GpuBatchSim(model, 2, capacities={"nconmax": -1}),
        lambda model: GpuBatchSim(model, 2, capacities={"nconmax": "x"}),
        lambda model: GpuBatchSim(model, 2, engine="x"),
        lambda model: GpuBatchSim(model, 2).bind([1]),
        lambda model: GpuBatchSim(model, 2).step_all("x"),
        lambda model: GpuBatchSim(model, 2).step_all(1.5),
        lambda model: GpuBatchSim(model, 2).env("x"),
        lambda model: GpuBatchSim(model, 2).seed_noise("x"),
        lambda model: GpuBatchSim(model, 2).reset_where([[1], [2, 3]]),
        lambda model: GpuBatchSim(model, 2).rollout(0, np.zeros((1, 3)), fields=3),
    ],
)
def test_wrong_arguments_are_errors_of_the_family(gpu: GpuSimContext, call: Any) -> None:
    with pytest.raises(CortenForgeError):
        call(scene("triple_pendulum"))
