"""Work on shards by actors of Ray, whose results do not depend on which actor does what.

A task carries all that its result follows from. So what a lost worker was doing is given to another
one, and the result has the same bits.
"""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import (
    ObjectLostError,
    OutOfMemoryError,
    RayActorError,
    RayTaskError,
    WorkerCrashedError,
)

from cortenforge.errors import WorkerError, WorkerWarning
from cortenforge.model import Model
from cortenforge.model.calls.progress_bar import DelayedProgressBar
from cortenforge.ray.shard import ShardWorker, Snapshot, Task, Work

#: what says that a worker, or a result that it had, is gone
LOST = (RayActorError, ObjectLostError, OutOfMemoryError, WorkerCrashedError)
#: a shard that has lost so many workers is what kills them
ATTEMPTS = 3


@dataclass(eq=False)
class Worker:
    """An actor, and what says that its kernels are loaded."""

    actor: Any
    ready: Any
    number: int


@dataclass(eq=False)
class Job:
    """A task, its place among the results, and how many workers it has lost."""

    task: Task
    place: int
    lost: int = 0


class RayWorkers:
    """Actors that work on shards; one that is lost is replaced.

    count:   number of actors; worlds: of a shard, for which kernels are loaded.
    threads: of each actor, which reserves as many processors.
    timeout: seconds in which actors are to be ready.
    """

    def __init__(
        self, model: Model, count: int, worlds: int, *, threads: int, timeout: float
    ) -> None:
        self.count, self.worlds, self.timeout = count, worlds, timeout
        self.threads = threads
        #: once for all actors, on every node that needs it
        self._model = ray.put(model)
        self._kind = ray.remote(num_cpus=threads)(ShardWorker)
        self._numbers = 0
        self._starting: list[Worker] = []
        self._idle: list[Worker] = []
        try:
            for _ in range(count):
                self._start()
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        actor = self._kind.remote(self._model, self.threads)
        ready = actor.warm_up.remote(self.worlds)
        self._starting.append(Worker(actor, ready, self._numbers))
        self._numbers += 1

    def _wait_until_ready(self) -> None:
        """Return when kernels are loaded in all workers."""
        end = time.monotonic() + self.timeout
        with DelayedProgressBar("Starting workers", self.count) as bar:
            while self._starting:
                before = len(self._idle)
                self._receive({}, {}, min(1.0, self.timeout))
                bar.advance(len(self._idle) - before)
                if time.monotonic() > end and self._starting:
                    raise WorkerError(
                        f"{len(self._idle)} of {self.count} workers were ready after "
                        f"{self.timeout:g} s; the cluster has "
                        f"{ray.cluster_resources().get('CPU', 0):g} processors: ask for fewer "
                        "workers, or give start_timeout="
                    )

    def run(
        self,
        work: Work,
        shared: tuple[Any, ...],
        tasks: Sequence[Task],
        done: Callable[[int], None],
    ) -> list[tuple[Any, Snapshot | None]]:
        """Results of tasks, in their order; done: called with 1 after each.

        Raises what a function raises, and WorkerError for a shard that no worker survives.
        """
        waiting = deque(Job(task, place) for place, task in enumerate(tasks))
        running: dict[Any, tuple[Worker, Job]] = {}
        found: dict[int, tuple[Any, Snapshot | None]] = {}
        common = ray.put(shared)
        since = time.monotonic()
        try:
            while waiting or running:
                while waiting and self._idle:
                    worker, job = self._idle.pop(), waiting.popleft()
                    running[worker.actor.run.remote(work, common, job.task)] = worker, job
                if running:
                    since = time.monotonic()
                elif time.monotonic() - since > self.timeout:
                    raise WorkerError(
                        f"no worker was ready within {self.timeout:g} s: all were lost, and the "
                        "cluster has no place for others"
                    )
                before = len(found)
                waiting.extendleft(self._receive(running, found, 1.0))
                done(len(found) - before)
        finally:
            # what an interrupt leaves behind goes on; its worker takes the next task after that
            self._idle += [worker for worker, _ in running.values()]
        return [found[place] for place in range(len(tasks))]

    def _receive(
        self,
        running: dict[Any, tuple[Worker, Job]],
        found: dict[int, tuple[Any, Snapshot | None]],
        seconds: float,
    ) -> list[Job]:
        """Wait for results and for workers that start; returns jobs that lost their workers."""
        again = []
        starting = {worker.ready: worker for worker in self._starting}
        refs = [*running, *starting]
        ready, _ = ray.wait(refs, num_returns=1, timeout=seconds)
        for ref in ready:
            worker, job = running.pop(ref, (None, None))
            if worker is None or job is None:
                self._finish_start(starting[ref])
                continue
            try:
                found[job.place] = ray.get(ref)
                self._idle.append(worker)
            except RayTaskError as error:
                self._idle.append(worker)
                raise cause_of(error) from None
            except LOST as error:
                self._replace(worker, job, error)
                again.append(job)
        return again

    def _finish_start(self, worker: Worker) -> None:
        self._starting.remove(worker)
        try:
            ray.get(worker.ready)
            self._idle.append(worker)
        except RayTaskError as error:
            raise cause_of(error) from None
        except LOST as error:
            warn_of_loss(f"worker {worker.number} was lost while it started: {reason_of(error)}")
            self._start()

    def _replace(self, worker: Worker, job: Job, error: Exception) -> None:
        """Start another worker in the place of one that is lost, and say so."""
        job.lost += 1
        first, stop = job.task.worlds
        lost = f"worker {worker.number} was lost with worlds {first} to {stop - 1}"
        ray.kill(worker.actor)
        self._start()
        if job.lost >= ATTEMPTS:
            raise WorkerError(
                f"{lost}, as {job.lost - 1} others before it: {reason_of(error)}\n"
                "  hint: these worlds need more memory than a worker has, or kill it; "
                "smaller shards need less"
            ) from error
        warn_of_loss(f"{lost}, which are computed again: {reason_of(error)}")

    def close(self) -> None:
        """End all actors."""
        for worker in (*self._idle, *self._starting):
            ray.kill(worker.actor)
        self._idle, self._starting = [], []


def cause_of(error: RayTaskError) -> BaseException:
    """What a function has raised in a worker."""
    cause = error.cause
    return cause if isinstance(cause, BaseException) else error


def reason_of(error: Exception) -> str:
    """Why a worker was lost, as Ray tells it, on one line."""
    return " ".join(str(error).split())[:600]


def warn_of_loss(message: str) -> None:
    """Issue a WorkerWarning at the call of the pool."""
    warnings.warn(message, WorkerWarning, stacklevel=2)


def connect() -> None:
    """Connect to the cluster, or start one on this machine."""
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False)


def processors() -> int:
    """Number of processors of the cluster."""
    return int(ray.cluster_resources().get("CPU", 1))
