"""The collision stage: near pairs, in the order of the list, each to its family."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.step.collision.broad import geom_reaches, near
from cortenforge.step.collision.contacts import ask_for_room
from cortenforge.step.collision.families import FAMILIES
from cortenforge.step.collision.parameters import complete_contacts
from cortenforge.step.status import well


@kernel(lanes=True)
def find_contacts(m, d):
    """Contacts, if anything can touch at all."""
    if m.ncandidate > 0:
        collision(m, d)
    else:
        d.ncon = 0


@kernel(lanes=True, unit=True)
def collision(m, d):
    """All contacts of the geoms where they are now, in MuJoCo's order.  Mirrors mj_collision.

    Families append what they find pair by pair, so contacts have the order of the list, which is
    that of bodies; nothing depends on how near pairs were found.
    """
    d.ncon = 0
    geom_reaches(m, d)
    for p in range(m.ncandidate):
        close = near(m, d, p)
        if any_lane(close):
            # what is near in one world may be far in its neighbours
            d.asked = select(close and well(d), 1, 0)
            FAMILIES(m.candidate_family[p], m, d, p)
    if any_lane(d.ncon > 0):
        ask_for_room(d)
        complete_contacts(m, d)
