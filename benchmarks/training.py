"""`python -m benchmarks.training [TASK...]`: trainings by their recipes, scored in MuJoCo itself.

Each recipe is trained with three seeds on one thread. The policies then act in Gymnasium's own
environment, on the `mujoco` package, where there is one of that name, and else in ours. Times are
of the processor. Writes `benchmarks/results_training.json` and `docs/images/training.png`.
Needs `make train-check`'s environment; `make train-bench` runs it there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from benchmarks.machine import machine
from cortenforge.cli.screen import results, titled
from cortenforge.learning import RECIPES, Policy, Progress, Training, evaluate, find_recipe

RESULTS = Path(__file__).with_name("results_training.json")
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "training.png"
SEEDS = (0, 1, 2)
EPISODES = 10
#: points of a curve that are kept
POINTS = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, score, write, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("task", nargs="*", help="tasks to train; all recipes by default")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    options = parser.parse_args(arguments)
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    kept["machine"] = machine()
    tasks = kept.setdefault("tasks", {})
    for task in options.task or RECIPES:
        tasks[task] = [train_and_score(task, seed) for seed in options.seeds]
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
    draw_curves(tasks, PICTURE)
    results.print(table_of(tasks))
    return 0


def train_and_score(task: str, seed: int) -> dict[str, Any]:
    """Train a recipe with a seed; its curve, its time, and what the policy scores."""
    training = Training(find_recipe(task), seed=seed)

    def show(point: Progress) -> None:
        if len(training.curve) % 50 == 0:
            done = f"{point.steps:,} steps, {point.cpu:.0f} s of the processor"
            results.print(f"{task}, seed {seed}: {done}, return {point.mean_return:.0f}")

    training.run(on_progress=show)
    policy, last = training.trained_policy(), training.curve[-1]
    where, returns = score(policy)
    every = max(1, len(training.curve) // POINTS)
    return {
        "seed": seed,
        "steps": last.steps,
        "cpu": last.cpu,
        "scored_in": where,
        "mean": float(returns.mean()),
        "least": float(returns.min()),
        "curve": [
            (point.steps, point.cpu, point.mean_return)
            for point in training.curve[::every]
            if np.isfinite(point.mean_return)
        ],
    }


def score(policy: Policy) -> tuple[str, np.ndarray]:
    """Returns of whole episodes, in Gymnasium's own environment where it has the task."""
    spec = gymnasium.registry.get(policy.task)
    if spec is None or spec.entry_point is None:
        return "cortenforge", evaluate(policy, EPISODES, seed=1000)
    own = gymnasium.make(policy.task)
    return "mujoco", np.array([episode_return(policy, own, 1000 + k) for k in range(EPISODES)])


def episode_return(policy: Policy, own: gymnasium.Env[Any, Any], seed: int) -> float:
    """Return of one episode in an environment of Gymnasium's."""
    observation, _ = own.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, _ = own.step(policy.act(observation))
        total += float(reward)
        over = terminated or truncated
    return total


def table_of(tasks: dict[str, Any]) -> Any:
    """Scores and times of all seeds."""
    table = titled("", "task", "seed", "million steps", "CPU s", "return", "least", "scored in")
    for task, runs in tasks.items():
        for run in runs:
            numbers = f"{run['steps'] / 1e6:.2f}", f"{run['cpu']:.0f}"
            scores = f"{run['mean']:,.0f}", f"{run['least']:,.0f}"
            table.add_row(task, str(run["seed"]), *numbers, *scores, run["scored_in"])
    return table


def draw_curves(tasks: dict[str, Any], path: Path) -> None:
    """Returns over processor time, a panel for each task and a line for each seed."""
    from cortenforge.cli.plot import matplotlib_pyplot

    plt = matplotlib_pyplot()
    columns = min(3, len(tasks))
    rows = -(-len(tasks) // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(3.6 * columns, 2.7 * rows), squeeze=False, layout="constrained"
    )
    for panel in panels.flat[len(tasks) :]:
        panel.set_visible(False)
    for panel, (task, runs) in zip(panels.flat, tasks.items(), strict=False):
        for run in runs:
            _, seconds, returns = np.transpose(run["curve"])
            panel.plot(seconds, returns, linewidth=1.2)
        panel.set_title(task)
        panel.set_xlabel("processor time [s]")
        panel.set_ylabel("return")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    raise SystemExit(main())
