"""The constraint stage: all rows of a world that follow from positions, in MuJoCo's order.

efc rows:  ne equality,  nf friction loss,  nl limit,  then contacts;   nefc in all
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import DISCRETE, WITH_DIAGEXACT
from cortenforge.step.constraint.contacts import contact_rows
from cortenforge.step.constraint.diagonal import exact_diagonal
from cortenforge.step.constraint.equality import equality_rows
from cortenforge.step.constraint.impedance import regularise_rows
from cortenforge.step.constraint.kinds import CONTACTS, EQUALITIES, FRICTIONS, LIMITS
from cortenforge.step.constraint.limits import friction_rows, limit_rows
from cortenforge.step.constraint.rows import ask_for_rows, clear, fill_up
from cortenforge.step.status import well


@kernel(unit=True)
def make_rows(m, d):
    """All rows, from positions: J, positions, diagA, R, D, KBIP.  Mirrors mj_makeConstraint."""
    clear(d)
    # a world that asks for room for its contacts has no contacts yet
    if well(d):
        for t in range(m.ntendon):
            d.tendon_efcadr[t] = -1
        add_rows(m, d)
        if not ask_for_rows(d):
            if m.opt_integrator == DISCRETE:
                # R depends on the metric, which depends on forces (`metric_regularisation`)
                for row in range(d.nefc):
                    d.efc_invweight[row] = d.efc_diagA[row]
            else:
                if m.opt_enableflags & WITH_DIAGEXACT != 0:
                    exact_diagonal(m, d)
                regularise_rows(m, d)
            fill_up(d)


@kernel
def add_rows(m, d):
    """Append rows of all constraints, in MuJoCo's order: equality, friction, limit, contact."""
    if m.constraining & EQUALITIES != 0:
        equality_rows(m, d)
    d.ne = d.nefc
    if m.constraining & FRICTIONS != 0:
        friction_rows(m, d)
    d.nf = d.nefc - d.ne
    if m.constraining & LIMITS != 0:
        limit_rows(m, d)
    d.nl = d.nefc - d.ne - d.nf
    if m.constraining & CONTACTS != 0:
        contact_rows(m, d)
