"""The physics tab: time step, integrator, solver, gravity, disable and enable flags."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, IntFlag
from functools import partial
from typing import Any

from cortenforge.enums import Disable, Enable, Integrator, Solver
from cortenforge.errors import ArgumentError
from cortenforge.viewer.session import Session

#: smallest time step in seconds
MIN_TIMESTEP = 1e-6


class PhysicsOptions:
    """Controls for options of the model; they also show changes made by a program."""

    def __init__(self, server: Any, session: Session) -> None:
        self._gui, self._session, self._opt = server.gui, session, session.model.opt
        #: controls, and functions that read their values
        self._shown: list[tuple[Any, Callable[[], Any]]] = []
        self._numbers()
        self._choice("Integrator", "integrator", Integrator)
        self._choice("Solver", "solver", Solver)
        # as in MJCF, disable flags are shown as features that are on by default
        with self._gui.add_folder("On unless switched off", expand_by_default=False):
            for bit in Disable:
                self._flag("disableflags", bit, usual=True)
        with self._gui.add_folder("Off unless switched on", expand_by_default=False):
            for more in Enable:
                self._flag("enableflags", more, usual=False)

    def _tie(self, handle: Any, read: Callable[[], Any], write: Callable[[Any], None]) -> None:
        """Let the session's thread write what a user chooses."""
        self._shown.append((handle, read))

        def chosen(event: Any) -> None:
            if event.client_id is not None:
                self._session.queue_action(partial(write, handle.value))

        handle.on_update(chosen)

    def _numbers(self) -> None:
        opt = self._opt
        step = self._gui.add_number(
            "Time step [s]", float(opt.timestep), min=MIN_TIMESTEP, step=1e-6
        )
        self._tie(step, lambda: float(opt.timestep), self._set_timestep)
        gravity = self._gui.add_vector3("Gravity", self._gravity(), step=0.01)
        self._tie(gravity, self._gravity, lambda value: setattr(opt, "gravity", value))

    def _gravity(self) -> tuple[float, float, float]:
        x, y, z = (float(n) for n in self._opt.gravity)
        return x, y, z

    def _set_timestep(self, seconds: float) -> None:
        if not seconds >= MIN_TIMESTEP:
            raise ArgumentError(f"timestep: expected {MIN_TIMESTEP:g} s or more, got {seconds:g}")
        self._opt.timestep = seconds

    def _choice(self, label: str, name: str, kinds: type[IntEnum]) -> None:
        opt, names = self._opt, [kind.name.lower() for kind in kinds]

        def read() -> str:
            return kinds(int(getattr(opt, name))).name.lower()

        chosen = self._gui.add_dropdown(label, names, initial_value=read())
        self._tie(chosen, read, lambda value: setattr(opt, name, kinds[value.upper()]))

    def _flag(self, field: str, bit: IntFlag, *, usual: bool) -> None:
        opt = self._opt

        def read() -> bool:
            return bool(int(getattr(opt, field)) & bit) != usual

        def write(on: bool) -> None:
            flags = int(getattr(opt, field))
            setattr(opt, field, flags | int(bit) if on != usual else flags & ~int(bit))

        box = self._gui.add_checkbox(str(bit.name).lower(), read())
        self._tie(box, read, write)

    def refresh(self) -> None:
        """Show values that a program, or an error, has changed."""
        for handle, read in self._shown:
            value = read()
            if handle.value != value:
                handle.value = value
