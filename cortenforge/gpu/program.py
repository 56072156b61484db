"""The shaders of a step, in the order in which they are dispatched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cortenforge.batch.lockstep import ON_REQUEST
from cortenforge.enums import Integrator
from cortenforge.fields import MODEL_FIELDS, MODEL_LAYOUT, STATE_FIELDS
from cortenforge.gpu.context import GpuSimContext
from cortenforge.gpu.schedule import SPARE, Schedule
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.wgsl import WORKGROUP, BufferLayout, translate
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.model.changes.candidates import has_candidates
from cortenforge.model.internals import store_of
from cortenforge.step.engine import Engine
from cortenforge.step.pipeline import begin_call, evaluate_forward
from cortenforge.step.sleeping.body_runs import clear_unchanged_trees
from cortenforge.step.status import is_ok

if TYPE_CHECKING:
    from cortenforge.model import Model

#: what of the fields integrators need for themselves
OWN_GROUPS = {
    Integrator.IMPLICIT: {"implicit", "implicit scratch"},
    Integrator.IMPLICITFAST: {"implicit", "implicit scratch"},
    Integrator.DISCRETE: {"implicit", "implicit scratch", "metric", "metric scratch"},
    Integrator.IMPLICITSPRINGDAMPER: {"metric scratch"},
}
#: steps that are handed to the device at once; a display driver stops work that takes seconds
STEPS_PER_SUBMIT = 32


def buffer_layout(model: Model, engine: Engine, capacities: Mapping[str, int]) -> BufferLayout:
    """Where the fields of a model and its Data are on the device: of the model, what is read."""
    store = store_of(model)
    sizes = {**store.sizes, **store.capacities, **engine.first_capacities, **capacities}
    kernels = (begin_call, engine.step, evaluate_forward, *ON_REQUEST.kernels)
    read = set().union(*(effects_of(kernel).read_fields("m") for kernel in kernels))
    fields = [f for f in MODEL_FIELDS if f.name in read]
    fields += [f for f in engine.fields if f.in_kernels and f.group not in _unused(model)]
    return BufferLayout(
        MODEL_LAYOUT,
        engine.layout,
        {field.name: field.count_for(sizes) for field in fields},
        sizes,
        precise=[field.name for field in engine.fields if "precise" in field.marks],
        spare=SPARE,
        first=[field.name for field in STATE_FIELDS],
        alias="state",
    )


def _unused(model: Model) -> set[str]:
    """Groups of fields that worlds of a model never touch."""
    needed = OWN_GROUPS.get(Integrator(model.opt.integrator), set())
    groups = set().union(*OWN_GROUPS.values()) - needed
    if model.constraining:
        # shaders of solvers name the metric, whether or not a step has one
        return groups - {"metric"}
    groups |= {"solver scratch"}
    return groups if has_candidates(model) else groups | {"collision", "convex"}


def missing_on_device(model: Model, engine: Engine, layout: BufferLayout) -> str:
    """What a model that has changed needs, and nothing is on the device for; "" if nothing."""
    places, unused = layout.places["d"], _unused(model)
    groups = {
        field.group
        for field in engine.fields
        if field.in_kernels and field.group not in unused and field.name not in places
    }
    chosen = Integrator(model.opt.integrator)
    if groups & OWN_GROUPS.get(chosen, set()):
        return f'integrator "{chosen.name.lower()}"'
    if "solver scratch" in groups:
        return "constraints"
    return "collisions" if groups else ""


def shaders(model: Model, layout: BufferLayout, kernels: Sequence[Kernel]) -> list[tuple[str, str]]:
    """Name and WGSL of each dispatch that kernels take, in order."""
    schedule = Schedule(plain_model(model), is_ok)
    return [
        (part.name, translate(part, layout)) for kernel in kernels for part in schedule.of(kernel)
    ]


class Program:
    """Compiled shaders for one model, as it is now."""

    def __init__(
        self, context: GpuSimContext, model: Model, engine: Engine, layout: BufferLayout
    ) -> None:
        self.context = context

        def compiled(*kernels: Kernel) -> list[Any]:
            found = shaders(model, layout, kernels)
            return [context.pipeline(name, text) for name, text in found]

        self._begin = compiled(begin_call, clear_unchanged_trees)
        self._step = compiled(engine.step)
        self._forward = compiled(evaluate_forward)
        self._compiled = compiled
        #: shaders of ON_REQUEST, which no step computes, once they are asked for
        self._answers: dict[int, list[Any]] = {}

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

    def answer(self, number: int, group: Any, worlds: int) -> None:
        """Submit one of ON_REQUEST."""
        if number not in self._answers:
            self._answers[number] = self._compiled(ON_REQUEST.kernels[number])
        self._submit(self._answers[number], group, worlds)

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
