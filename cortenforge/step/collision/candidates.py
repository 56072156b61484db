"""Candidate pairs by number, and the contact filter.

Numbers: listed pairs first; then pairs of two geoms of the sweep, for models with too many pairs to
list, as a code of both; then pairs of a moving and a static geom. Listed pairs passed the filter
when the model was made, others are filtered when they come near:

    (contype1 & conaffinity2) | (contype2 & conaffinity1) != 0
    different weld groups, not parent and child unless the parent is the world, at least one moves
    no <exclude> of the two bodies, no explicit <pair> of the two geoms

Source: MuJoCo: Computation, "Selection".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import NO_FILTERPARENT


@kernel(lanes=True)
def unlisted_geom(m, p: int, which: int):
    """Geom 0 or 1 (`which`) of a pair that is not listed; the lower type is first."""
    if m.nstatic > 0 and p >= m.static_first:
        code = p - m.static_first
        moving = m.moving_geom[code & (m.static_stride - 1)]
        static = m.static_geom[code >> m.static_shift]
        one = min(moving, static)
        other = max(moving, static)
    else:
        code = p - m.ncandidate
        one = m.swept_geom[code >> m.unlisted_shift]
        other = m.swept_geom[code & (m.unlisted_stride - 1)]
    swapped = 1 if m.geom_type[one] > m.geom_type[other] else 0
    return other if swapped != which else one


@kernel(lanes=True)
def unlisted_pair_number(m, i: int, j: int):
    """Number of an unlisted pair, by both geoms' places in the sweep."""
    return m.ncandidate + min(i, j) * m.unlisted_stride + max(i, j)


@kernel(lanes=True)
def static_pair_number(m, j: int, k: int):
    """Number of the pair of the j-th moving geom and the k-th static one."""
    return m.static_first + k * m.static_stride + j


@kernel(lanes=True)
def first_geom(m, p: int):
    """The first geom of a pair."""
    return m.candidate_geom[p, 0] if p < m.ncandidate else unlisted_geom(m, p, 0)


@kernel(lanes=True)
def second_geom(m, p: int):
    """The second geom of a pair."""
    return m.candidate_geom[p, 1] if p < m.ncandidate else unlisted_geom(m, p, 1)


@kernel(lanes=True)
def explicit_pair(m, p: int):
    """The explicit `<pair>` that a candidate comes from, or -1."""
    return m.candidate_pair[p] if m.npair > 0 and p < m.ncandidate else -1


@kernel(lanes=True)
def pair_family(m, p: int, g1: int, g2: int):
    """Family of a pair: the place of its narrow-phase kernel in the table `FAMILIES`."""
    listed = p < m.ncandidate
    return m.candidate_family[p] if listed else m.type_family[m.geom_type[g1], m.geom_type[g2]]


@kernel(lanes=True)
def passes_contact_filter(m, g1: int, g2: int):
    """Whether two geoms pass the contact filter, and no explicit pair has them.

    Mirrors mj_collideGeomPair. `model/changes/candidates.py` applies the same filter to make the
    list.
    """
    a = m.geom_bodyid[g1]
    b = m.geom_bodyid[g2]
    geoms = (
        m.geom_contype[g1] & m.geom_conaffinity[g2] | m.geom_contype[g2] & m.geom_conaffinity[g1]
    )
    bodies = m.body_contype[a] & m.body_conaffinity[b] | m.body_contype[b] & m.body_conaffinity[a]
    return (
        geoms != 0
        and bodies != 0
        and bodies_may_collide(m, m.body_weldid[a], m.body_weldid[b])
        and not bodies_are_excluded(m, min(a, b), max(a, b))
        and not has_explicit_pair(m, g1, g2)
    )


@kernel(lanes=True)
def bodies_may_collide(m, a: int, b: int):
    """Whether two weld groups may collide: one moves, and they are not parent and child.

    a, b: the bodies that stand for the groups, which must differ. Children of the world may
    collide with it.
    """
    related = False
    if m.opt_disableflags & NO_FILTERPARENT == 0 and a != 0 and b != 0:
        related = a == m.body_weldid[m.body_parentid[b]] or b == m.body_weldid[m.body_parentid[a]]
    return a != b and not related and m.body_dofnum[a] + m.body_dofnum[b] > 0


@kernel(lanes=True)
def bodies_are_excluded(m, a: int, b: int):
    """Whether an `<exclude>` names two bodies, a being the lower one."""
    found = False
    for k in range(m.nexclude):
        found = found or m.exclude_signature[k] == a * 65536 + b
    return found


@kernel(lanes=True)
def has_explicit_pair(m, g1: int, g2: int):
    """Whether an explicit `<pair>` names two geoms."""
    found = False
    for k in range(m.npair):
        one = m.pair_geom1[k]
        other = m.pair_geom2[k]
        found = found or (one == g1 and other == g2) or (one == g2 and other == g1)
    return found
