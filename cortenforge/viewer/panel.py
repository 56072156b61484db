"""The panel of a viewer: time, the past, what went wrong; other tabs are beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from cortenforge.viewer.session import Session

#: speeds to choose from
SPEEDS = {
    **{f"1/{n}": 1.0 / n for n in (64, 16, 8, 4, 2)},
    **{f"{n}": float(n) for n in (1, 2, 4, 8, 16)},
    "fastest": math.inf,
}
#: seconds that one goes back after something went wrong
BACK = 1.0


class Panel:
    """Buttons that tell a session what to do, and words that tell how it is.

    on_save: makes a page of the recording, and gives it to the browser that asked for it.
    """

    def __init__(self, server: Any, session: Session, on_save: Callable[[Any], None]) -> None:
        self._gui, self._session = server.gui, session
        self._status = self._gui.add_markdown("")
        self._problem()
        self._time()
        self._history(on_save)
        self.refresh()

    def _ask(self, action: Callable[[], None]) -> Callable[[Any], None]:
        """A callback that leaves a wish with the session."""

        def callback(_: Any) -> None:
            self._session.do(action)

        return callback

    def _problem(self) -> None:
        self._trouble = self._gui.add_folder("Something went wrong", visible=False)
        with self._trouble:
            self._words = self._gui.add_markdown("")
            back = self._gui.add_button(f"Go back {BACK:g} s", color="red")
        back.on_click(self._ask(lambda: self._session.go_back(BACK)))

    def _time(self) -> None:
        gui, session = self._gui, self._session
        self._play = gui.add_button("Play")
        self._play.on_click(self._ask(self._toggle))
        gui.add_button("Step").on_click(self._ask(session.step))
        gui.add_button("Reset").on_click(self._ask(session.reset))
        self._keyframes()
        clock = session.clock
        usual = next((name for name, speed in SPEEDS.items() if speed == clock.speed), None)
        choices = list(SPEEDS) if usual else [f"{clock.speed:g}", *SPEEDS]
        chosen = gui.add_dropdown("Speed", choices, initial_value=usual or choices[0])
        chosen.on_update(self._ask(lambda: setattr(clock, "speed", _speed(chosen.value))))

    def _keyframes(self) -> None:
        names = self._session.model.names.get("key", [])
        if not names:
            return
        choices = [name or f"keyframe {i}" for i, name in enumerate(names)]
        chosen = self._gui.add_dropdown("Keyframe", choices)
        go = self._gui.add_button("Go to keyframe")
        go.on_click(self._ask(lambda: self._session.reset(choices.index(chosen.value))))

    def _toggle(self) -> None:
        if self._session.clock.paused:
            self._session.play()
        else:
            self._session.pause()

    def _history(self, on_save: Callable[[Any], None]) -> None:
        gui, session = self._gui, self._session
        with gui.add_folder("Past"):
            self._moment = gui.add_slider("Moment", min=0, max=1, step=1, initial_value=0)
            self._record = gui.add_button("Record")
            save = gui.add_button("Save page", hint="A page that plays without Python")

        def looked(event: Any) -> None:
            if event.client_id is not None:
                i = int(self._moment.value)
                session.do(lambda: session.look_at(min(i, len(session.past) - 1)))

        self._moment.on_update(looked)
        self._record.on_click(self._ask(self._toggle_recording))
        save.on_click(lambda event: on_save(event.client))

    def _toggle_recording(self) -> None:
        past = self._session.past
        if past.recording:
            past.stop_recording()
        else:
            past.start_recording()

    def refresh(self) -> None:
        """Say how things are."""
        session = self._session
        self._play.label = "Play" if session.clock.paused else "Pause"
        self._record.label = "Stop recording" if session.past.recording else "Record"
        self._status.content = status(session)
        self._trouble.visible = session.problem is not None
        if session.problem is not None:
            self._words.content = f"```\n{session.problem}\n```"
        last = max(len(session.past) - 1, 1)
        if self._moment.max != last:
            self._moment.max = last
        self._moment.value = last if session.at is None else session.at


def _speed(text: str) -> float:
    return SPEEDS[text] if text in SPEEDS else float(text)


def status(session: Session) -> str:
    """A few words about time."""
    clock = session.clock
    target = "as fast as it goes" if math.isinf(clock.speed) else f"{clock.speed:g}×"
    actual = "paused" if clock.paused else f"{clock.factor:.2f}×"
    lines = [
        f"**time** {session.world.time:.3f} s · **steps** {session.steps:,}",
        f"**real time**: target {target}, actual {actual}",
        f"**contacts** {int(session.world.shown.ncon)}",
    ]
    if session.world.n > 1:
        lines[-1] += f" · **world** {session.world.selected} of {session.world.n:,}"
    return "  \n".join(lines)
