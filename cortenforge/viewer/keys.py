"""Keys of MuJoCo's simulate, as far as browsers let a page have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cortenforge.render.options import NGROUP
from cortenforge.viewer.session import Session
from cortenforge.viewer.switches import OPTIONS, Switches

#: letters that switch what is shown.  As mjVISSTRING; signs that are no letters cannot be had
LETTERS = {
    "H": "convexhull", "X": "texture", "J": "joint", "Q": "camera", "U": "actuator", "Z": "light",
    "V": "tendon", "Y": "rangefinder", "E": "constraint", "I": "inertia", "B": "pertforce",
    "C": "contactpoint", "F": "contactforce", "P": "contactsplit", "T": "transparent",
    "A": "autoconnect", "M": "com", "D": "static",
}  # fmt: skip
#: things whose groups have digits
GROUPS = ("geom", "site")
#: steps, or moments, that the arrows up and down go
MANY = 100

#: viser moves the camera with some of these keys; it hears them where the document is, after the
#: page's own element, which is where keys of commands are heard
KEEP_KEYS = """
document.documentElement.addEventListener("keydown", (event) => {
  if (/^(Arrow.*|Key[WASDQE])$/.test(event.code)) event.stopPropagation();
});
"""

Action = Callable[[Any], None]


@dataclass(frozen=True)
class Key:
    """What a key does. `act` is given the browser in which it was pressed."""

    name: str
    label: str
    act: Action
    modifier: str | None = None


def wish(session: Session, action: Callable[[], None]) -> Action:
    """An action for the thread that pumps, whatever the browser."""
    return lambda _: session.do(action)


def toggle_play(session: Session) -> None:
    """Play, or pause."""
    if session.clock.paused:
        session.play()
    else:
        session.pause()


def keys_of_time(session: Session) -> list[Key]:
    """Play, steps, the past, and the beginning."""
    return [
        Key("space", "Play or pause", wish(session, partial(toggle_play, session))),
        Key("arrowright", "Step", wish(session, session.step)),
        Key("arrowleft", "Back by a moment", wish(session, session.step_back)),
        Key("arrowdown", f"{MANY} steps", wish(session, partial(session.step, MANY))),
        Key("arrowup", f"Back by {MANY} moments", wish(session, partial(session.step_back, MANY))),
        Key("backspace", "Reset", wish(session, session.reset)),
    ]


def keys_of_shows(session: Session, switches: Switches) -> list[Key]:
    """A letter for what is shown, a digit for a group of geoms, with Shift one of sites."""
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
    """Let browsers know of keys; the list of them opens with Ctrl-K."""
    for key in keys:
        command = server.gui.add_command(key.label, hotkey=key.name, modifier=key.modifier)
        command.on_trigger(partial(_pressed, key))


def run_script(client: Any, source: str) -> None:
    """Let a browser run a few lines of ours: pages cannot be told otherwise about keys and text."""
    from viser._messages import RunJavascriptMessage

    client._websock_connection.queue_message(RunJavascriptMessage(source))


def _pressed(key: Key, event: Any) -> None:
    key.act(event.client)
