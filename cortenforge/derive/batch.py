"""Derivatives of a step for all worlds of a batch."""

from __future__ import annotations

from functools import partial

import numpy as np

from cortenforge.batch import BatchSim
from cortenforge.batch.internals import rows_of, run_on_threads, world_of
from cortenforge.derive.config import DerivativeConfig, TransitionMatrices, checked_config
from cortenforge.derive.finite_differences import MOST_COLUMNS, StepDifferences
from cortenforge.derive.transition import Workspace, derivatives_by, method_for
from cortenforge.errors import StepError
from cortenforge.model.internals import kept_with, reading

#: matrices by name
Found = dict[str, np.ndarray]


class BatchWorkspaces:
    """Workspaces of a batch's derivatives, one a thread, kept from call to call."""

    def __init__(self, batch: BatchSim) -> None:
        self.worlds = [world_of(batch, i) for i in range(batch.n)]
        #: one a thread; each serves all worlds, with their own parameters
        self.of_threads = [Workspace(world_of(batch, 0)) for _ in range(batch.threads)]


def batch_derivatives(
    batch: BatchSim,
    config: DerivativeConfig | None = None,
    left_out: np.ndarray | None = None,
) -> TransitionMatrices:
    """A, B, C and D of all worlds, with the world as first dimension.

    left_out: mask of worlds that are skipped; they have NaN, and so have worlds whose state a
              step would refuse. Without it, such a world raises its error.
    """
    wanted = checked_config(config)
    model = batch.model
    states = 2 * model.nv + model.na
    shapes = {"A": (states, states), "B": (states, model.nu)}
    if wanted.sensors:
        shapes |= {"C": (model.nsensordata, states), "D": (model.nsensordata, model.nu)}
    found = {name: np.full((batch.n, *shape), np.nan) for name, shape in shapes.items()}
    chosen = np.arange(batch.n) if left_out is None else np.flatnonzero(~left_out)
    if len(chosen):
        # views of parameters move when more fields are expanded
        key = ("derivatives", *batch.parameters)
        workspaces = kept_with(batch, key, lambda: BatchWorkspaces(batch))
        _fill_matrices(batch, workspaces, wanted, chosen, found, left_out is not None)
    return TransitionMatrices(*found.values())


def _fill_matrices(
    batch: BatchSim,
    workspaces: BatchWorkspaces,
    config: DerivativeConfig,
    chosen: np.ndarray,
    found: Found,
    forgiving: bool,
) -> None:
    method = method_for(workspaces.of_threads[0], config)
    if method == "fd" and not forgiving:
        _by_steps(batch, config, chosen, found)
        return

    def differentiate_part(workspace: Workspace, part: np.ndarray) -> None:
        with reading(batch.model):
            for world in part.tolist():
                try:
                    _store_matrices(
                        found,
                        world,
                        derivatives_by(method, workspace, workspaces.worlds[world], config),
                    )
                except StepError:
                    if not forgiving:
                        raise

    # allocation reads the model and may compile: on one thread only
    for workspace in workspaces.of_threads:
        workspace.allocate(method)
    differentiate_part(workspaces.of_threads[0], chosen[:1])
    parts = np.array_split(chosen[1:], len(workspaces.of_threads))
    jobs = [
        partial(differentiate_part, workspace, part)
        for workspace, part in zip(workspaces.of_threads, parts, strict=True)
    ]
    run_on_threads(batch, jobs)


def _store_matrices(found: Found, world: int, matrices: TransitionMatrices) -> None:
    for name, array in found.items():
        array[world] = getattr(matrices, name)


def _by_steps(batch: BatchSim, config: DerivativeConfig, chosen: np.ndarray, found: Found) -> None:
    """Finite differences of whole steps, of as many worlds at a time as there is memory for."""
    model = batch.model
    columns = 2 * model.nv + model.na + model.nu
    size = min(len(chosen), max(1, MOST_COLUMNS // max(1, columns)))
    for start in range(0, len(chosen), size):
        part = chosen[start : start + size]
        own = {name: values[part] for name, values in batch.parameters.items()}
        steps = StepDifferences(model, len(part), own, threads=batch.threads)
        matrices = steps.transition(rows_of(batch).table[part], config)
        for name, array in found.items():
            array[part] = getattr(matrices, name)
