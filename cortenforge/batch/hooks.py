"""Places in a call of a batch where the kernels of a `WorldProgram` run.

Each is a unit that does nothing; the program's units take their places (`world_program`).
"""

from __future__ import annotations

from cortenforge.kernel import Table, kernel

#: numbers of the places, and bits by which a call says which of them it comes by
BEFORE, SUBSTEP, AFTER, RESET, OBSERVE = range(5)


@kernel(lanes=True, unit=True)
def before_step(m, d):
    """At the start of a call of steps."""
    return


@kernel(lanes=True, unit=True)
def after_substep(m, d):
    """After each step of a call."""
    return


@kernel(lanes=True, unit=True)
def after_step(m, d):
    """After the last step of a call."""
    return


@kernel(lanes=True, unit=True)
def at_reset(m, d):
    """Where worlds begin, before they are evaluated."""
    return


@kernel(lanes=True, unit=True)
def observe(m, d):
    """At the end of a call, when all fields are those of the present state."""
    return


#: no model asks for them, so none is `needed`
HOOKS = Table((before_step, after_substep, after_step, at_reset, observe), lambda model: ())
