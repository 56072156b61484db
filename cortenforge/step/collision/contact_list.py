"""The list of contacts, and how narrow-phase kernels append to it.

A kernel in lanes computes a pair's contacts for all worlds, with a condition that says which worlds
have them. Frames and parameters follow later, for all contacts at once (`contact_parameters.py`).
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
    """Append a contact of pair p in the worlds where `hit` holds; tangents are chosen later.

    dist: distance of the surfaces, negative if they overlap.  pos: halfway between the surfaces.
    normal: unit vector from the first geom to the second.  Mirrors mj_addContact.
    """
    add_aligned_contact(d, p, hit, dist, pos, normal, vec3(0.0, 0.0, 0.0))


@kernel(lanes=True)
def add_aligned_contact(d, p: int, hit, dist, pos, normal, tangent):
    """The same with a direction for the first tangent."""
    waiting = lane_bits(hit and d.asked == 1)
    while waiting != 0:
        lane = lowest_bit(waiting)
        waiting = without_lowest(waiting)
        append_contact(
            world(d, lane),
            p,
            in_lane(dist, lane),
            in_lane(pos, lane),
            in_lane(normal, lane),
            in_lane(tangent, lane),
        )


@kernel
def append_contact(d, p: int, dist, pos, normal, tangent):
    """Append a contact of this world; contacts beyond the capacity are counted only."""
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
def request_contact_capacity(d):
    """Request a longer list if it was too short: the step is repeated with more memory.

    Later stages of this step use the contacts that there is room for.
    """
    if d.ncon > d.nconmax:
        need(d, NCONMAX, d.ncon)
        d.ncon = d.nconmax
