"""Facts of a world that are no field in lanes: its counts, and what its contacts come to."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.body_forces.contact_force import contact_linear_force

#: kinds of facts; the force's components are three of them, and counts follow (`counts.COUNTED`)
IN_CONTACT = 0
FORCE_X, FORCE_Y, FORCE_Z = 1, 2, 3
FIRST_COUNT = 4
#: in place of a second geom: any
ANY_GEOM = -1


@kernel
def world_fact(m, d, kind: int, first: int, second: int):
    """A number about a world: a count, or a fact of the contacts of a geom with another."""
    return (
        contact_fact(m, d, kind, first, second)
        if kind < FIRST_COUNT
        else 1.0 * world_count(d, kind - FIRST_COUNT)
    )


@kernel
def world_count(d, which: int):
    """One of the counts of a world, in the order of `counts.COUNTED`."""
    if which == 0:
        return d.nefc
    if which == 1:
        return d.ne
    if which == 2:
        return d.nf
    if which == 3:
        return d.nl
    if which == 4:
        return d.nJ
    if which == 5:
        return d.ncon
    if which == 6:
        return d.nisland
    return d.nsoftcon


@kernel
def contact_fact(m, d, kind: int, first: int, second: int):
    """1 if a geom has an active contact with another, or a component of the force on the first.

    Forces are in the world frame, summed over active contacts.
    """
    total = 0.0
    for c in range(d.ncon):
        one, other = d.contact_geom[c, 0], d.contact_geom[c, 1]
        on_second = other == first and (second == ANY_GEOM or one == second)
        on_first = one == first and (second == ANY_GEOM or other == second)
        if (on_first or on_second) and d.contact_exclude[c] == 0:
            if kind == IN_CONTACT:
                total = 1.0
            else:
                force = contact_linear_force(m, d, c)
                k = kind - FORCE_X
                # rows of the frame are the axes: its transpose turns into the world frame
                part = (
                    d.contact_frame[c, k] * force.x
                    + d.contact_frame[c, 3 + k] * force.y
                    + d.contact_frame[c, 6 + k] * force.z
                )
                total += part if on_second else -part
    return total
