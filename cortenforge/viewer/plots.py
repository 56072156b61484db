"""The plots tab: energies, rewards and sensors over the last seconds."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.viewer.series import ENERGY, REWARDS, Series, sensor_names
from cortenforge.viewer.server import viser_module
from cortenforge.viewer.session import Session

NOTHING = "nothing"
SLOTS = 3
COLOURS = ("#4dabf7", "#ff922b", "#51cf66", "#f06595", "#cc5de8", "#fcc419")
HEIGHT = 180


class Plots:
    """A few plots, each of a quantity chosen by name."""

    def __init__(self, server: Any, session: Session) -> None:
        self._gui, self._session = server.gui, session
        self._choices = [NOTHING, ENERGY, REWARDS, *sensor_names(session.model)]
        self._slots = [self._slot(k) for k in range(SLOTS)]
        self._drawn: list[tuple[Series | None, Any]] = [(None, None)] * SLOTS

    def _slot(self, k: int) -> tuple[Any, Any]:
        folder = self._gui.add_folder(f"Plot {k + 1}")
        with folder:
            chosen = self._gui.add_dropdown("Of", self._choices, initial_value=NOTHING)
        chosen.on_update(lambda _: self._session.do(self._watch))
        return folder, chosen

    def choose(self, slot: int, name: str) -> None:
        """Choose the quantity of a plot."""
        self._slots[slot][1].value = name

    def _watch(self) -> None:
        """Record the chosen quantities only."""
        recorder = self._session.recorder
        wanted = {chosen.value for _, chosen in self._slots} - {NOTHING}
        for name in set(recorder.series) - wanted:
            recorder.forget(name)
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
                handle.data = points(series)

    def _make(self, folder: Any, name: str, series: Series | None) -> Any:
        if series is None or not series.names:
            return None
        uplot = viser_module().uplot
        lines = [uplot.Series(label="time [s]")]
        for label, colour in zip(series.names, COLOURS, strict=False):
            lines.append(uplot.Series(label=label, stroke=colour, width=1.5))
        with folder:
            return self._gui.add_uplot(
                points(series), tuple(lines), title=name, height=HEIGHT,
                scales={"x": uplot.Scale(time=False)},
            )  # fmt: skip


def points(series: Series) -> tuple[np.ndarray, ...]:
    """Times and values of a series; a single zero if it is empty, as a plot needs a point."""
    return (
        series.lines() if len(series) else tuple(np.zeros(1) for _ in range(len(series.names) + 1))
    )
