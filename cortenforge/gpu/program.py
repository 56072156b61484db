"""The shaders of a step, in the order in which they are dispatched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cortenforge.batch.lockstep import ON_REQUEST
from cortenforge.enums import Cone, Integrator
from cortenforge.fields import INPUT_FIELDS, MODEL_FIELDS, MODEL_LAYOUT, STATE_FIELDS
from cortenforge.fields.data_convex import NAPART
from cortenforge.fields.field import Field
from cortenforge.gpu.buffers import Chunk
from cortenforge.gpu.clock import DeviceClock
from cortenforge.gpu.context import GpuSimContext
from cortenforge.gpu.schedule import Schedule
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.reach import Shared
from cortenforge.kernel.wgsl import COUNTERS, WORKGROUP, BufferLayout, Module
from cortenforge.kernel.wgsl.types import Type
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.model.internals import store_of
from cortenforge.step.constraint.kinds import HAS_EQUALITIES, HAS_FRICTIONLOSS
from cortenforge.step.engine import Engine
from cortenforge.step.pipeline import begin_call, evaluate_forward
from cortenforge.step.sleeping.body_runs import clear_unchanged_trees
from cortenforge.step.status import is_ok
from cortenforge.step.statuses import LOOPS_ENDED

if TYPE_CHECKING:
    from cortenforge.model import Model

#: fields that the host reads after every call
KEPT = {
    "status", "status_index", "status_value", "steps_done",
    "warning_count", "warning_index", "warning_value",
}  # fmt: skip
#: groups of scratch whose fields have a value within one kernel only, unless marked as carried
BRIEF_GROUPS = frozenset({"convex", "solver scratch", "velocity scratch", "implicit scratch"})
#: caches that are smaller on a device: numbers in them
CACHES = {"apart_axis": 3 * NAPART.single, "apart_corner": 2 * NAPART.single}
#: steps that are handed to the device at once; a display driver stops work that takes seconds
STEPS_PER_SUBMIT = 32
#: loops in one shader, each counted as often as it is called, up to which neighbours are fused:
#: drivers take time that grows faster than their number
FUSED_LOOPS = 10


def known_fields(model: Model) -> dict[str, int]:
    """Fields of Data that have one value in every state of a model: no shader depends on them."""
    known = {}
    if model.opt.cone == Cone.PYRAMIDAL:
        known["island_cones"] = 0
    if model.opt.integrator != Integrator.DISCRETE:
        known["ncouple"] = 0
    if not model.constraining & HAS_EQUALITIES:
        known["ne"] = 0
    if not model.constraining & HAS_FRICTIONLOSS:
        known["nf"] = 0
    return known


def is_brief(field: Field) -> bool:
    """Whether a field is scratch that no kernel leaves to another, nor to the next step."""
    return field.group in BRIEF_GROUPS and not field.marks & {"carried", "shown"}


@dataclass
class Shader:
    """Fragments that are dispatched together."""

    name: str
    module: Module
    loops: int = 0


class Translation:
    """Kernels as shaders of one model. Which fields they use is known when all are translated."""

    def __init__(
        self,
        model: Model,
        engine: Engine,
        capacities: Mapping[str, int],
        *,
        own: Collection[str] = (),
        counted: bool = False,
        ends_loops: bool = False,
    ) -> None:
        """
        own:        fields of the model of which each world has its own.
        counted:    a debug build, whose shaders count loop turns, loads and stores.
        ends_loops: whether the driver limits the turns of loops, so that shaders check it.
        """
        self._model, self._engine, self.counted = model, engine, counted
        self._ends_loops, self._own = ends_loops, own
        store = store_of(model)
        self._sizes = {**store.sizes, **store.capacities, **engine.first_capacities, **capacities}
        fields = (*MODEL_FIELDS, *engine.fields)
        self.declared = self._layout(field.name for field in fields)
        plain = plain_model(model)
        self._schedule = Schedule(plain, is_ok, engine.layout)
        self._values = Shared(plain)
        self._spares: dict[int, Type] = {}
        self.shaders: list[Shader] = []

    def add(self, *kernels: Kernel) -> list[Shader]:
        """Translate kernels; their shaders, in the order in which they are dispatched."""
        made: list[Shader] = []
        fragments = [part for kernel in kernels for part in self._schedule.of(kernel)]
        for fragment in fragments:
            trial = self._module()
            loops = trial.add(fragment)
            if not trial.has_effect:
                continue
            if not made or made[-1].loops + loops > FUSED_LOOPS:
                made.append(Shader(fragment.name, self._module(long=loops > FUSED_LOOPS)))
            made[-1].module.add(fragment)
            made[-1].loops += loops
        self.shaders += made
        return made

    def _module(self, *, long: bool = False) -> Module:
        """`long`: whether its loops may turn often."""
        return Module(
            self.declared,
            self._values,
            self._spares,
            known=known_fields(self._model),
            counted=self.counted,
            unfinished=LOOPS_ENDED if long and self._ends_loops else 0,
        )

    def layout(self) -> BufferLayout:
        """Places of the fields that the shaders use; state and inputs are always there."""
        used = {field.name for field in (*STATE_FIELDS, *INPUT_FIELDS)} | KEPT
        for shader in self.shaders:
            used |= {name for _, name in shader.module.fields}
        counters = len(self.shaders) * len(COUNTERS) if self.counted else 0
        return self._layout(
            used,
            spares=self._spares,
            counters=counters,
            own=self._own,
            scratch=self._owners_of_scratch(),
        )

    def _owners_of_scratch(self) -> dict[str, str]:
        """Fields that have a value within one shader only, with its name."""
        users: dict[str, set[str]] = {}
        for shader in self.shaders:
            for struct, name in shader.module.fields:
                if struct == "d":
                    users.setdefault(name, set()).add(shader.name)
        return {
            field.name: min(users[field.name])
            for field in self._engine.fields
            if is_brief(field) and len(users.get(field.name, ())) == 1
        }

    def texts(self, shaders: Iterable[Shader], layout: BufferLayout) -> list[tuple[str, str]]:
        """Name and WGSL of each dispatch."""
        return [
            (shader.name, shader.module.shader(layout, self.shaders.index(shader)))
            for shader in shaders
        ]

    def _layout(self, names: Iterable[str], **more: Any) -> BufferLayout:
        wanted = set(names)
        fields = (f for f in (*MODEL_FIELDS, *self._engine.fields) if f.name in wanted)
        return BufferLayout(
            MODEL_LAYOUT,
            self._engine.layout,
            {
                field.name: CACHES.get(field.name, field.count_for(self._sizes))
                for field in fields
                if field.in_kernels
            },
            self._sizes,
            precise=[field.name for field in self._engine.fields if "precise" in field.marks],
            first=[field.name for field in STATE_FIELDS],
            alias="state",
            **more,
        )


class Program:
    """Compiled shaders for one model, as it is now."""

    def __init__(
        self,
        context: GpuSimContext,
        model: Model,
        engine: Engine,
        capacities: Mapping[str, int],
        *,
        own: Collection[str] = (),
        counted: bool = False,
    ) -> None:
        self.context = context
        self._translation = Translation(
            model, engine, capacities, own=own, counted=counted, ends_loops=context.ends_loops
        )
        add = self._translation.add
        self._begin = add(begin_call, clear_unchanged_trees)
        self._step = add(engine.step)
        self._forward = add(evaluate_forward)
        #: shaders of ON_REQUEST, which no step computes
        self._answers = [add(kernel) for kernel in ON_REQUEST.kernels]
        self.layout = self._translation.layout()
        self._pipelines: dict[int, Any] = {}

    @property
    def step_shaders(self) -> list[Shader]:
        """What is dispatched for one step, in order."""
        return self._step

    def numbered_step(self) -> list[tuple[int, Shader]]:
        """The shaders of one step, with their numbers among all: those of their counters."""
        every = self._translation.shaders
        return [(every.index(shader), shader) for shader in self._step]

    def step(self, chunks: Iterable[Chunk], count: int) -> None:
        """Submit some steps of every world."""
        # compiled together, under one bar
        self.pipelines([*self._begin, *self._step])
        for chunk in chunks:
            self.submit(self._begin, chunk)
            for first in range(0, count, STEPS_PER_SUBMIT):
                self.submit(self._step * min(count - first, STEPS_PER_SUBMIT), chunk)

    def forward(self, chunks: Iterable[Chunk]) -> None:
        """Submit forward dynamics of every world."""
        for chunk in chunks:
            self.submit([*self._begin, *self._forward], chunk)

    def answer(self, number: int, chunks: Iterable[Chunk]) -> None:
        """Submit one of ON_REQUEST."""
        for chunk in chunks:
            self.submit(self._answers[number], chunk)

    def pipelines(self, shaders: Sequence[Shader]) -> list[Any]:
        """Shaders, compiled when they are first dispatched."""
        every = {id(shader): shader for shader in shaders}
        missing = {key: every[key] for key in every if key not in self._pipelines}
        if missing:
            texts = self._translation.texts(missing.values(), self.layout)
            self._pipelines |= zip(missing, self.context.pipelines(texts), strict=True)
        return [self._pipelines[id(shader)] for shader in shaders]

    def submit(
        self, shaders: Sequence[Shader], chunk: Chunk, clock: DeviceClock | None = None
    ) -> None:
        """Dispatch shaders in order for the worlds of a chunk; a clock measures the time."""
        self.submit_pipelines(self.pipelines(shaders), chunk, clock)

    def submit_pipelines(
        self, pipelines: list[Any], chunk: Chunk, clock: DeviceClock | None = None
    ) -> None:
        """Dispatch compiled shaders in order for the worlds of a chunk."""
        timed = {} if clock is None else {"timestamp_writes": clock.of_pass}
        with self.context.working():
            encoder = self.context.device.create_command_encoder()
            work = encoder.begin_compute_pass(**timed)
            work.set_bind_group(0, chunk.group)
            for pipeline in pipelines:
                work.set_pipeline(pipeline)
                work.dispatch_workgroups(-(-chunk.n // WORKGROUP))
            work.end()
            if clock is not None:
                clock.resolve(encoder)
            self.context.queue.submit([encoder.finish()])
