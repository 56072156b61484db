"""Data fields of the constraint solver: islands, and the problem of one island at a time."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
SOLVER_CAPACITIES: dict[str, tuple[int, str]] = {
    "nrowmax": (0, "capacity for rows of an island, rounded up to fours"),
    "nHmax": (0, "capacity for entries of the Hessian of a large island"),
    "nblockmax": (0, "capacity for blocks of the Hessian of a large island"),
    "nwordmax": (0, "capacity for words of its pattern"),
    "nYmax": (0, "capacity for entries of M^-1 J' of an island"),
    "nquadmax": (0, "capacity for columns of fours of rows of an island"),
    "nvisitmax": (0, "capacity for kept visiting orders of PGS"),
}
#: islands whose statistics are kept, as in MuJoCo
NISLAND = 20
#: dofs of an island for which a word has bits: up to so many, its Hessian is a square
SMALL_ISLAND_DOFS = 64

SOLVER: tuple[Field, ...] = table(
    "solver",
    "derived",
    """
    nisland            | int        |         | | step.solve.islands step.solve.stage step.acceleration step.stages | Number of constraint islands: groups of trees that constraints couple.
    tree_island        | int world  | ntree   | | step.solve.islands | Island of each tree; -1 if it has no constraints.
    dof_island         | int world  | nv      | | step.solve.islands | Island of each dof; -1 if it has no constraints.
    efc_island         | int world  | nefcmax | | step.solve.islands | Island of each row.
    solver_niter       | int world  | 20      | | step.solve.results  | Number of iterations of each island, with those of noslip.
    solver_improvement | real world | 20      | | step.solve.results  | Cost decrease of the last iteration, scaled.
    solver_gradient    | real world | 20      | | step.solve.results  | Norm of the final gradient, scaled.
    solver_converged   | int world  |         | | step.solve.results step.solve.stage | 1 if all islands converged.
    solver_residual    | real world |         | | step.solve.results step.solve.stage | Largest final gradient of an island, scaled; with PGS, the last improvement.
    """,
)

SOLVER_SCRATCH: tuple[Field, ...] = table(
    "solver scratch",
    "scratch",
    """
    island_nv     | int world shown | ntree   | | step.solve.islands | Number of dofs of an island.
    island_dofadr | int world shown | ntree   | | step.solve.islands | Address of an island's dofs in map_idof2dof.
    map_dof2idof  | int world shown | nv      | | step.solve.islands | Place of each dof in its island.
    map_idof2dof  | int world shown | nv      | | step.solve.islands | Dofs, sorted by island.
    ifrc_smooth   | real group shown | nvpad   | | step.solve.island_problem | Force without constraints.
    iacc_smooth   | real group shown | nvpad   | | step.solve.island_problem | Acceleration without constraints.
    iacc          | real group shown | nvpad   | | step.solve.island_dofs step.solve.pgs | Acceleration.
    island_nefc   | int world shown | ntree   | | step.solve.islands | Number of rows of an island.
    map_iefc2efc  | int world shown | nefcmax | | step.solve.islands | Rows, sorted by island.
    iefc_D        | real world shown | nrowmax | | step.solve.island_problem step.solve.dense_dual | As efc_D.
    iefc_R        | real world shown | nrowmax | | step.solve.island_problem step.solve.noslip step.solve.dense_dual | As efc_R.
    iefc_aref     | real world shown | nrowmax | | step.solve.island_problem | As efc_aref.
    iefc_force    | real world shown | nrowmax | | step.solve.row_cost step.solve.elliptic_cones step.solve.dual step.solve.noslip step.solve.pgs step.solve.dense_dual | Forces of the island's rows.
    tree_link     | int world  | ntree   | | step.solve.islands | Union-find parent: a tree of the same island, lower unless it is the root.
    island_efcadr | int world  | ntree   | | step.solve.islands | Address of an island's rows in map_iefc2efc.
    idof          | int group  | nv      | | step.solve.stage | Dofs of the island that is solved.
    iplace        | int group  | nv      | | step.solve.stage | Place of each dof in that list.
    island_done   | int world  | ntree   | | step.solve.stage step.solve.dense_dual | 1 if an island has been solved.
    inext         | int        |         | | step.solve.stage   | First unsolved island, or -1.
    inext_n       | int        |         | | step.solve.stage   | Number of its dofs.
    ncouple       | int world  |         | | step.solve.stage step.metric.coupling step.stages | Number of coupling rows of the metric, behind all others.
    icurrent      | int        |         | | step.solve.stage   | Island that is solved.
    solving       | int        |         | | step.solve.island_problem step.solve.newton step.solve.stage | Whether the world has an island to solve, and is still iterating.
    icost         | real       |         | | step.solve.newton step.solve.cg | Gauss cost of the warm start.
    istart        | int        |         | | step.solve.row_cost    | Chosen start: 1 for the last step's acceleration, 0 for the smooth one.
    icount        | int        |         | | step.solve.newton  | Number of iterations.
    iline_slope   | real       |         | | step.solve.newton  | Derivative of the Gauss cost along the search direction.
    iline_curve   | real       |         | | step.solve.newton  | Second derivative of the Gauss cost along the search direction.
    iline_flat    | real       |         | | step.solve.newton  | Derivative of the cost that counts as zero.
    ialpha        | real       |         | | step.solve.newton | Step length along the search direction.
    igain         | real       |         | | step.solve.newton | Decrease of the cost by that step.
    island_n      | int group  |         | | step.solve.stage step.solve.pgs | Number of dofs of the island that is solved.
    island_bounded | int world |         | | step.solve.island_problem step.solve.pgs | Number of its rows with bounds, padded to fours.
    island_rows   | int world  |         | | step.solve.island_problem step.solve.pgs | Number of all its rows.
    island_cones  | int        |         | | step.solve.island_problem step.solve.stage step.solve.pgs | Number of its contacts with elliptic cones.
    iM            | real group | nC      | | step.solve.island_problem | Inertia matrix of the island, in the layout of M.
    iM_rowadr     | int group  | nv      | | step.solve.island_problem | Address of its rows.
    iM_rownnz     | int group  | nv      | | step.solve.island_problem | Number of entries of its rows.
    iM_colind     | int group  | nC      | | step.solve.island_problem | Columns of its entries.
    iacc_warm     | real group | nvpad   | | step.solve.island_problem | Warm start of the acceleration.
    iMa           | real group | nvpad   | | step.solve.island_dofs | M times the acceleration.
    iMv           | real group | nvpad   | | step.solve.island_dofs    | M times the search direction.
    igrad         | real group | nvpad   | | step.solve.cg step.solve.island_dofs step.solve.newton | Gradient of the cost.
    isearch       | real group | nvpad   | | step.solve.small_hessian step.solve.large_hessian step.solve.cg | Search direction.
    ix            | real group | nvpad   | | step.solve.small_hessian | Work vector of the solve.
    large_x       | real world flat | nvpad 2 | | step.solve.large_hessian | Work vector of the solve, for large islands.
    iLD           | real world | nC      | | step.solve.island_problem | L'DL factor of the island's M.
    iDinv         | real world | nvpad   | | step.solve.island_problem | Inverse of its D.
    iMgrad        | real world | nvpad   | | step.solve.cg      | M^-1 times the gradient.
    ilast_grad    | real world | nvpad   | | step.solve.cg      | Gradient of the last iteration.
    ilast_Mgrad   | real world | nvpad   | | step.solve.cg      | M^-1 times the gradient of the last iteration.
    ipush         | real world | nvpad   | | step.solve.dual step.solve.dense_dual | Acceleration due to all forces: M^-1 J' f.
    iefc_Y        | real world | nYmax   | | step.solve.dual step.solve.dense_dual | M^-1 J', a row for each row of J; of few rows, J L^-1 and behind it J M^-1 J'.
    iefc_diag     | real world | nrowmax | | step.solve.dual step.solve.dense_dual | Diagonal of J M^-1 J'; of few rows, its inverse with R.
    qacc_rows     | real       | nv      | | step.solve.dense_dual step.solve.stage | Force, then acceleration, of rows of islands with few rows that PGS solves.
    iefc_seed     | int world  | 8       | | step.solve.visiting_order  | State of the random generator of visiting orders, nine bits each.
    iefc_turn     | int world  | nrowmax | | step.solve.visiting_order  | Visiting order of rows and cones.
    visit_order   | int world  | nvisitmax | | step.solve.visiting_order | Visiting orders of few rows in each sweep, one after another; 0 where not known yet.
    iefc_before   | real world | nrowmax | | step.solve.pgs     | Forces before extrapolation.
    iefc_ahead    | real world | nrowmax | | step.solve.pgs     | Forces after extrapolation.
    iefc_b        | real world | nrowmax | | step.solve.dual step.solve.dense_dual | b = J acc_smooth - aref.
    cone_A        | real world | nconmax 36 | | step.solve.dual | Block of J M^-1 J' of the rows of a cone.
    cone_b        | real world | 6       | | step.solve.dual    | Residuals of a cone's rows, also without the part of friction.
    cone_old      | real world | 6       | | step.solve.dual    | Forces of a cone before an update.
    disc_A        | real world | 25      | | step.solve.dual    | Quadratic term of a QCQP.
    disc_b        | real world | 5       | | step.solve.dual    | Linear term of a QCQP.
    disc_x        | real world | 5       | | step.solve.qcqp    | Solution of a QCQP.
    disc_L        | real world | 25      | | step.solve.qcqp    | Cholesky factor of a QCQP's matrix.
    disc_y        | real world | 5       | | step.solve.qcqp    | Derivative of a QCQP's solution.
    iefc_efc      | int world  | nrowmax | | step.solve.island_problem step.solve.dense_dual | Row of efc fields; -1 for a padding row.
    iefc_adr      | int world  | nrowmax | | step.solve.island_problem | Address of its entries.
    iefc_nnz      | int world  | nrowmax | | step.solve.island_problem | Number of its entries.
    iefc_colind   | int world  | nJmax   | | step.solve.island_problem | Dofs of its entries, numbered within the island.
    iefc_J        | real world | nJmax   | | step.solve.island_problem | Values of its entries.
    quad_adr      | int world  | nrowmax | | step.solve.row_quads   | Address of the columns of four rows with bounds.
    quad_alike    | int world  | nrowmax | | step.solve.row_quads   | 1 if all four have the same columns.
    quad_col      | int world  | nquadmax | | step.solve.row_quads   | Dofs of these columns, numbered within the island.
    quad_J        | real world | nquadmax 4 | | step.solve.row_quads   | Entries of the four rows.
    iefc_lo       | real world | nrowmax | | step.solve.island_problem step.solve.dense_dual | Lower bound of the force.
    iefc_hi       | real world | nrowmax | | step.solve.island_problem | Upper bound of the force.
    iefc_x        | real world | nrowmax | | step.solve.row_cost step.solve.pgs step.solve.dense_dual | Residual: J qacc - aref.
    iefc_v        | real world | nrowmax | | step.solve.row_cost    | Change of the residual along the search direction: J search.
    iefc_y        | real world | nrowmax | | step.solve.row_cost    | Force before clamping.
    iefc_dy       | real world | nrowmax | | step.solve.row_cost    | Its change along the search direction.
    iefc_quad     | real world | nrowmax | | step.solve.row_cost    | Second derivative of the cost along the search direction.
    iefc_stiff    | real world | nrowmax | | step.solve.row_cost step.solve.elliptic_cones step.solve.pgs | Second derivative of the cost by the row's residual.
    iefc_delta    | real world | nrowmax | | step.solve.row_cost step.solve.elliptic_cones | Change of that which is not yet in H.
    cone_contact  | int world  | nconmax | | step.solve.island_problem | Contact of an elliptic cone.
    cone_row      | int world  | nconmax | | step.solve.island_problem | First row of a cone in the island.
    cone_zone     | int world  | nconmax | | step.solve.elliptic_cones step.solve.pgs | Zone of a cone: top, bottom or middle.
    cone_line     | real world | nconmax 8 | | step.solve.elliptic_cones | Coefficients of a cone's cost along the search direction.
    cone_cost     | real world | nconmax | | step.solve.elliptic_cones   | Cost of a cone.
    cone_hess     | real world | nconmax 36 | | step.solve.elliptic_cones | Hessian of a cone's cost by its residuals.
    cone_work     | real world flat | nvpad 6 | | step.solve.elliptic_cones | That Hessian times the rows of the cone.
    hess          | real world | nHmax   | | step.solve.large_hessian   | H = M + J' D J of quadratic rows, of a large island.
    hess_cone     | real world | nHmax   | | step.solve.large_hessian   | H with the Hessians of cones in the middle zone.
    hess_L        | real world | nHmax   | | step.solve.large_hessian   | Factor of H.
    small_H       | real group | nsmallH | | step.solve.small_hessian   | H = M + J' D J of quadratic rows, of a small island.
    small_cone    | real group | nsmallH | | step.solve.small_hessian   | H with the Hessians of cones in the middle zone.
    small_L       | real group carried | nsmallH | | step.solve.small_hessian   | L'DL factor of H, by rows.
    small_S       | real group carried | nsmallH | | step.solve.small_hessian   | L'DL factor of H, by columns.
    small_Dinv    | real group | nvpad   | | step.solve.small_hessian   | Inverse pivots of the factor.
    hess_changed  | int        |         | | step.solve.small_hessian   | Number of rows added to or removed from H since it was factored.
    hess_middle   | int        |         | | step.solve.small_hessian step.solve.large_hessian | Number of cones in the middle zone when H was factored.
    hess_fall     | real       |         | | step.solve.small_hessian step.solve.large_hessian | grad' H^-1 grad: twice the decrease of the quadratic model.
    pattern_n     | int group carried  |         | | step.solve.small_hessian   | Number of dofs of the island with the stored pattern.
    pattern_word  | word group | nvpad   | | step.solve.small_hessian   | Pattern of H before factorisation, as bits.
    pattern_known | word group carried | nvpad   | | step.solve.small_hessian   | Pattern of H of the last symbolic factorisation, as bits.
    pattern_full  | word group carried | nvpad   | | step.solve.small_hessian   | Pattern of L, as bits.
    blk_num       | int group carried  | nvpad   | | step.solve.small_hessian   | Number of blocks of four columns in a row of L.
    blk           | int group carried  | nsmallH | | step.solve.small_hessian   | First columns of these blocks, in rising order.
    below_num     | int group carried  | nvpad   | | step.solve.small_hessian   | Number of rows below the diagonal in a column of L.
    below         | int group carried  | nsmallH | | step.solve.small_hessian   | These rows, in falling order.
    run_num       | int group carried  | nvpad   | | step.solve.small_hessian   | Number of blocks of four rows in a column of L.
    run           | int group carried  | nsmallH | | step.solve.small_hessian   | First rows of these blocks, in falling order.
    hess_n        | int world  |         | | step.solve.block_pattern | Number of rows of the Hessian of a large island, with padding rows.
    order_tree    | int world  | nvpad   | | step.solve.elimination_order   | Tree of a dof of a large island, numbered within the island.
    order_first   | int world  | ntree   | | step.solve.elimination_order   | First dof of such a tree.
    order_dofs    | int world  | ntree   | | step.solve.elimination_order   | Number of its dofs.
    order_word    | word world | nwordmax | | step.solve.elimination_order  | Neighbouring trees, as bits.
    order_degree  | int world  | ntree   | | step.solve.elimination_order   | Number of dofs of these neighbours.
    order_list    | int world  | ntree   | | step.solve.elimination_order   | Trees in order of elimination.
    order_turn    | int world  | ntree   | | step.solve.elimination_order   | Position of a tree in that order.
    order_parent  | int world  | ntree   | | step.solve.elimination_order   | Parent of a tree in the elimination tree; -1 for a root.
    order_child   | int world  | ntree   | | step.solve.elimination_order   | Last child of a tree in the elimination tree; -1 if there is none.
    order_sibling | int world  | ntree   | | step.solve.elimination_order   | Previous sibling of a tree in the elimination tree; -1 if there is none.
    order_place   | int world  | nvpad   | | step.solve.elimination_order   | Row of H of a dof.
    block_n       | int world carried  |         | | step.solve.block_pattern | Number of rows of the Hessian with the stored pattern.
    block_known   | word world carried | nwordmax | | step.solve.block_pattern | Pattern of blocks of the last symbolic factorisation, as bits.
    block_word    | word world | nwordmax | | step.solve.block_pattern | Pattern of blocks of H, then of its factor, as bits.
    block_adr     | int world carried  | nvpad   | | step.solve.block_pattern | First block of a row of blocks.
    block_num     | int world carried  | nvpad   | | step.solve.block_pattern | Number of blocks left of the diagonal in a row of blocks.
    block_col     | int world carried  | nblockmax | | step.solve.block_pattern | Column of a block; the one on the diagonal is last.
    """,
)
