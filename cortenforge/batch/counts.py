"""Numbers that a batch counts in every world: contacts, rows of constraints, islands."""

from __future__ import annotations

#: what is counted, in the order in which `lockstep` stores it
COUNTED = ("nefc", "ne", "nf", "nl", "nJ", "ncon", "nisland", "nsoftcon")
NCOUNTED = len(COUNTED)
#: the count of a world that failed
UNKNOWN = -1
