"""Batches as pickles hold them: a model, and the numbers of all worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cortenforge.batch.memory import ROW_FIELDS
from cortenforge.model.states.pickling import check_field_fingerprint, field_fingerprint

if TYPE_CHECKING:
    from cortenforge.batch.batch import BatchSim


def batch_state(batch: BatchSim) -> dict[str, Any]:
    """All that worlds are: states, inputs, parameters of their own, bound fields, their program.

    Tables are the caller's: a copy has none.
    """
    return {
        "fields": field_fingerprint(ROW_FIELDS),
        "model": batch.model,
        "engine": batch._engine,
        "n": batch.n,
        "threads": batch.threads,
        "rows": batch._rows.table.copy(),
        "parameters": {name: values.copy() for name, values in batch.parameters.items()},
        "bound": {name: values.copy() for name, values in batch._bound.arrays.items()},
        "program": batch.program,
        "world_state": {name: values.copy() for name, values in batch.world_state.items()},
        # which worlds go together: no bits depend on it, but their time does
        "world_rows": batch._reports["world_rows"].copy(),
    }


def restore_batch(batch: BatchSim, state: dict[str, Any]) -> None:
    """Make a batch of what `batch_state` gave."""
    check_field_fingerprint("BatchSim", state["fields"], ROW_FIELDS)
    made, n = state["model"], state["n"]
    given = {name: state[name] for name in ("threads", "engine", "program")}
    type(batch).__init__(batch, made, n, **given)
    if state["parameters"]:
        batch.expand(*state["parameters"])
    for name, values in state["parameters"].items():
        batch.parameters[name][...] = values
    if state["bound"]:
        batch.bind(*state["bound"])
    batch._rows.table[...] = state["rows"]
    for name, values in state["bound"].items():
        batch._bound.arrays[name][...] = values
    for name, values in state["world_state"].items():
        batch.world_state[name] = values
    batch._reports["world_rows"][:] = state["world_rows"]
