"""What each shader of a step does: loop turns, loads and stores by a debug build; its time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cortenforge.gpu.buffers import BYTES, GpuBuffers
from cortenforge.gpu.clock import DeviceClock
from cortenforge.gpu.program import Program, Shader
from cortenforge.kernel.wgsl import COUNTERS
from cortenforge.model import Data, Model
from cortenforge.step.engine import Engine

#: runs of a shader, of which the fastest counts
RUNS = 5


@dataclass(frozen=True)
class ShaderCounts:
    """What one dispatch does: turns of loops (mean and largest of the worlds), bytes a world."""

    name: str
    turns: float
    most_turns: int
    data_bytes: float
    model_bytes: float


@dataclass(frozen=True)
class ShaderTime:
    """One dispatch; seconds by the device's own clock, or as the host sees them if it has none."""

    name: str
    loops: int
    seconds: float
    by_device: bool


def count_step(
    before: GpuBuffers, model: Model, engine: Engine, capacities: Mapping[str, int]
) -> list[ShaderCounts]:
    """Counts of one step from the fields of some worlds, which are not changed."""
    context, n = before.context, before.n
    program = Program(context, model, engine, capacities, counted=True)
    buffers = GpuBuffers(context, program.layout, model, Data(model, engine=engine), n)
    buffers.take_fields(before)
    program.step(buffers.chunks, 1)
    found = []
    for number, shader in program.numbered_step():
        turns, loads, model_loads, stores = buffers.counters(number * len(COUNTERS), len(COUNTERS))
        found.append(
            ShaderCounts(
                shader.name,
                float(np.mean(turns)),
                int(np.max(turns, initial=0)),
                BYTES * float(np.mean(loads + stores)),
                BYTES * float(np.mean(model_loads)),
            )
        )
    return found


def time_step(program: Program, buffers: GpuBuffers) -> list[ShaderTime]:
    """Times of the shaders of a step, each by itself, for the first chunk of worlds."""
    context = program.context
    clock = DeviceClock(context) if context.has_clock else None
    return [
        ShaderTime(
            shader.name, shader.loops, _seconds(program, buffers, shader, clock), clock is not None
        )
        for shader in program.step_shaders
    ]


def _seconds(
    program: Program, buffers: GpuBuffers, shader: Shader, clock: DeviceClock | None
) -> float:
    times = []
    for _ in range(RUNS + 1):
        begin = time.perf_counter()
        program.submit([shader], buffers.chunks[0], clock)
        # a read waits for what was submitted before
        buffers.download("steps_done")
        times.append(time.perf_counter() - begin if clock is None else clock.seconds())
    # the first run compiles
    return min(times[1:])
