"""The tabs of equalities, with switches, and of sensors, with their readings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import SensorType
from cortenforge.viewer.gui.sliders import SLIDERS_PER_PAGE
from cortenforge.viewer.session import Session
from cortenforge.viewer.time_series import sensor_names

if TYPE_CHECKING:
    from cortenforge.model import Data

#: numbers of one sensor that are shown, at most
MAX_READING_NUMBERS = 6


class EqualitySwitches:
    """A switch for each equality of the selected world, in pages."""

    def __init__(self, server: Any, session: Session) -> None:
        self._gui, self._session = server.gui, session
        self._boxes: list[tuple[int, Any]] = []
        names = session.model.names.get("equality", [])
        self._names = [name or f"equality {i}" for i, name in enumerate(names)]
        if not self._names:
            self._gui.add_markdown("No equalities.")
            return
        pages = add_page_selector(self._gui, self._names, self._show)
        self._folder = self._gui.add_folder("Equalities that hold")
        self._show(pages)

    def _show(self, numbers: range) -> None:
        for _, box in self._boxes:
            box.remove()
        self._boxes = []
        with self._folder:
            for i in numbers:
                box = self._gui.add_checkbox(self._names[i], self._holds(i))
                box.on_update(partial(self._chosen, i, box))
                self._boxes.append((i, box))

    def _chosen(self, i: int, box: Any, event: Any) -> None:
        if event.client_id is not None:
            self._session.queue_action(partial(self._session.set_equality, i, box.value))

    def _holds(self, i: int) -> bool:
        return bool(self._session.world.inputs.eq_active[i])

    def refresh(self) -> None:
        """Update the switches."""
        for i, box in list(self._boxes):
            if box.value != self._holds(i):
                box.value = self._holds(i)


class SensorReadings:
    """A table of sensor readings, in pages."""

    def __init__(self, server: Any, session: Session) -> None:
        self._session, self._numbers = session, range(0)
        names = sensor_names(session.model)
        if names:
            self._numbers = add_page_selector(server.gui, names, self._show)
        self._table = server.gui.add_markdown("" if names else "No sensors.")
        self.refresh()

    def _show(self, numbers: range) -> None:
        self._numbers = numbers

    def refresh(self) -> None:
        """Update the table."""
        if self._numbers:
            self._table.content = readings_table(self._session.world.shown, self._numbers)


def add_page_selector(gui: Any, names: list[str], show: Any) -> range:
    """Add a list to choose a page of many names.  Returns the numbers on the first page."""
    starts = range(0, len(names), SLIDERS_PER_PAGE)
    pages = [range(start, min(start + SLIDERS_PER_PAGE, len(names))) for start in starts]
    if len(pages) > 1:
        labels = [f"{i + 1}: {names[p[0]]} to {names[p[-1]]}" for i, p in enumerate(pages)]
        chosen = gui.add_dropdown("Which", labels)
        chosen.on_update(lambda _: show(pages[labels.index(chosen.value)]))
    return pages[0]


def readings_table(data: Data, numbers: range) -> str:
    """Markdown table of sensors: name, type, reading."""
    model = data.model
    names = sensor_names(model)
    lines = ["| sensor | kind | reading |", "|---|---|---|"]
    for i in numbers:
        at, size = int(model.sensor_adr[i]), int(model.sensor_dim[i])
        values = np.asarray(data.sensordata[at : at + min(size, MAX_READING_NUMBERS)])
        more = " …" if size > MAX_READING_NUMBERS else ""
        kind = SensorType(int(model.sensor_type[i])).name.lower().replace("_", " ")
        text = "  ".join(f"{value:.4g}" for value in values)
        lines.append(f"| {escaped_name(names[i])} | {kind} | {text}{more} |")
    return "\n".join(lines)


def escaped_name(name: str) -> str:
    """A name with all special characters escaped as HTML entities."""
    return "".join(f"&#{ord(c)};" if not (c.isalnum() or c in " .-") else c for c in name)
