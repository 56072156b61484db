"""The plots tab: energies, rewards and sensors over the last seconds."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.viewer.session import Session
from cortenforge.viewer.time_series import ENERGY, REWARDS, TimeSeries, sensor_names
from cortenforge.viewer.web.server import viser_module

NO_PLOT = "nothing"
PLOT_COUNT = 3
LINE_COLOURS = ("#4dabf7", "#ff922b", "#51cf66", "#f06595", "#cc5de8", "#fcc419")
PLOT_HEIGHT = 180


class Plots:
    """A few plots, each of a quantity chosen by name."""

    def __init__(self, server: Any, session: Session) -> None:
        self._gui, self._session = server.gui, session
        self._choices = [NO_PLOT, ENERGY, REWARDS, *sensor_names(session.model)]
        self._slots = [self._slot(k) for k in range(PLOT_COUNT)]
        self._drawn: list[tuple[TimeSeries | None, Any]] = [(None, None)] * PLOT_COUNT

    def _slot(self, k: int) -> tuple[Any, Any]:
        folder = self._gui.add_folder(f"Plot {k + 1}")
        with folder:
            chosen = self._gui.add_dropdown("Of", self._choices, initial_value=NO_PLOT)
        chosen.on_update(lambda _: self._session.queue_action(self._watch))
        return folder, chosen

    def choose(self, slot: int, name: str) -> None:
        """Choose the quantity of a plot."""
        self._slots[slot][1].value = name

    def _watch(self) -> None:
        """Record the chosen quantities only."""
        recorder = self._session.recorder
        wanted = {chosen.value for _, chosen in self._slots} - {NO_PLOT}
        for name in set(recorder.series) - wanted:
            recorder.unwatch(name)
        for name in wanted:
            recorder.watch(name)

    def refresh(self) -> None:
        """Update the plots."""
        for k, (folder, chosen) in enumerate(self._slots):
            series = self._session.recorder.series.get(chosen.value)
            before, handle = self._drawn[k]
            if series is not before:
                if handle is not None:
                    handle.remove()
                handle = self._make(folder, chosen.value, series)
                self._drawn[k] = series, handle
            elif handle is not None and series is not None:
                handle.data = plot_points(series)

    def _make(self, folder: Any, name: str, series: TimeSeries | None) -> Any:
        if series is None or not series.names:
            return None
        uplot = viser_module().uplot
        lines = [uplot.Series(label="time [s]")]
        for label, colour in zip(series.names, LINE_COLOURS, strict=False):
            lines.append(uplot.Series(label=label, stroke=colour, width=1.5))
        with folder:
            return self._gui.add_uplot(
                plot_points(series), tuple(lines), title=name, height=PLOT_HEIGHT,
                scales={"x": uplot.Scale(time=False)},
            )  # fmt: skip


def plot_points(series: TimeSeries) -> tuple[np.ndarray, ...]:
    """Times and values of a series; a single zero if it is empty, as a plot needs a point."""
    return (
        series.lines() if len(series) else tuple(np.zeros(1) for _ in range(len(series.names) + 1))
    )
