"""How a group of eight worlds is laid out for kernels, and the linkers of its units."""

from __future__ import annotations

import functools

from cortenforge.batch import lockstep
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import Entry, Row, StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.step.engine import ENGINE, Engine

#: numbers that a call sets: which groups to step, and the shape of the batch's arrays
COUNTS = (
    "first_group",
    "last_group",
    "resumed",  # 1 if the first group is in lane memory already, some steps on
    "first_step",  # how many steps it has taken then
    "nworld",
    "row_size",
    "out_size",  # numbers of a block, in which places of bound fields are counted
    "bind_count",
    "bind_kept",  # how many of them are a program's, and stay where a world fails
    "bind_loaded",  # up to which they are inputs of a call that loads bound fields
    "fact_count",
    "fact_start",  # where in lane memory facts begin
    "draw_start",  # seed, world, episode, draw; then where their numbers begin, and how many
    "uniform_start",
    "normal_start",
    "uniforms",
    "normals",
    "step_uniforms",
    "step_normals",
    "hooks",  # which of hooks.HOOKS run in a call, as bits
    "requested",  # which of lockstep.ON_REQUEST are computed at the end of a call, as bits
    "own_size",  # the same, for fields of the model
    "own_count",
)
#: arrays of the whole batch, one world after another; and lane memory as plain numbers
ARRAYS = (
    ("rows", "real"),  # state and inputs of every world
    ("arena", "real"),  # lane memory: number k of lane l is at 8 k + l
    ("out", "real"),  # from where places of bound fields are counted
    ("bind_from", "int"),  # where in lane memory a bound field starts
    ("bind_size", "int"),  # how many numbers it has
    ("bind_to", "int"),  # where it goes: block, place in it, from a world to the next
    ("own", "real"),  # from where places of each world's own fields of the model are counted
    ("model_arena", "real"),  # lane memory of the model
    ("own_from", "int"),  # where a field is: block, place in it, from a world to the next
    ("own_length", "int"),  # how many numbers it has
    ("own_to", "int"),  # where in the model's lane memory it goes
    ("order", "int"),  # which world is the k-th: eight after another are a group
    ("world_rows", "int"),  # rows of constraints, contacts ... of each world (`counts.COUNTED`)
    ("world_status", "int"),  # what each world's call came to
    ("world_index", "int"),
    ("world_value", "real"),
    ("world_steps", "int"),
    ("warned_count", "int"),  # warnings of each kind, world by world
    ("warned_index", "int"),
    ("warned_value", "real"),
    ("fact_of", "int"),  # kind, first and second geom of each fact (`facts`)
    ("stopped_at", "int"),  # the step at which a group needs more room
)
EXTRA: tuple[Row, ...] = (
    *((name, "size", (), True) for name in COUNTS),
    *((name, kind, (), False) for name, kind in ARRAYS),
)


def in_lanes(entry: Entry) -> bool:
    """Whether a field of Data has its numbers in lanes; integers of a group are one for all."""
    if entry.home == "group":
        return entry.kind not in ("int", "word")
    return entry.kind != "size" and entry.home == "lanes"


@functools.cache
def lane_layout(engine: Engine) -> StructLayout:
    """The Data of eight worlds."""
    return engine.layout.in_lanes(f"{engine.name}Lanes", in_lanes, EXTRA)


#: the Model of eight worlds that may differ in all of its reals
MODEL_LANES: StructLayout = MODEL_LAYOUT.in_lanes("ModelLanes", lambda entry: entry.differs)


def lane_linker(engine: Engine, expanded: bool) -> Linker:
    """Loads and compiles the units of a step for lanes; expanded: worlds differ in their model."""
    if engine is ENGINE:
        return expanded_lanes() if expanded else shared_lanes()
    return _lane_linker(engine, expanded)


@functools.cache
def _lane_linker(engine: Engine, expanded: bool) -> Linker:
    model = MODEL_LANES if expanded else MODEL_LAYOUT
    return Linker(model, lane_layout(engine), replaced=engine.replaced)


def _entries() -> list[Kernel]:
    return [
        lockstep.step_groups,
        lockstep.step_groups_in_place,
        lockstep.forward_groups,
        lockstep.forward_to_controls_groups,
        lockstep.inverse_groups,
    ]


@registered(_entries)
def shared_lanes() -> Linker:
    """The engine's own units, for worlds of one model."""
    return _lane_linker(ENGINE, False)


@registered(_entries)
def expanded_lanes() -> Linker:
    """The engine's own units, for worlds that differ in their model."""
    return _lane_linker(ENGINE, True)
