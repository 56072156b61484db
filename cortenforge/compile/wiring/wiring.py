"""What refers to the tree from outside of it: contact pairs, equalities, tendons."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.assets.assets import Assets
from cortenforge.compile.lookup import Lookup
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.wiring import tendons
from cortenforge.compile.wiring.contacts import contact_arrays
from cortenforge.compile.wiring.equalities import equality_arrays
from cortenforge.errors import MjcfError
from cortenforge.spec import Spec

# the inertia matrix of a tree is inverted as a whole where tendons have armature
MAX_COUPLED_DOFS = 2000


class Wiring:
    """Contact pairs, equalities and tendons of a model, checked and resolved to ids."""

    def __init__(
        self, spec: Spec, tree: NumberedTree, settings: CompilerSettings, assets: Assets
    ) -> None:
        lookup = Lookup(tree)
        lookup.add("tendon", [one.name for one in spec.tendons])
        lookup.add("material", assets.known["material"])
        self._size = spec.size
        self._contacts, self.names = contact_arrays(spec.contacts, lookup)
        self._equalities = equality_arrays(spec.equalities, lookup)
        self._tendons = tendons.compile_tendons(spec.tendons, lookup, settings, spec.actuators)
        for tendon in self._tendons:
            tendon.matid = -1 if assets.discard else tendon.matid
        self.names["equality"] = [one.name for one in spec.equalities]
        self.names["tendon"] = [one.name for one in spec.tendons]
        elements = (tendon.armature_element for tendon in self._tendons)
        self._with_armature = [element for element in elements if element]

    def bodies_with_armature(self) -> list[int]:
        """Bodies on the paths of tendons with armature."""
        return tendons.bodies_with_armature(self._tendons)

    def armature_error(self) -> MjcfError:
        """The error for an inertia matrix that armature of tendons makes indefinite."""
        return self._with_armature[0].error(
            "the inertia matrix with this armature is not positive definite: as in MuJoCo, "
            "entries of M that would couple branches of the tree are left out",
            "armature",
            hint="lower it, or use a tendon within one chain of bodies",
        )

    def arrays(self, tree_arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """All arrays that do not need the reference position; wakes trees that may not sleep."""
        if self._with_armature and tree_arrays["tree_dofnum"].max(initial=0) > MAX_COUPLED_DOFS:
            raise self._with_armature[0].error(
                f"not supported yet with trees of more than {MAX_COUPLED_DOFS} dofs", "armature"
            )
        found = self._contacts | self._equalities
        found |= tendons.tendon_arrays(self._tendons, tree_arrays)
        found["tendon_user"] = tendons.tendon_user_array(self._tendons, self._size)
        tendons.set_tendon_sleep_policy(self._tendons, tree_arrays | found)
        return found
