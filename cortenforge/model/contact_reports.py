"""What people ask about contacts: which there are, how they were found, why they act as they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from cortenforge.model.collision_report import CollisionReport, collision_report
from cortenforge.model.contacts import Contact, Contacts, contacts_between
from cortenforge.model.diagnosis import explain
from cortenforge.model.explaining import ContactExplanation, explain_contact

if TYPE_CHECKING:
    from cortenforge.model.data import Data


class ContactReports:
    """Contacts of a Data as the last `forward` or `step` left them, in words and lists."""

    ncon: int

    def collision_report(self) -> CollisionReport:
        """Collide, and say how many pairs of geoms came to which test: for tuning a model.

        >>> print(data.collision_report())
        """
        return collision_report(cast("Data", self))

    def explain(self) -> str:
        """Why the world is unstable or slow, in words: what stands out in its last evaluation.

        Geoms far inside of each other, contacts and springs stiffer than the time step can hold,
        mass ratios, a solver that did not converge, islands that are large.
        """
        return explain(cast("Data", self))

    @property
    def contact(self) -> Contacts:
        """The contacts of the last collision, as MuJoCo lists them."""
        return Contacts(cast("Data", self), np.arange(self.ncon))

    def contacts_between(
        self, one: str | int, other: str | int | None = None, *, subtree: bool = False
    ) -> Contacts:
        """Contacts of two bodies or geoms by name; without `other`, with anything.

        A name that a body and a geom have means the body. subtree: bodies with all that hangs on
        them. The normal of each contact points away from the geom that comes first in it.
        """
        return contacts_between(cast("Data", self), one, other, subtree=subtree)

    def explain_contact(self, i: int | Contact) -> ContactExplanation:
        """A contact in physical terms: stiffness, damping, settling time, static depth, limits.

        A StepWarning says if it is too fast for the time step.

        >>> print(data.explain_contact(0))
        """
        return explain_contact(cast("Data", self), i)
