"""Work on shards in this process, one after another, on all of its threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cortenforge.model import Model
from cortenforge.ray.shard import ShardWorker, Snapshot, Task, Work


class LocalWorkers:
    """Does the work of a pool in this process."""

    count = 0

    def __init__(self, model: Model, worlds: int) -> None:
        # as a worker does, which has the model as it is now
        self._worker: ShardWorker | None = ShardWorker(model.copy(), None)
        self._worker.warm_up(worlds)

    def run(
        self,
        work: Work,
        shared: tuple[Any, ...],
        tasks: Sequence[Task],
        done: Callable[[int], None],
    ) -> list[tuple[Any, Snapshot | None]]:
        """Results of tasks, in their order; done: called with 1 after each."""
        found = []
        assert self._worker is not None
        for task in tasks:
            found.append(self._worker.run(work, shared, task))
            done(1)
        return found

    def close(self) -> None:
        """Free the memory."""
        self._worker = None
