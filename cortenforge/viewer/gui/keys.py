"""Keyboard shortcuts of MuJoCo's simulate, as far as browsers pass them to a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cortenforge.scene.options import NGROUP
from cortenforge.viewer.gui.switches import OPTION_LABELS, ViewSwitches
from cortenforge.viewer.session import Session

#: letters of visualization flags, as in mjVISSTRING; its punctuation keys are not available
OPTION_KEYS = {
    "H": "convexhull", "X": "texture", "J": "joint", "Q": "camera", "U": "actuator", "Z": "light",
    "V": "tendon", "Y": "rangefinder", "E": "constraint", "I": "inertia", "B": "pertforce",
    "C": "contactpoint", "F": "contactforce", "P": "contactsplit", "T": "transparent",
    "A": "autoconnect", "M": "com", "D": "static",
}  # fmt: skip
#: kinds of objects whose groups have digits
GROUP_KEY_KINDS = ("geom", "site")
#: steps, or snapshots, of the arrows down and up
STEPS_PER_ARROW = 100

#: viser moves the camera with some of these keys: it listens at the document, after the root
#: element, where commands are handled
KEEP_KEYS = """
document.documentElement.addEventListener("keydown", (event) => {
  if (/^(Arrow.*|Key[WASDQE])$/.test(event.code)) event.stopPropagation();
});
"""

ClientAction = Callable[[Any], None]


@dataclass(frozen=True)
class KeyBinding:
    """A key with its action, which is called with the browser in which it was pressed."""

    name: str
    label: str
    act: ClientAction
    modifier: str | None = None


def session_request(session: Session, action: Callable[[], None]) -> ClientAction:
    """An action that the session's thread runs, whatever the browser."""
    return lambda _: session.queue_action(action)


def toggle_play(session: Session) -> None:
    """Toggle between play and pause."""
    if session.clock.paused:
        session.play()
    else:
        session.pause()


def time_keys(session: Session) -> list[KeyBinding]:
    """Keys for play, steps, history and reset."""
    return [
        KeyBinding(
            "space", "Play or pause", session_request(session, partial(toggle_play, session))
        ),
        KeyBinding("arrowright", "Step", session_request(session, session.step)),
        KeyBinding("arrowleft", "Back one snapshot", session_request(session, session.step_back)),
        KeyBinding(
            "arrowdown",
            f"{STEPS_PER_ARROW} steps",
            session_request(session, partial(session.step, STEPS_PER_ARROW)),
        ),
        KeyBinding(
            "arrowup",
            f"Back {STEPS_PER_ARROW} snapshots",
            session_request(session, partial(session.step_back, STEPS_PER_ARROW)),
        ),
        KeyBinding("backspace", "Reset", session_request(session, session.reset)),
    ]


def option_keys(session: Session, switches: ViewSwitches) -> list[KeyBinding]:
    """Letters for visualization flags, digits for groups of geoms, with Shift of sites."""
    keys = [
        KeyBinding(
            letter, OPTION_LABELS[name], session_request(session, partial(switches.toggle, name))
        )
        for letter, name in OPTION_KEYS.items()
    ]
    for i in range(NGROUP):
        geoms, sites = (
            partial(switches.toggle_group, f"{kind}group", i) for kind in GROUP_KEY_KINDS
        )
        keys.append(KeyBinding(str(i), f"Group {i} of geoms", session_request(session, geoms)))
        keys.append(
            KeyBinding(str(i), f"Group {i} of sites", session_request(session, sites), "shift")
        )
    return keys


def add_keys(server: Any, keys: list[KeyBinding]) -> None:
    """Register keys with browsers, which list them on Ctrl-K."""
    for key in keys:
        command = server.gui.add_command(key.label, hotkey=key.name, modifier=key.modifier)
        command.on_trigger(partial(_trigger, key))


def run_script(client: Any, source: str) -> None:
    """Run JavaScript in a browser: viser has no other access to keys and clipboard."""
    from viser._messages import RunJavascriptMessage

    client._websock_connection.queue_message(RunJavascriptMessage(source))


def _trigger(key: KeyBinding, event: Any) -> None:
    key.act(event.client)
