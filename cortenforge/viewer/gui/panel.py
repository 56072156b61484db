"""The main panel: time, history, captures and errors; other tabs are beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from cortenforge.viewer.gui.keys import toggle_play
from cortenforge.viewer.session import Session

#: speeds to choose from
SPEEDS = {
    **{f"1/{n}": 1.0 / n for n in (64, 16, 8, 4, 2)},
    **{f"{n}": float(n) for n in (1, 2, 4, 8, 16)},
    "fastest": math.inf,
}
#: seconds to go back after an error
GO_BACK_SECONDS = 1.0


class Panel:
    """Buttons of a session, and text with its state.

    actions: actions for the browser in which a button was pressed, by label: "Home", "Save page",
           "Screenshot", "Clip", "Copy state", "Copy camera", and "Reload" where there is a file.
    """

    def __init__(
        self, server: Any, session: Session, actions: Mapping[str, Callable[[Any], None]]
    ) -> None:
        self._gui, self._session, self._actions = server.gui, session, actions
        #: error of the last reload; None if it succeeded
        self.refused: str | None = None
        self._status = self._gui.add_markdown("")
        self._add_problem()
        self._add_time()
        self._add_history()
        self._add_captures()
        self.refresh()

    def _queued(self, action: Callable[[], None]) -> Callable[[Any], None]:
        """A callback that queues an action with the session."""

        def callback(_: Any) -> None:
            self._session.queue_action(action)

        return callback

    def _add_problem(self) -> None:
        self._trouble = self._gui.add_folder("Something went wrong", visible=False)
        with self._trouble:
            self._words = self._gui.add_markdown("")
            back = self._gui.add_button(f"Go back {GO_BACK_SECONDS:g} s", color="red")
        back.on_click(self._queued(lambda: self._session.go_back(GO_BACK_SECONDS)))
        self._refusal = self._gui.add_folder("The file was not loaded", visible=False)
        with self._refusal:
            self._reason = self._gui.add_markdown("")

    def _add_time(self) -> None:
        gui, session = self._gui, self._session
        self._play = gui.add_button("Play", hint="Space")
        self._play.on_click(self._queued(lambda: toggle_play(session)))
        own = {"Step": self._queued(session.step), "Reset": self._queued(session.reset)}
        self._row("Time", own)
        self._row("View", self._client_actions("Home", "Reload"))
        self._add_keyframes()
        clock = session.clock
        usual = next((name for name, speed in SPEEDS.items() if speed == clock.speed), None)
        choices = list(SPEEDS) if usual else [f"{clock.speed:g}", *SPEEDS]
        chosen = gui.add_dropdown("Speed", choices, initial_value=usual or choices[0])
        chosen.on_update(self._queued(lambda: setattr(clock, "speed", _speed_value(chosen.value))))

    def _add_keyframes(self) -> None:
        names = self._session.model.names.get("key", [])
        if not names:
            return
        choices = [name or f"keyframe {i}" for i, name in enumerate(names)]
        chosen = self._gui.add_dropdown("Keyframe", choices)
        go = self._gui.add_button("Go to keyframe")
        go.on_click(self._queued(lambda: self._session.reset(choices.index(chosen.value))))

    def _client_actions(self, *names: str) -> dict[str, Callable[[Any], None]]:
        """Callbacks for the browser in which a button was pressed."""

        def callback(deed: Callable[[Any], None], event: Any) -> None:
            if event.client is not None:
                deed(event.client)

        return {
            name: partial(callback, self._actions[name]) for name in names if name in self._actions
        }

    def _row(self, label: str, callbacks: Mapping[str, Callable[[Any], None]]) -> None:
        """Buttons in a row: a panel has little height, above all on a phone."""
        row = self._gui.add_button_group(label, list(callbacks))
        row.on_click(lambda event: callbacks[row.value](event))

    def _add_captures(self) -> None:
        with self._gui.add_folder("Keep", expand_by_default=False):
            self._row("Picture", self._client_actions("Screenshot", "Clip"))
            self._row("Text", self._client_actions("Copy state", "Copy camera"))
            self._copied = self._gui.add_text("Copied", "", multiline=True, visible=False)

    def show_copied(self, text: str) -> None:
        """Show the copied text, for browsers that do not let a page copy."""
        self._copied.value, self._copied.visible = text, True

    def _add_history(self) -> None:
        gui, session = self._gui, self._session
        with gui.add_folder("Past"):
            self._moment = gui.add_slider("Moment", min=0, max=1, step=1, initial_value=0)
            self._record = gui.add_button("Record")
            self._row("As a page", self._client_actions("Save page"))

        def looked(event: Any) -> None:
            if event.client_id is not None:
                i = int(self._moment.value)
                session.queue_action(lambda: session.look_at(min(i, len(session.history) - 1)))

        self._moment.on_update(looked)
        self._record.on_click(self._queued(self._toggle_recording))

    def _toggle_recording(self) -> None:
        past = self._session.history
        if past.recording:
            past.stop_recording()
        else:
            past.start_recording()

    def refresh(self) -> None:
        """Update the panel from the session."""
        session = self._session
        self._play.label = "Play" if session.clock.paused else "Pause"
        self._record.label = "Stop recording" if session.history.recording else "Record"
        self._status.content = status_text(session)
        self._trouble.visible = session.problem is not None
        if session.problem is not None:
            self._words.content = code_block(session.problem)
        self._refusal.visible = self.refused is not None
        if self.refused is not None:
            self._reason.content = code_block(self.refused)
        last = max(len(session.history) - 1, 1)
        if self._moment.max != last:
            self._moment.max = last
        self._moment.value = last if session.at is None else session.at


def code_block(text: str) -> str:
    """Markdown code block of a text; its fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _speed_value(text: str) -> float:
    return SPEEDS[text] if text in SPEEDS else float(text)


def status_text(session: Session) -> str:
    """Status of a session as Markdown: time, steps, real-time factor, contacts."""
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
