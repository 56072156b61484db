"""What browsers may say to a viewer: five kinds of messages, each checked before viser sees it.

viser has some fifty kinds, and keeps what some of them bring: uploads, forms, whatever attribute of
a slider somebody names. None of these is used here, so none of them is let in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

#: kinds that are heard: of sliders and buttons, of the camera, of the mouse on a body, of keys
HEARD = (
    "GuiUpdateMessage", "ViewerCameraMessage", "SceneNodeClickMessage", "SceneNodeDragMessage",
    "CommandTriggerMessage",
)  # fmt: skip
#: bytes of one; they are a few hundred
LARGEST = 64 * 1024
#: a number beyond this is refused by a step, too
FAR = 1e10
#: fields that are counts of pixels, which browsers with a zoom tell with a fraction
PIXELS = ("image_height", "image_width")


class BadLetter(Exception):  # noqa: N818 - it ends a connection, and nobody else sees it
    """A message that no browser with our page sends."""


class Letters:
    """Reads what browsers send. `gui` is viser's, with the sliders that there are."""

    def __init__(self, gui: Any) -> None:
        from viser import _messages

        self._gui = gui
        self._kinds = {name: getattr(_messages, name) for name in HEARD}

    def read(self, content: Any) -> Any:
        """A message for viser, or None if there is nothing to do. Raises BadLetter."""
        import msgspec

        if not isinstance(content, bytes):
            raise BadLetter("not a message")
        try:
            fields = msgspec.msgpack.decode(content)
            kind = self._kinds.get(fields.pop("type"))
            if kind is None:
                return None
            for name in PIXELS:
                if isinstance(fields.get(name), float):
                    fields[name] = int(fields[name])
            message = msgspec.convert(fields, kind)
        except (
            msgspec.MsgspecError, RecursionError, AttributeError, KeyError, TypeError, ValueError,
            OverflowError,
        ) as error:  # fmt: skip
            raise BadLetter(f"not a message: {type(error).__name__}") from None
        if kind is self._kinds["GuiUpdateMessage"]:
            return self._checked_update(message)
        if kind is self._kinds["CommandTriggerMessage"]:
            return message if message.uuid in self._gui._command_handle_from_uuid else None
        return message if all(abs(n) <= FAR for n in _numbers(vars(message))) else None

    def _checked_update(self, message: Any) -> Any:
        """A new value of something that is in the panel, within its bounds."""
        if set(message.updates) != {"value"}:
            raise BadLetter("not a value")
        handle = self._gui._gui_input_handle_from_uuid.get(message.uuid)
        if handle is None:
            return None
        value = fitted(handle, message.updates["value"])
        if value is None:
            return None
        message.updates = {"value": value}
        return message


def fitted(handle: Any, value: Any) -> Any:
    """A value that something in the panel can have, or None: a switch, a choice, numbers."""
    now = handle.value
    if isinstance(now, bool):
        return value if isinstance(value, bool) else None
    choices = getattr(handle, "options", None)
    if choices is not None:
        return value if value in tuple(choices) else None
    if isinstance(now, tuple):
        return _fitted_vector(now, value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not isinstance(now, (int, float)) or not abs(value) <= FAR:
        return None
    # what is counted ends where it ends; a position beside its slider may be any that is written
    return value if isinstance(now, float) else min(max(int(value), handle.min), handle.max)


def _fitted_vector(now: tuple[Any, ...], value: Any) -> tuple[float, ...] | None:
    """As many numbers as there were, none of them too large."""
    if not isinstance(value, (list, tuple)) or len(value) != len(now):
        return None
    fine = all(type(n) in (int, float) and abs(n) <= FAR for n in value)
    return tuple(float(n) for n in value) if fine else None


def _numbers(value: Any) -> Iterator[float]:
    """All numbers of a message; those that are none count as too large."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, (int, float)):
        yield value if math.isfinite(value) else math.inf
