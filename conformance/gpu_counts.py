"""`python -m conformance.gpu_counts`: what a step of the humanoid takes on a GPU, by counting.

A debug build counts the loop turns of each shader, and the numbers that it reads and writes, in the
worlds of `conformance.gpu`. Updates `gpu_counts.json`, which a test compares and holds to limits.
Counts do not depend on the device, but for the solver's rounds, which depend on its rounding.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.gpu import random_worlds
from cortenforge.gpu import GpuBatchSim

TABLE = Path(__file__).with_name("gpu_counts.json")


def measure() -> dict[str, Any]:
    """Counts of each shader, mean of some worlds, and their sums; bytes are those of a world."""
    model = cf.load_model(cf.models.find("humanoid"))
    worlds = random_worlds(model)
    batch = GpuBatchSim(model, len(worlds))
    batch.set_states([world.get_state() for world in worlds])
    batch.ctrl = np.array([world.ctrl for world in worlds])
    shaders = batch.count_shaders()
    return {
        "bytes_per_world": batch.bytes_per_world,
        "dispatches": len(shaders),
        "most_turns": max(shader.most_turns for shader in shaders),
        "data_bytes": round(sum(shader.data_bytes for shader in shaders)),
        "model_bytes": round(sum(shader.model_bytes for shader in shaders)),
        "shaders": [asdict(shader) for shader in shaders],
    }


def main() -> int:
    found = measure()
    TABLE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for shader in found.pop("shaders"):
        print(f"{shader['name']:32} {shader['turns']:8.0f} turns {shader['data_bytes']:9.0f} bytes")
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
