"""Keyboard shortcuts of MuJoCo's simulate, as far as browsers pass them to a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cortenforge.render.options import NGROUP
from cortenforge.viewer.session import Session
from cortenforge.viewer.switches import OPTIONS, Switches

#: letters of visualization flags, as in mjVISSTRING; its punctuation keys are not available
LETTERS = {
    "H": "convexhull", "X": "texture", "J": "joint", "Q": "camera", "U": "actuator", "Z": "light",
    "V": "tendon", "Y": "rangefinder", "E": "constraint", "I": "inertia", "B": "pertforce",
    "C": "contactpoint", "F": "contactforce", "P": "contactsplit", "T": "transparent",
    "A": "autoconnect", "M": "com", "D": "static",
}  # fmt: skip
#: kinds of objects whose groups have digits
GROUPS = ("geom", "site")
#: steps, or snapshots, of the arrows down and up
MANY = 100

#: viser moves the camera with some of these keys: it listens at the document, after the root
#: element, where commands are handled
KEEP_KEYS = """
document.documentElement.addEventListener("keydown", (event) => {
  if (/^(Arrow.*|Key[WASDQE])$/.test(event.code)) event.stopPropagation();
});
"""

Action = Callable[[Any], None]


@dataclass(frozen=True)
class Key:
    """A key with its action, which is called with the browser in which it was pressed."""

    name: str
    label: str
    act: Action
    modifier: str | None = None


def wish(session: Session, action: Callable[[], None]) -> Action:
    """An action that the session's thread runs, whatever the browser."""
    return lambda _: session.do(action)


def toggle_play(session: Session) -> None:
    """Toggle between play and pause."""
    if session.clock.paused:
        session.play()
    else:
        session.pause()


def keys_of_time(session: Session) -> list[Key]:
    """Keys for play, steps, history and reset."""
    return [
        Key("space", "Play or pause", wish(session, partial(toggle_play, session))),
        Key("arrowright", "Step", wish(session, session.step)),
        Key("arrowleft", "Back one snapshot", wish(session, session.step_back)),
        Key("arrowdown", f"{MANY} steps", wish(session, partial(session.step, MANY))),
        Key("arrowup", f"Back {MANY} snapshots", wish(session, partial(session.step_back, MANY))),
        Key("backspace", "Reset", wish(session, session.reset)),
    ]


def keys_of_shows(session: Session, switches: Switches) -> list[Key]:
    """Letters for visualization flags, digits for groups of geoms, with Shift of sites."""
    keys = [
        Key(letter, OPTIONS[name], wish(session, partial(switches.toggle, name)))
        for letter, name in LETTERS.items()
    ]
    for i in range(NGROUP):
        geoms, sites = (partial(switches.toggle_group, f"{kind}group", i) for kind in GROUPS)
        keys.append(Key(str(i), f"Group {i} of geoms", wish(session, geoms)))
        keys.append(Key(str(i), f"Group {i} of sites", wish(session, sites), "shift"))
    return keys


def add_keys(server: Any, keys: list[Key]) -> None:
    """Register keys with browsers, which list them on Ctrl-K."""
    for key in keys:
        command = server.gui.add_command(key.label, hotkey=key.name, modifier=key.modifier)
        command.on_trigger(partial(_pressed, key))


def run_script(client: Any, source: str) -> None:
    """Run JavaScript in a browser: viser has no other access to keys and clipboard."""
    from viser._messages import RunJavascriptMessage

    client._websock_connection.queue_message(RunJavascriptMessage(source))


def _pressed(key: Key, event: Any) -> None:
    key.act(event.client)
