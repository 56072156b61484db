"""Speed of many worlds of a model on a GPU, beside BatchSim on all threads of the processor."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import BatchTooLarge, CapacityExceeded

if TYPE_CHECKING:
    from cortenforge.batch.worlds import Worlds
    from cortenforge.gpu import GpuBatchSim
    from cortenforge.gpu.profiling import ShaderTime
    from cortenforge.model import Model

#: numbers of worlds that are measured
SIZES = (64, 256, 1024, 4096, 16384)
#: steps of a call, and calls of which the fastest counts
TIMED_STEPS, CALLS = 10, 5
#: size of random velocities, so that worlds differ
SPEED = 0.1


@dataclass(frozen=True)
class SizeReport:
    """Speed at one number of worlds, in steps of worlds a second."""

    worlds: int
    chunks: int
    gpu: float
    cpu: float


@dataclass(frozen=True)
class GpuReport:
    """What users with a GPU can send: the adapter, the model, and what was measured."""

    adapter: dict[str, Any]
    limits: dict[str, int]
    processor: str
    model: str
    nv: int
    bytes_per_world: int
    dispatches: int
    capacities: dict[str, int]
    sizes: list[SizeReport]
    shaders: list[ShaderTime]

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return asdict(self)


def race_gpu(model: Model, name: str, sizes: tuple[int, ...] = SIZES) -> GpuReport:
    """Measure a model at several numbers of worlds, as far as they fit the adapter."""
    from cortenforge.gpu import GpuBatchSim

    first = GpuBatchSim(model, sizes[0])
    found = [_size_report(batch) for batch in _batches(model, first, sizes)]
    shaders = first.time_shaders()
    return GpuReport(
        first.context.adapter_info,
        first.context.limits,
        platform.processor() or platform.machine(),
        name,
        model.nv,
        first.bytes_per_world,
        len(shaders),
        first.capacities,
        found,
        shaders,
    )


def _batches(model: Model, first: GpuBatchSim, sizes: tuple[int, ...]) -> Iterator[GpuBatchSim]:
    from cortenforge.gpu import GpuBatchSim

    yield first
    for n in sizes[1:]:
        try:
            yield GpuBatchSim(model, n, capacities=first.capacities)
        except BatchTooLarge:
            return


def _size_report(batch: GpuBatchSim) -> SizeReport:
    from cortenforge.batch import BatchSim

    cpu = BatchSim(batch.model, batch.n)
    velocities = SPEED * np.random.default_rng(0).normal(size=batch.qvel.shape)
    for one in (batch, cpu):
        one.qvel[:] += velocities
    return SizeReport(batch.n, batch.chunks, _speed(batch), _speed(cpu))


def _speed(worlds: Worlds) -> float:
    """Steps of worlds a second; the first call compiles and is not timed."""
    start = worlds.get_states()

    def call() -> None:
        worlds.set_states(start)
        errors = [error for error in worlds.step_all(TIMED_STEPS) if error]
        if errors and not isinstance(errors[0], CapacityExceeded):
            raise errors[0]

    call()
    return worlds.n * TIMED_STEPS / _fastest(call)


def _fastest(call: Callable[[], object]) -> float:
    times = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)
