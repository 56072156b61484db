"""What it costs to be looked at: one humanoid at 60 frames a second, and a thousand of them.

python -m benchmarks.viewer

A listener in a process of its own takes what a browser would be sent, and draws nothing. Costs are
processor time of the process that sends, its steps and its network included.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import sys
import time
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from rich.table import Table

import cortenforge as cf
from benchmarks.criteria import all_met, viewer_criteria
from benchmarks.machine import RESULTS
from cortenforge.cli.screen import Screen, titled
from cortenforge.models import find

__all__ = ["Cost", "measure", "table_of"]

#: seconds that are measured, and before it those in which everything is sent for the first time
SECONDS, WARM = 5.0, 3.0
WORLDS = 1000
#: how many of the worlds' states are shown by turns
STATES = 8


@dataclass(frozen=True)
class Cost:
    """A crowd that was looked at: frames a second, each in ms of a processor and in kilobytes."""

    worlds: int
    frames: float
    core: float
    ms: float
    kilobytes: float


def listen(url: str, version: str, told: Connection) -> None:
    """Be a browser that does not draw: count messages, and how long they are."""
    asyncio.run(_add_mouse_handlers(url, version, told))


async def _add_mouse_handlers(url: str, version: str, told: Connection) -> None:
    import msgspec
    import websockets

    camera = {
        "type": "ViewerCameraMessage", "wxyz": [1, 0, 0, 0], "position": [3, 3, 3], "fov": 0.8,
        "near": 0.1, "far": 100.0, "image_height": 480, "image_width": 640,
        "look_at": [0, 0, 0], "up_direction": [0, 0, 1],
    }  # fmt: skip
    protocol: Any = f"viser-v{version}"
    origin: Any = url.replace("ws", "http", 1)
    async with websockets.connect(
        url, origin=origin, subprotocols=[protocol], max_size=None
    ) as socket:
        await socket.send(msgspec.msgpack.encode(camera))
        received = 0
        told.send("here")
        while True:
            try:
                content = await asyncio.wait_for(socket.recv(), 0.05)
                received += len(content)
            except TimeoutError:
                pass
            if told.poll():
                told.recv()
                told.send(received)


def looked_at(viewer: cf.Viewer) -> tuple[Any, Connection]:
    """A listener that is connected."""
    import viser

    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=listen,
        args=(viewer.url.replace("http", "ws"), viser.__version__, there),
        daemon=True,
    )
    process.start()
    assert here.recv() == "here"
    return process, here


def received(pipe: Connection) -> int:
    """Bytes that the listener has been sent."""
    pipe.send("how much")
    return int(pipe.recv())


def one_humanoid() -> Cost:
    """A humanoid that falls and is put up again, at 60 frames a second, with all that is usual."""
    model = cf.load_model(find("humanoid_floating"))
    with cf.view(model, model.make_data(), port=0, wait_for_tab=False) as viewer:
        process, pipe = looked_at(viewer)
        time.sleep(WARM)
        viewer.session.queue_action(viewer.session.reset)
        frames, sent = viewer.frames, received(pipe)
        start, used = time.perf_counter(), time.process_time()
        time.sleep(SECONDS)
        passed, used = time.perf_counter() - start, time.process_time() - used
        frames, sent = viewer.frames - frames, received(pipe) - sent
        process.kill()
    return Cost(1, frames / passed, used / passed, 1e3 * used / frames, sent / frames / 1e3)


def many_humanoids(worlds: int = WORLDS) -> Cost:
    """Frames of a thousand humanoids one after another: states that were simulated before."""
    model = cf.load_model(find("humanoid_floating"))
    batch = cf.BatchSim(model, worlds)
    batch.qvel[:] = np.random.default_rng(0).normal(size=batch.qvel.shape)
    with cf.view(batch, port=0, drive=False, play=False) as viewer:
        process, pipe = looked_at(viewer)
        poses = []
        for _ in range(STATES):
            batch.step_all(10)
            poses.append((batch.xpos.copy(), batch.xquat.copy()))

        def show(k: int) -> None:
            batch.xpos[:], batch.xquat[:] = poses[k % STATES]
            viewer.draw_now()

        end = time.perf_counter() + WARM
        while time.perf_counter() < end:
            show(0)
            time.sleep(0.1)
        frames, sent = 0, received(pipe)
        start, used = time.perf_counter(), time.process_time()
        while time.perf_counter() - start < SECONDS:
            show(frames)
            frames += 1
            # what was queued is sent before the next frame is made
            time.sleep(1.0 / 60.0)
        passed, used = time.perf_counter() - start, time.process_time() - used
        sent = received(pipe) - sent
        process.kill()
    return Cost(worlds, frames / passed, used / passed, 1e3 * used / frames, sent / frames / 1e3)


def measure() -> list[dict[str, float]]:
    """Both, as plain numbers."""
    return [asdict(one_humanoid()), asdict(many_humanoids())]


def table_of(rows: list[dict[str, float]]) -> Table:
    """What was measured, for a screen."""
    made = titled("looked at", "humanoids", "frames/s", "of a core", "ms/frame", "kB/frame")
    for row in rows:
        made.add_row(
            f"{row['worlds']:,}", f"{row['frames']:.0f}", f"{row['core']:.2f}", f"{row['ms']:.1f}",
            f"{row['kilobytes']:,.1f}",
        )  # fmt: skip
    return made


def main() -> int:
    """Measure, print, and write it to the results."""
    rows, console = measure(), Screen()
    console.print(table_of(rows))
    if RESULTS.exists():
        results = json.loads(RESULTS.read_text())
        results["viewer"] = rows
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all_met(viewer_criteria(rows), console) else 1


if __name__ == "__main__":
    sys.exit(main())
