"""Pools on a local cluster of four nodes: the same bits as in one process, whatever is lost."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cortenforge as cf
from tests.ray import pool_work as work

ray = pytest.importorskip("ray", reason='needs Ray: pip install "cortenforge[ray]"')

#: what a killed worker, or its node, is reported as
LOST = pytest.mark.filterwarnings("ignore::cortenforge.WorkerWarning")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Four nodes with a processor each, beside a head without any."""
    from ray.cluster_utils import Cluster

    memory = 80 * 2**20
    started = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": memory}
    )
    for _ in range(4):
        started.add_node(num_cpus=1, object_store_memory=memory)
    ray.init(address=started.address, log_to_driver=False)
    yield started
    ray.shutdown()
    started.shutdown()


def ants(workers: int) -> cf.ray.Pool:
    """A pool of ants."""
    return cf.ray.Pool(
        work.ant(), work.WORLDS, workers=workers, shard=work.SHARD, seed=2, start_timeout=120
    )


@pytest.fixture(scope="module")
def alone() -> list[np.ndarray]:
    """Results of one process."""
    with ants(0) as pool:
        return work.everything(pool)


def assert_same_bits(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("workers", [1, 4])
def test_results_have_the_bits_of_one_process(
    cluster: Any, alone: list[np.ndarray], workers: int
) -> None:
    """With one worker and with four, one a node."""
    with ants(workers) as pool:
        nodes = pool.map(lambda shard: ray.get_runtime_context().get_node_id())
        assert len(set(nodes)) == workers == pool.workers
        pool._calls = 0
        assert_same_bits(work.everything(pool), alone)


def test_the_model_is_stored_once(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And kernels of steps are loaded in each worker before it is given work."""
    pickled = []
    state = cf.Model.__getstate__
    monkeypatch.setattr(
        cf.Model, "__getstate__", lambda model: pickled.append(model) or state(model)
    )
    with ants(4) as pool:
        assert pool.map(work.is_warm) == [True] * 7
        pool.step(3)
    assert len(pickled) == 1


def test_policies_have_the_returns_of_one_process(cluster: Any) -> None:
    """Matrix products of policies, too: a shard is the same wherever it is."""
    seeds = np.arange(100, 150)
    found = []
    for workers in (0, 1, 3):
        with cf.ray.Pool(work.cartpole(), 1, workers=workers, shard=8) as pool:
            found.append(work.evaluate(pool, seeds).returns)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    assert len(np.unique(found[0])) == 50


def test_a_killed_worker_is_reported_and_its_shard_run_again(cluster: Any, tmp_path: Path) -> None:
    """Killed in the middle of its work, by the signal that a full memory gives it."""
    with ants(0) as pool:
        pool.step(2)
        pool.map(lambda shard: shard.batch.step_all(3) and None)
        wanted = [pool.get_states(), pool.step(5).states]
    with ants(2) as pool:
        pool.step(2)
        with pytest.warns(cf.WorkerWarning, match=r"with worlds 16 to 23, .* again: .*OOM killer"):
            pool.map(work.killing_once, str(tmp_path), work.positions)
        assert_same_bits([pool.get_states(), pool.step(5).states], wanted)
        assert pool.workers == 2


def test_a_shard_that_kills_its_workers_is_an_error(cluster: Any) -> None:
    """After three of them, with its worlds; the pool goes on with another."""
    with ants(1) as pool:
        with (
            pytest.warns(cf.WorkerWarning),
            pytest.raises(cf.WorkerError, match="worlds 8 to 15, as 2 others before it: "),
        ):
            pool.map(work.killing_always)
        np.testing.assert_array_equal(pool.step().errors, [None] * work.WORLDS)


def test_errors_of_functions_reach_the_program(cluster: Any) -> None:
    """They are no losses: the same exception is raised, and worlds are what they were."""
    with ants(2) as pool, warnings.catch_warnings():
        warnings.simplefilter("error")
        before = pool.get_states()
        with pytest.raises(KeyError):
            pool.map(work.failing)
        with pytest.raises(cf.ShapeError, match="reward"):
            pool.evaluate(lambda seeds: lambda seen: 0, [1], reward=lambda batch: 0.0, steps=1)
        np.testing.assert_array_equal(pool.get_states(), before)
        pool.step()


def test_too_many_workers_are_refused(cluster: Any) -> None:
    """Where the cluster has no place for them."""
    with pytest.raises(cf.WorkerError, match=r"of 40 workers were ready .* has \d processors"):
        cf.ray.Pool(work.cartpole(), 400, workers=40, shard=10, start_timeout=8)


def test_rollouts_become_datasets(cluster: Any) -> None:
    """Of Ray Data, once the pool no longer holds the processors."""
    model = work.cartpole()
    states = np.tile(model.make_data().get_state(), (20, 1))
    run = cf.ray.rollout(model, states, np.ones((3, model.nu)), shard=8, workers=2)
    table = cf.ray.dataset(run)
    assert table.count() == 60
    rows = sorted(table.take_all(), key=lambda row: (row["world"], row["time"]))
    np.testing.assert_array_equal([row["state"] for row in rows], run.states.reshape(60, -1))


@LOST
def test_a_lost_node_changes_no_bits(cluster: Any) -> None:
    """A node is removed in the middle of a call, while its worker is at work.

    The last test, since the cluster is smaller afterwards.
    """
    with ants(0) as pool:
        wanted = [np.concatenate(pool.map(work.slow_steps, 0.0)), pool.step(5).states]
    node = sorted(cluster.worker_nodes, key=lambda one: one.node_id)[0]
    with ants(4) as pool:
        remover = threading.Thread(
            target=lambda: (time.sleep(0.8), cluster.remove_node(node, allow_graceful=False))
        )
        remover.start()
        with pytest.warns(cf.WorkerWarning, match="was lost"):
            found = [np.concatenate(pool.map(work.slow_steps, 3.0))]
        remover.join()
        found.append(pool.step(5).states)
        assert_same_bits(found, wanted)
    # the head and three others; Ray may take a while to see that
    end = time.monotonic() + 60
    while sum(one["Alive"] for one in ray.nodes()) > 4 and time.monotonic() < end:
        time.sleep(0.5)
    assert sum(one["Alive"] for one in ray.nodes()) == 4
