"""Pictures by turns with MuJoCo's renderer on software OpenGL, in one process and on one core.

python -m benchmarks.pictures

Needs an EGL driver; Mesa's llvmpipe, told to use one thread, is what MuJoCo draws with here.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cortenforge as cf
from benchmarks.subjects import menagerie_file
from conformance.cases import public_folder
from cortenforge.compare import load_reference, mujoco_module

__all__ = ["models", "posed"]

#: pictures of MuJoCo and of ours, by turns
TURNS = 4
WORLDS = 16
SIZES = ((640, 480), (84, 84))
#: what is raced
RACED = ("humanoid", "G1")


def models() -> dict[str, Path]:
    """The models that this machine has, of those that are drawn beside MuJoCo's."""
    public = public_folder()
    found = {
        "humanoid": public and public / "mujoco/humanoid/humanoid.xml",
        "G1": menagerie_file("unitree_g1/scene.xml"),
        "hand": menagerie_file("shadow_hand/scene_right.xml"),
    }
    return {name: path for name, path in found.items() if path and path.exists()}


def posed(path: Path) -> tuple[Any, Any, cf.Data]:
    """MuJoCo's model and a world of it, and ours, at its first keyframe if it has one."""
    mujoco, theirs = mujoco_module(), load_reference(path)
    world = mujoco.MjData(theirs)
    if theirs.nkey:
        mujoco.mj_resetDataKeyframe(theirs, world, 0)
    mujoco.mj_forward(theirs, world)
    data = cf.load_model(path).make_data()
    data.qpos[:] = world.qpos
    data.forward()
    return theirs, world, data


def least(draw: Callable[[], Any], times: int) -> float:
    """Least processor time of a few calls, in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        draw()
        taken.append(time.process_time() - start)
    return 1e3 * min(taken)


def race(path: Path, width: int, height: int) -> tuple[float, float]:
    """Milliseconds a picture, of MuJoCo and of ours: one by one, or small ones for a batch."""
    theirs, world, data = posed(path)
    renderer = mujoco_module().Renderer(theirs, height, width)
    batch = cf.BatchSim(data.model, WORLDS, threads=1)
    batch.qpos[:] = world.qpos
    small = width < 200
    # a sky and lights that MuJoCo does not draw would not be fair
    fair = cf.RenderOptions(backdrop="model")
    ours = cf.Renderer(data.model, width=width, height=height, options=fair)

    def draw_theirs() -> None:
        renderer.update_scene(world)
        renderer.render()

    def draw_ours() -> None:
        if small:
            batch.render(width=width, height=height, backdrop="model")
        else:
            ours.render(data)

    draw_theirs()
    draw_ours()
    turns = [(least(draw_theirs, 3), least(draw_ours, 3)) for _ in range(TURNS)]
    renderer.close()
    return min(t for t, _ in turns), min(o for _, o in turns) / (WORLDS if small else 1)


def main() -> int:
    """Race all models at all sizes, and print a table for docs/rendering.md."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    os.environ.setdefault("LP_NUM_THREADS", "0")
    print("| model | picture | MuJoCo, ms | CortenForge, ms | times as fast |")
    print("|---|---|---:|---:|---:|")
    found = models()
    for name in RACED:
        if name not in found:
            print(f"not measured: {name}, which this machine lacks", file=sys.stderr)
            continue
        path = found[name]
        for width, height in SIZES:
            theirs, ours = race(path, width, height)
            print(
                f"| {name} | {width}x{height} | {theirs:.0f} | {ours:.1f} | {theirs / ours:.1f} |"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
