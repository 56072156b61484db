"""The list of contacts: how a pair of geoms adds to it.

A pair works out its contacts in lanes, with a condition that says in which worlds there is one.
Frames and parameters are made later, for all contacts at once.
"""

from __future__ import annotations

from cortenforge.fields.data_contact import NCONMAX
from cortenforge.kernel import (
    in_lane,
    kernel,
    lane_bits,
    lowest_bit,
    mat3,
    vec3,
    without_lowest,
    world,
)
from cortenforge.step.status import need


@kernel(lanes=True)
def add_contact(d, p: int, hit, dist, pos, normal):
    """A contact of candidate p in the worlds where `hit` holds; tangents are nobody's choice."""
    add_aligned_contact(d, p, hit, dist, pos, normal, vec3(0.0, 0.0, 0.0))


@kernel(lanes=True)
def add_aligned_contact(d, p: int, hit, dist, pos, normal, tangent):
    """The same with a direction for the first tangent."""
    waiting = lane_bits(hit and d.asked == 1)
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        append(
            world(d, lane),
            p,
            in_lane(dist, lane),
            in_lane(pos, lane),
            in_lane(normal, lane),
            in_lane(tangent, lane),
        )


@kernel
def append(d, p: int, dist, pos, normal, tangent):
    """One more contact of this world; what finds no room is counted all the same."""
    c = d.ncon
    d.ncon = c + 1
    if c < d.nconmax:
        d.contact_dist[c] = dist
        d.contact_pos[c] = pos
        d.contact_frame[c] = mat3(
            normal.x, normal.y, normal.z, tangent.x, tangent.y, tangent.z, 0.0, 0.0, 0.0
        )
        d.contact_candidate[c] = p
        d.contact_time[c] = 0.0


@kernel
def ask_for_room(d):
    """A list that was too short has to be longer: the step is taken again.

    Stages until then look at the contacts that there are, and not beyond the list.
    """
    if d.ncon > d.nconmax:
        need(d, NCONMAX, d.ncon)
        d.ncon = d.nconmax
