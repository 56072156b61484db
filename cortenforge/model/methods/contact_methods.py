"""Methods of Data about contacts: lists, reports on collision, explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cortenforge.model.methods.collision_report import CollisionReport, collision_report
from cortenforge.model.methods.contact_explanation import ContactExplanation, explain_contact
from cortenforge.model.methods.contacts import Contact, Contacts, contacts_between
from cortenforge.model.methods.diagnosis import explain

if TYPE_CHECKING:
    from cortenforge.model.data import Data


class ContactMethods:
    """Contacts as the last `forward` or `step` computed them."""

    ncon: int

    def collision_report(self) -> CollisionReport:
        """Run collision detection and count the pairs that reached each stage: to tune a model.

        >>> print(data.collision_report())
        """
        return collision_report(cast("Data", self))

    def explain(self) -> str:
        """Why the world is unstable or slow: findings in its last evaluation, in words.

        Deep penetration, contacts and springs too stiff for the time step, mass ratios, a solver
        that did not converge, large islands.
        """
        return explain(cast("Data", self))

    @property
    def contact(self) -> Contacts:
        """The contacts of the last collision, as MuJoCo lists them."""
        return Contacts(cast("Data", self), self.ncon)

    def contacts_between(
        self, one: str | int, other: str | int | None = None, *, subtree: bool = False
    ) -> Contacts:
        """Contacts of two bodies or geoms by name; without `other`, with anything.

        one, other: bodies or geoms, by name or number.

        If a body and a geom share the name, the body is meant. subtree: bodies with all their
        descendants. The normal of each contact points away from the geom that comes first in it.
        """
        return contacts_between(cast("Data", self), one, other, subtree=subtree)

    def explain_contact(self, i: int | Contact) -> ContactExplanation:
        """A contact in physical terms: stiffness, damping, settling time, static depth, limits.

        i: number of the contact, below `ncon`.

        A StepWarning says if it is too fast for the time step.

        >>> print(data.explain_contact(0))
        """
        return explain_contact(cast("Data", self), i)
