"""The constraint stage: all rows of a world that follow from positions, in MuJoCo's order.

efc rows:  ne equality,  nf friction loss,  nl limit,  then contacts;   nefc in all

Source: MuJoCo: Computation, "Constraint model"; docs/rows.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import DISCRETE, WITH_DIAGEXACT
from cortenforge.step.constraint.contact_rows import add_contact_rows
from cortenforge.step.constraint.equality_rows import add_equality_rows
from cortenforge.step.constraint.exact_diagonal import set_exact_diagonal
from cortenforge.step.constraint.impedance import set_all_regularisation
from cortenforge.step.constraint.kinds import (
    HAS_CONTACTS,
    HAS_EQUALITIES,
    HAS_FRICTIONLOSS,
    HAS_LIMITS,
)
from cortenforge.step.constraint.limit_rows import add_frictionloss_rows, add_limit_rows
from cortenforge.step.constraint.row_list import clear_rows, pad_row_list, request_row_capacity
from cortenforge.step.status import is_ok


@kernel(unit=True)
def make_constraint(m, d):
    """All rows, from positions: J, positions, diagA, R, D, KBIP.

    Mirrors mj_makeConstraint, and the exact diagonal of mj_projectConstraint.
    """
    make_rows(m, d, m.opt_enableflags & WITH_DIAGEXACT)


@kernel
def make_rows(m, d, exact: int):
    """All rows, from positions; exact: whether diagA is exact.  Mirrors mj_makeConstraint."""
    clear_rows(d)
    # a world that asks for room for its contacts has no contacts yet
    if is_ok(d):
        for t in range(m.ntendon):
            d.tendon_efcadr[t] = -1
        add_rows_of_all_kinds(m, d)
        if not request_row_capacity(d):
            if m.opt_integrator == DISCRETE:
                # R depends on the metric, which depends on forces (`metric_regularisation`)
                for row in range(d.nefc):
                    d.efc_invweight[row] = d.efc_diagA[row]
            else:
                if exact != 0:
                    set_exact_diagonal(m, d)
                set_all_regularisation(m, d)
            pad_row_list(d)


@kernel
def add_rows_of_all_kinds(m, d):
    """Append rows of all constraints, in MuJoCo's order: equality, friction, limit, contact."""
    if m.constraining & HAS_EQUALITIES != 0:
        add_equality_rows(m, d)
    d.ne = d.nefc
    if m.constraining & HAS_FRICTIONLOSS != 0:
        add_frictionloss_rows(m, d)
    d.nf = d.nefc - d.ne
    if m.constraining & HAS_LIMITS != 0:
        add_limit_rows(m, d)
    d.nl = d.nefc - d.ne - d.nf
    if m.constraining & HAS_CONTACTS != 0:
        add_contact_rows(m, d)
