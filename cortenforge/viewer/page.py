"""Recordings as HTML pages: scene, snapshots and player in one file."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cortenforge.disk import replacing
from cortenforge.errors import ArgumentError
from cortenforge.viewer.backdrop import set_backdrop
from cortenforge.viewer.cameras import begin_with
from cortenforge.viewer.painter import Painter
from cortenforge.viewer.past import Moment
from cortenforge.viewer.server import serve, stop
from cortenforge.viewer.session import Session
from cortenforge.viewer.shows import Shows, usual_shows
from cortenforge.viewer.stage import Stage
from cortenforge.viewer.worlds import Crowd, One, World

if TYPE_CHECKING:
    from cortenforge.model import Data

#: frames per second of simulated time on a page, at most
RATE = 30.0
#: seconds for which a jump in time, such as a reset, is shown
JUMP = 0.5


def page_of(world: World, moments: list[Moment], shows: Shows, painter: Painter) -> str:
    """A page of snapshots, played in a copy of the world, which itself is not changed."""
    if not moments:
        raise ArgumentError("page: nothing recorded to show")
    twin = twin_of(world)
    drawn = Painter(twin)
    drawn.offsets, drawn.extra = painter.offsets, painter.extra
    # the current perturbation is not part of the recording
    shows = replace(shows, options=replace(shows.options, perturb=None))
    # a server without connections records the messages of the scene
    server = serve(None, "")
    try:
        begin_with(server, Session(twin), drawn)
        set_backdrop(server, world.model, shows.options)
        stage = Stage(server, drawn.offsets)
        chosen = at_rate(moments)
        twin.restore(chosen[0].state)
        stage.show(drawn.frame(shows))
        told = server.get_scene_serializer()
        for before, moment in pairwise(chosen):
            passed = moment.time - before.time
            told.insert_sleep(passed if 0.0 <= passed < JUMP else JUMP)
            twin.restore(moment.state)
            stage.show(drawn.frame(shows))
        told.insert_sleep(1.0 / RATE)
        return str(told.as_html(dark_mode=True))
    finally:
        stop(server)


def at_rate(moments: list[Moment], rate: float = RATE) -> list[Moment]:
    """Snapshots at most `rate` per second, with the first and the last."""
    kept = [moments[0]]
    for moment in moments[1:]:
        # time goes back at a reset
        if not 0.0 <= moment.time - kept[-1].time < 0.999 / rate:
            kept.append(moment)
    if kept[-1] is not moments[-1]:
        kept.append(moments[-1])
    return kept


def twin_of(world: World) -> World:
    """Worlds of the same model, to restore states in."""
    if isinstance(world, One):
        return One(world.shown.copy())
    from cortenforge.batch import BatchSim

    made = Crowd(BatchSim(world.model, world.n, threads=world.batch.threads))
    made.select(world.selected)
    return made


def record_page(data: Data, seconds: float, path: Path, **shown: Any) -> int:
    """Simulate for some seconds, and write a page.  Returns the number of snapshots."""
    session = Session(One(data))
    data.forward()
    moments = [Moment(float(data.time), data.get_state().vector)]
    start, every = float(data.time), max(1, round(1.0 / RATE / float(data.model.opt.timestep)))
    while float(data.time) - start < seconds - 1e-9:
        data.step(every)
        moments.append(Moment(float(data.time), data.get_state().vector))
    shows = usual_shows(data.model, shown)
    page = page_of(session.world, moments, shows, Painter(session.world))
    with replacing(path) as beside:
        beside.write_text(page, encoding="utf-8")
    return len(moments)
