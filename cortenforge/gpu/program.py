"""The shaders of a step, in the order in which they are dispatched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.fields import DATA_FIELDS, DATA_LAYOUT, MODEL_FIELDS, MODEL_LAYOUT
from cortenforge.gpu.context import GpuSimContext
from cortenforge.gpu.schedule import SPARE, Schedule
from cortenforge.gpu.steps import begin, check_result, check_start, count_step
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.wgsl import WORKGROUP, BufferLayout, translate
from cortenforge.step.constants import RK4
from cortenforge.step.forward import forward
from cortenforge.step.integrate.rk4 import rk4
from cortenforge.step.momentum import subtree_momentum
from cortenforge.step.pipeline import euler_step

if TYPE_CHECKING:
    from cortenforge.model import Model

#: steps that are handed to the device at once; a display driver stops work that takes seconds
STEPS_PER_SUBMIT = 32
#: fields on the way from forces to accelerations, which f32 alone would leave with few digits
PRECISE = (
    "M", "qLD", "qLDiagInv", "qH", "qHDiagInv", "qfrc_bias", "qfrc_smooth", "qacc_smooth", "qacc",
    "euler_qacc",
)  # fmt: skip


def buffer_layout(model: Model) -> BufferLayout:
    """Where the fields of a model and its Data are on the device."""
    counts = {
        field.name: int(np.prod(field.shape_for(model.sizes), dtype=np.int64))
        for field in (*MODEL_FIELDS, *DATA_FIELDS)
        if field.in_kernels
    }
    return BufferLayout(
        MODEL_LAYOUT, DATA_LAYOUT, counts, model.sizes, precise=PRECISE, spare=SPARE
    )


def step_kernels(model: Model) -> list[Kernel]:
    """The stages of one step of a model: `step.pipeline:step`, as the host runs it."""
    integrate = rk4 if model.opt.integrator == RK4 else euler_step
    return [check_start, forward, check_result, integrate, count_step]


def shaders(
    model: Model, layout: BufferLayout, kernels: Sequence[Kernel], *, guarded: bool = True
) -> list[tuple[str, str]]:
    """Name and WGSL of each dispatch that kernels take, in order."""
    plain = PlainStruct(MODEL_LAYOUT, {**model._store.arrays, **model.sizes})
    schedule = Schedule(plain)
    return [
        (part.name, translate(part, layout, guarded=guarded))
        for kernel in kernels
        for part in schedule.of(kernel)
    ]


class Program:
    """Compiled shaders for one model, as it is now."""

    def __init__(self, context: GpuSimContext, model: Model, layout: BufferLayout) -> None:
        self.context = context

        def compiled(kernels: Sequence[Kernel], *, guarded: bool = True) -> list[Any]:
            found = shaders(model, layout, kernels, guarded=guarded)
            return [context.pipeline(name, text) for name, text in found]

        self._begin = compiled([begin], guarded=False)
        self._step = compiled(step_kernels(model))
        self._forward = compiled([forward])
        self._momentum = compiled([subtree_momentum])

    def step(self, group: Any, worlds: int, count: int) -> None:
        """Submit some steps of every world."""
        self._submit(self._begin, group, worlds)
        while count > 0:
            now = min(count, STEPS_PER_SUBMIT)
            self._submit(self._step * now, group, worlds)
            count -= now

    def forward(self, group: Any, worlds: int) -> None:
        """Submit forward dynamics of every world."""
        self._submit([*self._begin, *self._forward], group, worlds)

    def momentum(self, group: Any, worlds: int) -> None:
        """Submit the momentum of every subtree."""
        self._submit(self._momentum, group, worlds)

    def _submit(self, pipelines: list[Any], group: Any, worlds: int) -> None:
        with self.context.working():
            encoder = self.context.device.create_command_encoder()
            work = encoder.begin_compute_pass()
            work.set_bind_group(0, group)
            for pipeline in pipelines:
                work.set_pipeline(pipeline)
                work.dispatch_workgroups(-(-worlds // WORKGROUP))
            work.end()
            self.context.queue.submit([encoder.finish()])
