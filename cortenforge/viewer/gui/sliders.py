"""The tabs of sliders: controls, and positions of hinges and slides."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cortenforge.enums import JointType
from cortenforge.viewer.session import Session

#: sliders on a page
SLIDERS_PER_PAGE = 32
#: seconds for which a slider that a user moved is not updated
HOLD_SECONDS = 0.7
#: change of a value, over its range, from which on its slider is updated
FOLLOW_THRESHOLD = 0.005


@dataclass(frozen=True)
class SliderBinding:
    """The value of a slider: name, range, and functions that read and write it."""

    name: str
    low: float
    high: float
    read: Callable[[], float]
    write: Callable[[float], None]


def control_bindings(session: Session) -> list[SliderBinding]:
    """A slider for each control; from -1 to 1 without a range."""
    model = session.model
    limited, ranges = np.asarray(model.actuator_ctrllimited), np.asarray(model.actuator_ctrlrange)
    made = []
    for i in range(model.nu):
        low, high = (float(n) for n in ranges[i]) if limited[i] else (-1.0, 1.0)
        made.append(
            SliderBinding(
                control_name(session, i), low, high,
                partial(_read_input, session, "ctrl", i), partial(session.set_control, i),
            )
        )  # fmt: skip
    return made


def _read_input(session: Session, name: str, i: int) -> float:
    return float(getattr(session.world.inputs, name)[i])


def control_name(session: Session, i: int) -> str:
    """Name of the actuator of a control, with a number if it has several controls."""
    model = session.model
    starts = np.asarray(model.actuator_ctrladr)
    owner = int(np.searchsorted(starts, i, side="right")) - 1
    name = model.name_of("actuator", owner) or f"actuator {owner}"
    last = int(starts[owner + 1]) if owner + 1 < len(starts) else model.nu
    several = last - int(starts[owner]) > 1
    return f"{name} {i - int(starts[owner])}" if several else name


def joint_bindings(session: Session) -> list[SliderBinding]:
    """A slider for each hinge and slide."""
    model = session.model
    made = []
    for j in range(model.njnt):
        kind = int(model.jnt_type[j])
        if kind not in (JointType.HINGE, JointType.SLIDE):
            continue
        reach = math.pi if kind == JointType.HINGE else float(model.stat_extent)
        low, high = -reach, reach
        if model.jnt_limited[j]:
            low, high = (float(n) for n in model.jnt_range[j])
        at = int(model.jnt_qposadr[j])
        made.append(
            SliderBinding(
                model.name_of("joint", j) or f"joint {j}", low, high,
                partial(_read_input, session, "qpos", at), partial(session.set_joint, j),
            )
        )  # fmt: skip
    return made


def add_noise_controls(server: Any, session: Session) -> None:
    """Add sliders of control noise, as in MuJoCo's simulate, and a button that clears controls."""
    gui, noise = server.gui, session.noise
    scale = gui.add_slider("Noise", 0.0, 2.0, 0.01, noise.scale)
    rate = gui.add_slider("Noise rate [s]", 0.0, 2.0, 0.01, noise.rate)
    for slider, name in ((scale, "scale"), (rate, "rate")):
        slider.on_update(partial(_set_noise, session, slider, name))
    clear = gui.add_button("Clear all")

    def cleared(_: Any) -> None:
        scale.value = 0.0
        session.queue_action(session.clear_controls)

    clear.on_click(cleared)


def _set_noise(session: Session, slider: Any, name: str, _: Any) -> None:
    session.queue_action(lambda: setattr(session.noise, name, max(float(slider.value), 0.0)))


class Sliders:
    """Sliders in pages, updated from the session."""

    def __init__(
        self, server: Any, session: Session, knobs: list[SliderBinding], nothing: str
    ) -> None:
        self._gui, self._session, self._knobs = server.gui, session, knobs
        self._shown: list[tuple[SliderBinding, Any]] = []
        self._touched: dict[str, float] = {}
        if not knobs:
            self._gui.add_markdown(nothing)
            return
        pages = [knobs[i : i + SLIDERS_PER_PAGE] for i in range(0, len(knobs), SLIDERS_PER_PAGE)]
        if len(pages) > 1:
            names = [f"{i + 1}: {page[0].name} to {page[-1].name}" for i, page in enumerate(pages)]
            chosen = self._gui.add_dropdown("Which", names)
            chosen.on_update(lambda _: self._show(pages[names.index(chosen.value)]))
        self._folder = self._gui.add_folder("Values")
        self._show(pages[0])

    def _show(self, knobs: list[SliderBinding]) -> None:
        for _, slider in self._shown:
            slider.remove()
        self._shown = []
        with self._folder:
            for knob in knobs:
                self._shown.append((knob, self._slider(knob)))

    def _slider(self, knob: SliderBinding) -> Any:
        value = min(max(knob.read(), knob.low), knob.high)
        step = (knob.high - knob.low) / 1000.0 or 1e-3
        high = max(knob.high, knob.low + step)
        slider = self._gui.add_slider(knob.name, knob.low, high, step, value)

        def moved(event: Any) -> None:
            if event.client_id is not None:
                self._touched[knob.name] = time.monotonic()
                self._session.queue_action(partial(knob.write, float(slider.value)))

        slider.on_update(moved)
        return slider

    def refresh(self) -> None:
        """Update sliders, except those that a user has just moved."""
        now = time.monotonic()
        for knob, slider in list(self._shown):
            if now - self._touched.get(knob.name, -math.inf) < HOLD_SECONDS:
                continue
            value = min(max(knob.read(), knob.low), knob.high)
            if abs(value - slider.value) > FOLLOW_THRESHOLD * (knob.high - knob.low):
                slider.value = value
