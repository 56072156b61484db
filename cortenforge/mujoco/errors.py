"""Exceptions of the `mujoco` package, and those of this engine in their terms."""

from __future__ import annotations

from typing import NoReturn


class FatalError(Exception):
    """A call that `mujoco` answers with mju_error."""


class UnexpectedError(Exception):
    """An error that should not happen."""


class AbsentError(NotImplementedError, AttributeError):
    """A name of `mujoco` that this module does not have.

    It says why, and what to use. As an AttributeError it lets `hasattr` and `copy` do their work.
    """


def raise_absent(name: str, reason: str) -> NoReturn:
    """Raise the error of a name that is absent."""
    raise AbsentError(f"cortenforge.mujoco has no {name}: {reason}")
