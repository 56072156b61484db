"""Exact line search: the minimum along the search direction of a convex, piecewise cost.

    phi(alpha) = cost(acc + alpha search),   Newton's method on phi'(alpha) = 0
    alpha <- alpha - phi' / phi''

Newton steps until phi' changes its sign, then a bracket: Newton steps from both ends and its
midpoint are the candidates for a smaller one. `opt.ls_iterations` limits evaluations, so they are
made and counted as MuJoCo's are, except those that could not change the result.

A point is a vec3: (alpha, phi', phi'').  Source: MuJoCo: Computation, "Constraint solver",
"Algorithms".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, vec3
from cortenforge.step.solve.row_cost import cost_decrease, cost_derivatives


@kernel
def evaluate_point(d, bounded: int, cones: int, slope, curve, alpha):
    """The point (alpha, first, second derivative of the cost) of a step alpha."""
    first, second = cost_derivatives(d, bounded, cones, slope, curve, alpha)
    return vec3(alpha, first, second)


@kernel
def newton_alpha(p):
    """Step of Newton's method from a point: alpha - first / second."""
    return p.x - p.y / p.z


@kernel
def is_flat(p, small):
    """Whether the derivative at a point is below the tolerance `small`."""
    return abs(p.y) < small or p.y == 0.0


@kernel
def less_steep_point(p, q):
    """The point with the smaller slope if both have slopes of one sign, else the first."""
    below = p.y < 0.0 and q.y < 0.0 and p.y < q.y
    above = p.y > 0.0 and q.y > 0.0 and p.y > q.y
    return select(below or above, q, p)


@kernel
def line_search(m, d, bounded: int, cones: int, slope, curve, begin, small):
    """(alpha, is_flat): minimum of the cost along the search direction.  Mirrors PrimalSearch.

    slope, curve: derivatives of the Gauss cost at 0;  begin: first alpha to try, Newton's step from
    0;  small: derivative that counts as zero.
    """
    p = evaluate_point(d, bounded, cones, slope, curve, begin)
    # that at zero counts
    evaluations, falls, before = 2, p.y < 0.0, p
    while not is_flat(p, small) and (p.y < 0.0) == falls and evaluations < m.opt_ls_iterations:
        before = p
        p = evaluate_point(d, bounded, cones, slope, curve, newton_alpha(p))
        evaluations += 1
    if not is_flat(p, small) and evaluations < m.opt_ls_iterations:
        p = shrink_bracket(m, d, bounded, cones, slope, curve, small, p, before, evaluations)
    return p.x, is_flat(p, small)


@kernel
def shrink_bracket(m, d, bounded: int, cones: int, slope, curve, small, one, two, evaluations: int):
    """A flat point inside a bracket, or its midpoint where no candidate is nearer.

    one, two: ends of the bracket, with slopes of opposite sign;  evaluations: number so far. When
    they run out: the end with the lower cost, or alpha = 0 if both cost more than the start.
    """
    from_one, from_two = evaluate_point(d, bounded, cones, slope, curve, newton_alpha(one)), one
    evaluations += 1
    while evaluations < m.opt_ls_iterations:
        if is_flat(from_one, small):
            return from_one
        if is_flat(from_two, small):
            return from_two
        middle = evaluate_point(d, bounded, cones, slope, curve, 0.5 * (one.x + two.x))
        evaluations += 1
        next_one = less_steep_point(
            less_steep_point(less_steep_point(one, from_one), from_two), middle
        )
        next_two = less_steep_point(
            less_steep_point(less_steep_point(two, from_one), from_two), middle
        )
        if is_flat(middle, small) or (next_one.x == one.x and next_two.x == two.x):
            return middle
        if next_one.x != one.x:
            one = next_one
            from_one = evaluate_point(d, bounded, cones, slope, curve, newton_alpha(one))
            evaluations += 1
        if next_two.x != two.x:
            two = next_two
            from_two = evaluate_point(d, bounded, cones, slope, curve, newton_alpha(two))
            evaluations += 1
    gain = cost_decrease(d, bounded, cones, slope, curve, one.x)
    other = cost_decrease(d, bounded, cones, slope, curve, two.x)
    if max(gain, other) > 0.0:
        return select(gain >= other, one, two)
    return vec3(0.0, one.y, one.z)
