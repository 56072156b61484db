"""Data fields of the constraint solver: islands, and the problem of one island at a time."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
SOLVER_CAPACITIES: dict[str, tuple[int, str]] = {
    "nrowmax": (0, "rows of an island, rounded up to fours, there is room for"),
    "nHmax": (0, "entries of the Hessian of a large island there is room for"),
    "nblockmax": (0, "blocks of the Hessian of a large island there is room for"),
    "nwordmax": (0, "words of its pattern there is room for"),
    "nYmax": (0, "entries of M^-1 J' of an island there is room for"),
}
#: islands whose statistics are kept, as in MuJoCo
NISLAND = 20
#: dofs of an island for which a word has bits: up to so many, its Hessian is a square
SMALL_ISLAND_DOFS = 64

SOLVER: tuple[Field, ...] = table(
    "solver",
    "derived",
    """
    nisland            | int        |         | | step.solve.islands step.solve.stage step.acceleration | How many islands there are: groups of trees that constraints couple.
    tree_island        | int world  | ntree   | | step.solve.islands | Island of each tree; -1 if it has no constraints.
    dof_island         | int world  | nv      | | step.solve.islands | Island of each dof; -1 if it has no constraints.
    efc_island         | int world  | nefcmax | | step.solve.islands | Island of each row.
    solver_niter       | int world  | 20      | | step.solve.results  | Iterations of each island, with those of the noslip pass.
    solver_improvement | real world | 20      | | step.solve.results  | What the last iteration gained, scaled.
    solver_gradient    | real world | 20      | | step.solve.results  | Norm of the gradient in the end, scaled.
    solver_converged   | int world  |         | | step.solve.results step.solve.stage | 1 if all islands came below the tolerance.
    solver_residual    | real world |         | | step.solve.results step.solve.stage | Largest gradient that is left in an island, scaled; with PGS, the last gain.
    """,
)

SOLVER_SCRATCH: tuple[Field, ...] = table(
    "solver scratch",
    "scratch",
    """
    island_nv     | int world shown | ntree   | | step.solve.islands | How many dofs it has.
    island_dofadr | int world shown | ntree   | | step.solve.islands | Where the dofs of an island start in map_idof2dof.
    map_dof2idof  | int world shown | nv      | | step.solve.islands | Place of each dof in its island.
    map_idof2dof  | int world shown | nv      | | step.solve.islands | Dofs by island.
    ifrc_smooth   | real group shown | nvpad   | | step.solve.island_problem | Force without constraints.
    iacc_smooth   | real group shown | nvpad   | | step.solve.island_problem | Acceleration without constraints.
    iacc          | real group shown | nvpad   | | step.solve.island_dofs step.solve.pgs | Acceleration.
    island_nefc   | int world shown | ntree   | | step.solve.islands | How many rows it has.
    map_iefc2efc  | int world shown | nefcmax | | step.solve.islands | Rows by island.
    iefc_D        | real world shown | nrowmax | | step.solve.island_problem | As efc_D.
    iefc_R        | real world shown | nrowmax | | step.solve.island_problem step.solve.noslip | As efc_R.
    iefc_aref     | real world shown | nrowmax | | step.solve.island_problem | As efc_aref.
    iefc_force    | real world shown | nrowmax | | step.solve.row_cost step.solve.elliptic_cones step.solve.dual step.solve.noslip step.solve.pgs | Force.
    tree_link     | int world  | ntree   | | step.solve.islands | Another tree of the same island, lower unless it is the lowest.
    island_efcadr | int world  | ntree   | | step.solve.islands | Where its rows start in map_iefc2efc.
    idof          | int group  | nv      | | step.solve.stage | Dofs of the island that is solved.
    iplace        | int group  | nv      | | step.solve.stage | Place of each of them in it.
    island_done   | int world  | ntree   | | step.solve.stage   | 1 if it has been solved.
    inext         | int        |         | | step.solve.stage   | The first island that has not been solved, or -1.
    inext_n       | int        |         | | step.solve.stage   | Its dofs.
    ncouple       | int world  |         | | step.solve.stage step.metric.coupling | How many rows behind all others are couplings of a step's metric.
    icurrent      | int        |         | | step.solve.stage   | The island that is solved.
    solving       | int        |         | | step.solve.island_problem step.solve.newton step.solve.stage | Whether the world has an island to solve, and whether that goes on.
    icost         | real       |         | | step.solve.newton step.solve.cg | Gauss' cost of the acceleration from which to start.
    istart        | int        |         | | step.solve.row_cost    | Which acceleration is the better start: 1 for the last step's, 0 for the smooth one.
    icount        | int        |         | | step.solve.newton  | Iterations so far.
    iline_slope   | real       |         | | step.solve.newton  | Slope of the smooth cost along the search.
    iline_curve   | real       |         | | step.solve.newton  | Its curvature.
    iline_flat    | real       |         | | step.solve.newton  | Slope of the cost that is as good as none.
    ialpha        | real       |         | | step.solve.newton | How far to go along the search.
    igain         | real       |         | | step.solve.newton | By how much the cost falls then.
    island_n      | int group  |         | | step.solve.stage | How many dofs the island has that is solved.
    island_bounded | int world |         | | step.solve.island_problem | Its rows with bounds, filled up to fours.
    island_rows   | int world  |         | | step.solve.island_problem | All its rows.
    island_cones  | int        |         | | step.solve.island_problem step.solve.stage | Its contacts with elliptic cones.
    iM            | real group | nC      | | step.solve.island_problem | Inertia matrix of the island, in the layout of M.
    iM_rowadr     | int group  | nv      | | step.solve.island_problem | Where its rows start.
    iM_rownnz     | int group  | nv      | | step.solve.island_problem | Entries of its rows.
    iM_colind     | int group  | nC      | | step.solve.island_problem | Their columns.
    iacc_warm     | real group | nvpad   | | step.solve.island_problem | Acceleration from which to start.
    iMa           | real group | nvpad   | | step.solve.island_dofs | M times the acceleration.
    iMv           | real group | nvpad   | | step.solve.island_dofs    | M times the direction of search.
    igrad         | real group | nvpad   | | step.solve.cg step.solve.island_dofs step.solve.newton | Gradient of the cost.
    isearch       | real group | nvpad   | | step.solve.small_hessian step.solve.large_hessian step.solve.cg | Direction of search.
    ix            | real group | nvpad   | | step.solve.small_hessian | Unknowns on the way to it.
    large_x       | real world flat | nvpad 2 | | step.solve.large_hessian | Unknowns on the way to the search in a large island.
    iLD           | real world | nC      | | step.solve.island_problem | Factor of M, of the island.
    iDinv         | real world | nvpad   | | step.solve.island_problem | Its inverse pivots.
    iMgrad        | real world | nvpad   | | step.solve.cg      | M^-1 times the gradient.
    ilast_grad    | real world | nvpad   | | step.solve.cg      | The gradient before.
    ilast_Mgrad   | real world | nvpad   | | step.solve.cg      | M^-1 times the gradient before.
    ipush         | real world | nvpad   | | step.solve.dual    | Acceleration that the forces make.
    iefc_Y        | real world | nYmax   | | step.solve.dual    | M^-1 J', a row for each row of J.
    iefc_diag     | real world | nrowmax | | step.solve.dual    | Diagonal of J M^-1 J'.
    iefc_seed     | int world  | 8       | | step.solve.visiting_order  | State of the generator of orders, nine bits each.
    iefc_turn     | int world  | nrowmax | | step.solve.visiting_order  | Rows and cones in the order in which they are visited.
    iefc_before   | real world | nrowmax | | step.solve.pgs     | Forces before they were taken ahead.
    iefc_ahead    | real world | nrowmax | | step.solve.pgs     | Forces where they were taken.
    iefc_b        | real world | nrowmax | | step.solve.dual    | Residual without forces.
    cone_A        | real world | nconmax 36 | | step.solve.dual | J M^-1 J' of the rows of a cone.
    cone_b        | real world | 6       | | step.solve.dual    | Residual of a cone's rows, and what is left of it without their friction.
    cone_old      | real world | 6       | | step.solve.dual    | Forces of a cone before they are changed.
    disc_A        | real world | 25      | | step.solve.dual    | Quadratic part of a problem on a disc.
    disc_b        | real world | 5       | | step.solve.dual    | Its linear part.
    disc_x        | real world | 5       | | step.solve.qcqp    | Its solution.
    disc_L        | real world | 25      | | step.solve.qcqp    | A factor on the way to it.
    disc_y        | real world | 5       | | step.solve.qcqp    | How the solution changes.
    iefc_efc      | int world  | nrowmax | | step.solve.island_problem | Which row of all it is; -1 if it only fills up.
    iefc_adr      | int world  | nrowmax | | step.solve.island_problem | Where its entries start.
    iefc_nnz      | int world  | nrowmax | | step.solve.island_problem | How many it has.
    iefc_colind   | int world  | nJmax   | | step.solve.island_problem | Their dofs, as the island counts them.
    iefc_J        | real world | nJmax   | | step.solve.island_problem | The entries.
    quad_adr      | int world  | nrowmax | | step.solve.row_quads   | Where the columns of four rows with bounds start.
    quad_alike    | int world  | nrowmax | | step.solve.row_quads   | 1 if all four have the same columns.
    quad_col      | int world  | nJmax   | | step.solve.row_quads   | Their dofs, as the island counts them.
    quad_J        | real world | nJmax 4 | | step.solve.row_quads   | The entries of the four rows.
    iefc_lo       | real world | nrowmax | | step.solve.island_problem | Least force of the row.
    iefc_hi       | real world | nrowmax | | step.solve.island_problem | Largest force of the row.
    iefc_x        | real world | nrowmax | | step.solve.row_cost step.solve.pgs | Residual: J qacc - aref.
    iefc_v        | real world | nrowmax | | step.solve.row_cost    | Its change along the search.
    iefc_y        | real world | nrowmax | | step.solve.row_cost    | Force before it is clamped.
    iefc_dy       | real world | nrowmax | | step.solve.row_cost    | Its change along the search.
    iefc_quad     | real world | nrowmax | | step.solve.row_cost    | Curvature of the cost along the search.
    iefc_stiff    | real world | nrowmax | | step.solve.row_cost step.solve.elliptic_cones step.solve.pgs | Curvature of the cost in the row.
    iefc_delta    | real world | nrowmax | | step.solve.row_cost step.solve.elliptic_cones | What of it H does not know yet.
    cone_contact  | int world  | nconmax | | step.solve.island_problem | Contact of an elliptic cone.
    cone_row      | int world  | nconmax | | step.solve.island_problem | Its first row in the island.
    cone_zone     | int world  | nconmax | | step.solve.elliptic_cones step.solve.pgs | Where its residual is: above, below or in the cone.
    cone_line     | real world | nconmax 8 | | step.solve.elliptic_cones | What the line search has to know of it.
    cone_cost     | real world | nconmax | | step.solve.elliptic_cones   | Its cost.
    cone_hess     | real world | nconmax 36 | | step.solve.elliptic_cones | Its Hessian in its rows.
    cone_work     | real world flat | nvpad 6 | | step.solve.elliptic_cones | Its Hessian times its rows.
    hess          | real world | nHmax   | | step.solve.large_hessian   | M + J' D J over rows that are quadratic, of a large island.
    hess_cone     | real world | nHmax   | | step.solve.large_hessian   | The same with cones.
    hess_L        | real world | nHmax   | | step.solve.large_hessian   | Its factor by rows.
    small_H       | real group | nsmallH | | step.solve.small_hessian   | M + J' D J over rows that are quadratic, of a small island.
    small_cone    | real group | nsmallH | | step.solve.small_hessian   | The same with cones.
    small_L       | real group | nsmallH | | step.solve.small_hessian   | Its factor by rows.
    small_S       | real group | nsmallH | | step.solve.small_hessian   | Its factor by columns.
    small_Dinv    | real group | nvpad   | | step.solve.small_hessian   | Inverse pivots.
    hess_changed  | int        |         | | step.solve.small_hessian   | Rows that were added to H, or taken out of it, since it was factored.
    hess_middle   | int        |         | | step.solve.small_hessian step.solve.large_hessian | Contacts in the middle zone of their cones when H was factored.
    hess_fall     | real       |         | | step.solve.small_hessian step.solve.large_hessian | grad' H^-1 grad: twice what the quadratic model falls by.
    pattern_n     | int group  |         | | step.solve.small_hessian   | How many dofs the island had whose pattern is known.
    pattern_word  | word group | nvpad   | | step.solve.small_hessian   | Columns that rows of H begin with, as bits.
    pattern_known | word group | nvpad   | | step.solve.small_hessian   | The same when the pattern was worked out.
    pattern_full  | word group | nvpad   | | step.solve.small_hessian   | Columns of rows of L, as bits.
    blk_num       | int group  | nvpad   | | step.solve.small_hessian   | Blocks of four columns in a row of L.
    blk           | int group  | nsmallH | | step.solve.small_hessian   | Their first columns, in rising order.
    below_num     | int group  | nvpad   | | step.solve.small_hessian   | Rows below the diagonal in a column of L.
    below         | int group  | nsmallH | | step.solve.small_hessian   | These rows, in falling order.
    run_num       | int group  | nvpad   | | step.solve.small_hessian   | Blocks of four rows in a column of L.
    run           | int group  | nsmallH | | step.solve.small_hessian   | Their first rows, in falling order.
    hess_n        | int world  |         | | step.solve.block_pattern | Rows of the Hessian of a large island, with those that only fill up.
    order_tree    | int world  | nvpad   | | step.solve.elimination_order   | Tree of a dof of a large island, as the island counts them.
    order_first   | int world  | ntree   | | step.solve.elimination_order   | First dof of such a tree.
    order_dofs    | int world  | ntree   | | step.solve.elimination_order   | How many it has.
    order_word    | word world | nwordmax | | step.solve.elimination_order  | Trees it is coupled to, as bits.
    order_degree  | int world  | ntree   | | step.solve.elimination_order   | How many dofs they have.
    order_list    | int world  | ntree   | | step.solve.elimination_order   | Trees in the order in which they are eliminated.
    order_turn    | int world  | ntree   | | step.solve.elimination_order   | When a tree is.
    order_parent  | int world  | ntree   | | step.solve.elimination_order   | Which of those around it is next; -1 if none is.
    order_child   | int world  | ntree   | | step.solve.elimination_order   | The last of the trees whose next it is; -1 if there is none.
    order_sibling | int world  | ntree   | | step.solve.elimination_order   | The one of them before; -1 if there is none.
    order_place   | int world  | nvpad   | | step.solve.elimination_order   | Where a dof stands in H.
    block_n       | int world  |         | | step.solve.block_pattern | Rows of the Hessian whose pattern is known.
    block_known   | word world | nwordmax | | step.solve.block_pattern | Blocks that rows of H begin with, as bits, when the pattern was worked out.
    block_word    | word world | nwordmax | | step.solve.block_pattern | The same now, and then of rows of the factor.
    block_adr     | int world  | nvpad   | | step.solve.block_pattern | First block of a row of blocks.
    block_num     | int world  | nvpad   | | step.solve.block_pattern | Its blocks left of the diagonal.
    block_col     | int world  | nblockmax | | step.solve.block_pattern | Where a block is in its row; the one on the diagonal is last.
    """,
)
