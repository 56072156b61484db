"""Recordings as HTML pages: scene, snapshots and player in one file."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cortenforge.disk import replacing
from cortenforge.errors import ArgumentError
from cortenforge.viewer.cameras import set_initial_camera
from cortenforge.viewer.lights_and_sky import set_lights_and_sky
from cortenforge.viewer.painter import FramePainter
from cortenforge.viewer.session import Session
from cortenforge.viewer.state_history import Snapshot
from cortenforge.viewer.view_options import ViewOptions, default_view_options
from cortenforge.viewer.viser_scene import ViserScene
from cortenforge.viewer.web.server import start_server, stop_server
from cortenforge.viewer.worlds import BatchWorlds, ShownWorlds, SingleWorld

if TYPE_CHECKING:
    from cortenforge.model import Data

#: frames per second of simulated time on a page, at most
PAGE_FPS = 30.0
#: seconds for which a jump in time, such as a reset, is shown
TIME_JUMP_SECONDS = 0.5


def recording_html(
    world: ShownWorlds, moments: list[Snapshot], shows: ViewOptions, painter: FramePainter
) -> str:
    """A page of snapshots, played in a copy of the world, which itself is not changed."""
    if not moments:
        raise ArgumentError("page: nothing recorded to show")
    copy = copy_of_worlds(world)
    drawn = FramePainter(copy)
    drawn.offsets, drawn.extra = painter.offsets, painter.extra
    # the current perturbation is not part of the recording
    shows = replace(shows, options=replace(shows.options, perturb=None))
    # a server without connections records the messages of the scene
    server = start_server(None, "")
    try:
        set_initial_camera(server, Session(copy), drawn)
        set_lights_and_sky(server, world.model, shows.options)
        stage = ViserScene(server, drawn.offsets)
        chosen = subsampled(moments)
        copy.restore(chosen[0].state)
        stage.show(drawn.frame(shows))
        serializer = server.get_scene_serializer()
        for before, moment in pairwise(chosen):
            passed = moment.time - before.time
            serializer.insert_sleep(
                passed if 0.0 <= passed < TIME_JUMP_SECONDS else TIME_JUMP_SECONDS
            )
            copy.restore(moment.state)
            stage.show(drawn.frame(shows))
        serializer.insert_sleep(1.0 / PAGE_FPS)
        return str(serializer.as_html(dark_mode=True))
    finally:
        stop_server(server)


def subsampled(moments: list[Snapshot], rate: float = PAGE_FPS) -> list[Snapshot]:
    """Snapshots at most `rate` per second, with the first and the last."""
    kept = [moments[0]]
    for moment in moments[1:]:
        # time goes back at a reset
        if not 0.0 <= moment.time - kept[-1].time < 0.999 / rate:
            kept.append(moment)
    if kept[-1] is not moments[-1]:
        kept.append(moments[-1])
    return kept


def copy_of_worlds(world: ShownWorlds) -> ShownWorlds:
    """Worlds of the same model, to restore states in."""
    if isinstance(world, SingleWorld):
        return SingleWorld(world.shown.copy())
    from cortenforge.batch import BatchSim

    made = BatchWorlds(BatchSim(world.model, world.n, threads=world.batch.threads))
    made.select(world.selected)
    return made


def record_html(data: Data, seconds: float, path: Path, **shown: Any) -> int:
    """Simulate for some seconds, and write a page.  Returns the number of snapshots."""
    session = Session(SingleWorld(data))
    data.forward()
    moments = [Snapshot(float(data.time), data.get_state().vector)]
    start, every = float(data.time), max(1, round(1.0 / PAGE_FPS / float(data.model.opt.timestep)))
    while float(data.time) - start < seconds - 1e-9:
        data.step(every)
        moments.append(Snapshot(float(data.time), data.get_state().vector))
    shows = default_view_options(data.model, shown)
    page = recording_html(session.world, moments, shows, FramePainter(session.world))
    with replacing(path) as beside:
        beside.write_text(page, encoding="utf-8")
    return len(moments)
