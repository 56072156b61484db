"""Data fields of the constraint solver: islands, and the problem of one island at a time."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
SOLVER_CAPACITIES: dict[str, tuple[int, str]] = {
    "nrowmax": (0, "rows of an island, rounded up to fours, there is room for"),
    "nHmax": (0, "entries of the Hessian of an island there is room for"),
    "nblockmax": (0, "blocks of the Hessian of a large island there is room for"),
    "nwordmax": (0, "words of its pattern there is room for"),
    "nYmax": (0, "entries of M^-1 J' of an island there is room for"),
}
#: islands whose statistics are kept, as in MuJoCo
NISLAND = 20

SOLVER: tuple[Field, ...] = table(
    "solver",
    "derived",
    """
    nisland            | int        |         | | step.solve.islands step.solve.stage step.acceleration | How many islands there are: groups of trees that constraints couple.
    tree_island        | int world  | ntree   | | step.solve.islands | Island of each tree; -1 if it has no constraints.
    dof_island         | int world  | nv      | | step.solve.islands | Island of each dof; -1 if it has no constraints.
    efc_island         | int world  | nefcmax | | step.solve.islands | Island of each row.
    solver_niter       | int world  | 20      | | step.solve.report  | Iterations of each island, with those of the noslip pass.
    solver_improvement | real world | 20      | | step.solve.report  | What the last iteration gained, scaled.
    solver_gradient    | real world | 20      | | step.solve.report  | Norm of the gradient in the end, scaled.
    solver_converged   | int world  |         | | step.solve.report step.solve.stage | 1 if all islands came below the tolerance.
    solver_residual    | real world |         | | step.solve.report step.solve.stage | Largest gradient that is left in an island, scaled; with PGS, the last gain.
    """,
)

SCRATCH: tuple[Field, ...] = table(
    "solver scratch",
    "scratch",
    """
    island_nv     | int world  | ntree   | | step.solve.islands | How many dofs it has.
    island_dofadr | int world  | ntree   | | step.solve.islands | Where the dofs of an island start in map_idof2dof.
    map_dof2idof  | int world  | nv      | | step.solve.islands | Place of each dof in its island.
    map_idof2dof  | int world  | nv      | | step.solve.islands | Dofs by island.
    ifrc_smooth   | real world | nvpad   | | step.solve.problem | Force without constraints.
    iacc_smooth   | real world | nvpad   | | step.solve.problem | Acceleration without constraints.
    iacc          | real world | nvpad   | | step.solve.rows step.solve.dofs step.solve.pgs | Acceleration.
    island_nefc   | int world  | ntree   | | step.solve.islands | How many rows it has.
    map_iefc2efc  | int world  | nefcmax | | step.solve.islands | Rows by island.
    iefc_D        | real world | nrowmax | | step.solve.problem | As efc_D.
    iefc_R        | real world | nrowmax | | step.solve.problem | As efc_R.
    iefc_aref     | real world | nrowmax | | step.solve.problem | As efc_aref.
    iefc_force    | real world | nrowmax | | step.solve.rows step.solve.cones step.solve.dual step.solve.noslip step.solve.pgs | Force.
    tree_link     | int world  | ntree   | | step.solve.islands | Another tree of the same island, lower unless it is the lowest.
    island_efcadr | int world  | ntree   | | step.solve.islands | Where its rows start in map_iefc2efc.
    island_n      | int world  |         | | step.solve.problem | Dofs of the island that is solved.
    island_bounded | int world |         | | step.solve.problem | Its rows with bounds, filled up to fours.
    island_rows   | int world  |         | | step.solve.problem | All its rows.
    island_cones  | int world  |         | | step.solve.problem | Its contacts with elliptic cones.
    iM            | real world | nC      | | step.solve.problem | Inertia matrix of the island, in the layout of M.
    iM_rowadr     | int world  | nv      | | step.solve.problem | Where its rows start.
    iM_rownnz     | int world  | nv      | | step.solve.problem | Entries of its rows.
    iM_colind     | int world  | nC      | | step.solve.problem | Their columns.
    iacc_warm     | real world | nvpad   | | step.solve.problem | Acceleration from which to start.
    iMa           | real world | nvpad   | | step.solve.dofs step.solve.rows | M times the acceleration.
    iMv           | real world | nvpad   | | step.solve.dofs    | M times the direction of search.
    igrad         | real world | nvpad   | | step.solve.dofs step.solve.rows | Gradient of the cost.
    isearch       | real world | nvpad   | | step.solve.small step.solve.large step.solve.cg | Direction of search.
    ix            | real world | nvpad   | | step.solve.small | Unknowns on the way to it.
    iLD           | real world | nC      | | step.solve.problem | Factor of M, of the island.
    iDinv         | real world | nvpad   | | step.solve.problem | Its inverse pivots.
    iMgrad        | real world | nvpad   | | step.solve.cg      | M^-1 times the gradient.
    ilast_grad    | real world | nvpad   | | step.solve.cg      | The gradient before.
    ilast_Mgrad   | real world | nvpad   | | step.solve.cg      | M^-1 times the gradient before.
    ipush         | real world | nvpad   | | step.solve.dual    | Acceleration that the forces make.
    iefc_Y        | real world | nYmax   | | step.solve.dual    | M^-1 J', a row for each row of J.
    iefc_diag     | real world | nrowmax | | step.solve.dual    | Diagonal of J M^-1 J'.
    iefc_seed     | int world  | 8       | | step.solve.visits  | State of the generator of orders, nine bits each.
    iefc_turn     | int world  | nrowmax | | step.solve.visits  | Rows and cones in the order in which they are visited.
    iefc_before   | real world | nrowmax | | step.solve.pgs     | Forces before they were taken ahead.
    iefc_ahead    | real world | nrowmax | | step.solve.pgs     | Forces where they were taken.
    iefc_b        | real world | nrowmax | | step.solve.dual    | Residual without forces.
    cone_A        | real world | nconmax 36 | | step.solve.dual | J M^-1 J' of the rows of a cone.
    cone_b        | real world | 6       | | step.solve.dual    | Residual of a cone's rows, and what is left of it without their friction.
    cone_old      | real world | 6       | | step.solve.dual    | Forces of a cone before they are changed.
    disc_A        | real world | 25      | | step.solve.dual    | Quadratic part of a problem on a disc.
    disc_b        | real world | 5       | | step.solve.dual    | Its linear part.
    disc_x        | real world | 5       | | step.solve.disc    | Its solution.
    disc_L        | real world | 25      | | step.solve.disc    | A factor on the way to it.
    disc_y        | real world | 5       | | step.solve.disc    | How the solution changes.
    iefc_efc      | int world  | nrowmax | | step.solve.problem | Which row of all it is; -1 if it only fills up.
    iefc_adr      | int world  | nrowmax | | step.solve.problem | Where its entries start.
    iefc_nnz      | int world  | nrowmax | | step.solve.problem | How many it has.
    iefc_colind   | int world  | nJmax   | | step.solve.problem | Their dofs, as the island counts them.
    iefc_J        | real world | nJmax   | | step.solve.problem | The entries.
    iefc_lo       | real world | nrowmax | | step.solve.problem | Least force of the row.
    iefc_hi       | real world | nrowmax | | step.solve.problem | Largest force of the row.
    iefc_x        | real world | nrowmax | | step.solve.rows step.solve.pgs | Residual: J qacc - aref.
    iefc_v        | real world | nrowmax | | step.solve.rows    | Its change along the search.
    iefc_y        | real world | nrowmax | | step.solve.rows    | Force before it is clamped.
    iefc_dy       | real world | nrowmax | | step.solve.rows    | Its change along the search.
    iefc_quad     | real world | nrowmax | | step.solve.rows    | Curvature of the cost along the search.
    iefc_stiff    | real world | nrowmax | | step.solve.rows step.solve.cones step.solve.pgs | Curvature of the cost in the row.
    iefc_delta    | real world | nrowmax | | step.solve.rows step.solve.cones | What of it H does not know yet.
    cone_contact  | int world  | nconmax | | step.solve.problem | Contact of an elliptic cone.
    cone_row      | int world  | nconmax | | step.solve.problem | Its first row in the island.
    cone_zone     | int world  | nconmax | | step.solve.cones step.solve.pgs | Where its residual is: above, below or in the cone.
    cone_line     | real world | nconmax 8 | | step.solve.cones | What the line search has to know of it.
    cone_cost     | real world | nconmax | | step.solve.cones   | Its cost.
    cone_hess     | real world | nconmax 36 | | step.solve.cones | Its Hessian in its rows.
    cone_work     | real world flat | nvpad 6 | | step.solve.cones | Its Hessian times its rows.
    hess          | real world | nHmax   | | step.solve.small step.solve.large | M + J' D J over rows that are quadratic.
    hess_cone     | real world | nHmax   | | step.solve.small step.solve.large | The same with cones.
    hess_L        | real world | nHmax   | | step.solve.small step.solve.large | Its factor by rows.
    hess_S        | real world | nHmax   | | step.solve.small   | Its factor by columns.
    hess_Dinv     | real world | nvpad   | | step.solve.small   | Inverse pivots.
    hess_middle   | int world  |         | | step.solve.small step.solve.large | Contacts in the middle zone of their cones when H was factored.
    hess_fall     | real world |         | | step.solve.small step.solve.large | grad' H^-1 grad: twice what the quadratic model falls by.
    pattern_n     | int world  |         | | step.solve.small step.solve.large | How many dofs the island had whose pattern is known.
    pattern_word  | word world | nvpad   | | step.solve.small   | Columns that rows of H begin with, as bits.
    pattern_known | word world | nvpad   | | step.solve.small   | The same when the pattern was worked out.
    pattern_full  | word world | nvpad   | | step.solve.small   | Columns of rows of L, as bits.
    blk_num       | int world  | nvpad   | | step.solve.small   | Blocks of four columns in a row of L.
    blk           | int world  | nHmax   | | step.solve.small   | Their first columns, in rising order.
    below_num     | int world  | nvpad   | | step.solve.small   | Rows below the diagonal in a column of L.
    below         | int world  | nHmax   | | step.solve.small   | These rows, in falling order.
    run_num       | int world  | nvpad   | | step.solve.small   | Blocks of four rows in a column of L.
    run           | int world  | nHmax   | | step.solve.small   | Their first rows, in falling order.
    block_n       | int world  |         | | step.solve.pattern | How many dofs the large island had whose pattern is known.
    block_known   | word world | nwordmax | | step.solve.pattern | Blocks that rows of H begin with, as bits, when the pattern was worked out.
    block_word    | word world | nwordmax | | step.solve.pattern | The same now, and then of rows of the factor.
    block_adr     | int world  | nvpad   | | step.solve.pattern | First block of a row of blocks.
    block_num     | int world  | nvpad   | | step.solve.pattern | Its blocks left of the diagonal.
    block_col     | int world  | nblockmax | | step.solve.pattern | Where a block is in its row; the one on the diagonal is last.
    """,
)
