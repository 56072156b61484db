"""Messages of browsers: five kinds are accepted, each checked before viser handles it.

viser has some fifty kinds, and stores the content of some of them: uploads, forms, any attribute of
a slider. None of these is used here, so none of them is accepted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

#: accepted kinds: of sliders and buttons, the camera, the mouse on a body, keys
ACCEPTED_KINDS = (
    "GuiUpdateMessage", "ViewerCameraMessage", "SceneNodeClickMessage", "SceneNodeDragMessage",
    "CommandTriggerMessage",
)  # fmt: skip
#: bytes of a message, at most; usual ones have a few hundred
MAX_MESSAGE_BYTES = 64 * 1024
#: largest magnitude of a number; steps have the same limit
MAX_NUMBER = 1e10
#: integer fields, which browsers with a zoom send as fractions
PIXEL_FIELDS = ("image_height", "image_width")


class BadMessage(Exception):  # noqa: N818 - it closes a connection, and is not public
    """A message that the viewer's own page never sends."""


class MessageReader:
    """Decodes and checks messages of browsers.  gui: viser's, with its sliders and buttons."""

    def __init__(self, gui: Any) -> None:
        from viser import _messages

        self._gui = gui
        self._kinds = {name: getattr(_messages, name) for name in ACCEPTED_KINDS}

    def read(self, content: Any) -> Any:
        """Decode a message; None if it is to be ignored.  Raises BadMessage."""
        import msgspec

        if not isinstance(content, bytes):
            raise BadMessage("expected a binary message")
        try:
            fields = msgspec.msgpack.decode(content)
            kind = self._kinds.get(fields.pop("type"))
            if kind is None:
                return None
            for name in PIXEL_FIELDS:
                if isinstance(fields.get(name), float):
                    fields[name] = int(fields[name])
            message = msgspec.convert(fields, kind)
        except (
            msgspec.MsgspecError, RecursionError, AttributeError, KeyError, TypeError, ValueError,
            OverflowError,
        ) as error:  # fmt: skip
            raise BadMessage(f"malformed message: {type(error).__name__}") from None
        if kind is self._kinds["GuiUpdateMessage"]:
            return self._checked_update(message)
        if kind is self._kinds["CommandTriggerMessage"]:
            return message if message.uuid in self._gui._command_handle_from_uuid else None
        return (
            message if all(abs(n) <= MAX_NUMBER for n in _message_numbers(vars(message))) else None
        )

    def _checked_update(self, message: Any) -> Any:
        """An update of the value of a control in the panel, within its bounds."""
        if set(message.updates) != {"value"}:
            raise BadMessage("expected an update of a value")
        handle = self._gui._gui_input_handle_from_uuid.get(message.uuid)
        if handle is None:
            return None
        value = checked_gui_value(handle, message.updates["value"])
        if value is None:
            return None
        message.updates = {"value": value}
        return message


def checked_gui_value(handle: Any, value: Any) -> Any:
    """The value if a control in the panel can take it, or None."""
    now = handle.value
    if isinstance(now, bool):
        return value if isinstance(value, bool) else None
    choices = getattr(handle, "options", None)
    if choices is not None:
        return value if value in tuple(choices) else None
    if isinstance(now, tuple):
        return _checked_vector(now, value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not isinstance(now, (int, float)) or not abs(value) <= MAX_NUMBER:
        return None
    # integers are clamped; a real beside its slider may be any number that is typed
    return value if isinstance(now, float) else min(max(int(value), handle.min), handle.max)


def _checked_vector(now: tuple[Any, ...], value: Any) -> tuple[float, ...] | None:
    """A vector of the same length, of numbers within bounds, or None."""
    if not isinstance(value, (list, tuple)) or len(value) != len(now):
        return None
    fine = all(type(n) in (int, float) and abs(n) <= MAX_NUMBER for n in value)
    return tuple(float(n) for n in value) if fine else None


def _message_numbers(value: Any) -> Iterator[float]:
    """All numbers of a message; inf for those that are not finite."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from _message_numbers(one)
    elif isinstance(value, (int, float)):
        yield value if math.isfinite(value) else math.inf
