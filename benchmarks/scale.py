"""Speed of pools with one worker and with two, in turns: `python -m benchmarks.scale`.

It needs Ray and two processors. On a busy machine the ratio of times says little. So the time of
processors is counted, too: that of steps in workers, and that of this process, which hands out
work while workers wait. From both follows the efficiency that two free processors would have:

    E = (steps + handing out) / (2 (steps / 2 + handing out))
"""

from __future__ import annotations

import time

import ray

import cortenforge as cf
from cortenforge import models

#: worlds of a pool, and of a shard; steps of each in a turn
WORLDS, SHARD, STEPS = 512, 32, 500
TURNS = 3


def step_worlds(shard: cf.ray.Shard) -> float:
    """Processor time [s] of steps of the worlds of a shard."""
    start = time.process_time()
    shard.batch.step_all(STEPS)
    return time.process_time() - start


def measure(pool: cf.ray.Pool) -> tuple[float, float, float]:
    """Time of a turn, processor time of its steps, and of this process [s]."""
    start, own = time.perf_counter(), time.process_time()
    steps = sum(pool.map(step_worlds))
    return time.perf_counter() - start, steps, time.process_time() - own


def main() -> None:
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    model = cf.Model.from_mjcf(models.find("humanoid"))
    pools = [
        cf.ray.Pool(model, WORLDS, workers=count, shard=SHARD, progress=False) for count in (1, 2)
    ]
    for pool in pools:
        pool.map(step_worlds)
    for _ in range(TURNS):
        (one, steps, own), (two, steps_of_two, own_of_two) = [measure(pool) for pool in pools]
        bound = (steps + own) / (steps_of_two + 2 * own_of_two)
        print(
            f"1 worker {one:.2f} s, 2 workers {two:.2f} s: {one / two / 2:.0%} of linear; "
            f"processor time of steps {steps:.2f} and {steps_of_two:.2f} s, "
            f"of handing out {own:.2f} and {own_of_two:.2f} s: {bound:.0%}"
        )


if __name__ == "__main__":
    main()
