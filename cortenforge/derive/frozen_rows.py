"""Calls for perturbed worlds in which constraint rows keep the states that they have in one."""

from __future__ import annotations

from collections.abc import Callable

from cortenforge.batch.lockstep_calls import LockstepCalls
from cortenforge.derive.kernels.residuals import NO_ROW_STATE
from cortenforge.kernel import Kernel
from cortenforge.model import Data
from cortenforge.model.internals import store_of


class FrozenRowCalls(LockstepCalls):
    """Lockstep calls of entries that read the states of constraint rows (efc_state)."""

    def copy_row_states(self, world: Data) -> None:
        """Give all lanes the row states of a world, and as much capacity as it has."""
        room, count = store_of(world).capacities, world.nefc
        states = store_of(world).arrays["efc_state"][:count]
        for lane, own in enumerate(self.memory.worlds):
            if any(own.capacities[name] < room[name] for name in ("nefcmax", "nJmax")):
                self.memory.ensure_room(lane, room)
            mine = own.arrays["efc_state"]
            mine[:count] = states
            mine[count:] = NO_ROW_STATE

    def run_frozen(
        self,
        entry: Kernel,
        count: int,
        world: Data,
        worlds: int | None = None,
        *,
        fill: Callable[[], None] = lambda: None,
    ) -> None:
        """Run an entry with frozen row states; again if a capacity was too small.

        fill: writes rows, which a call may change.
        """
        while True:
            fill()
            self.copy_row_states(world)
            if not self.run(entry, count, worlds):
                break
