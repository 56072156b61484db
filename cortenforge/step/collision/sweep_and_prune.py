"""Broad phase by sweep and prune: candidates whose bounding spheres overlap.

Spheres are sorted by their lower ends x_i - r_i along the axis of largest variance,
sum(x^2)/n - (sum(x)/n)^2; each is tested against those whose lower end is below its upper one,
sixteen at a time: |p_j - p_i|^2 <= (r_i + r_j)^2. Insertion sort starts from the last order, which
decides its time and nothing else. A few geoms are not sorted but tested against all that follow;
where most trees sleep, only awake geoms are tested against all others. Overlaps are marked by a bit
of the candidate, so that the stage takes candidates in the order of the list. Where pairs are too
many to be listed, the contact filter is applied to those that overlap.

Sources: Baraff, "Dynamic simulation of non-penetrating rigid bodies", PhD thesis, Cornell, 1992;
Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE", I3D 1995; MuJoCo: Computation, "Selection" (which sorts
along the principal axis of the covariance).
"""

from __future__ import annotations

from cortenforge.fields.data_contact import NNEARMAX
from cortenforge.kernel import bit, kernel, lowest_bit, select, vec3, without_lowest
from cortenforge.step.collision.axes import geom_z_axis
from cortenforge.step.collision.bounding_spheres import sphere_meets_plane, spheres_overlap
from cortenforge.step.collision.candidates import passes_contact_filter, unlisted_pair_number
from cortenforge.step.collision.near_bits import set_near_bit
from cortenforge.step.constants import WITH_SLEEP
from cortenforge.step.sleeping.sleep_constants import AWAKE
from cortenforge.step.sleeping.sleep_state import body_sleep_state
from cortenforge.step.status import need

#: relative slack of upper ends, so that rounding loses no pair
SWEEP_SLACK = 1e-6
#: spheres tested together, in vector registers
SPHERE_BLOCK = 16
#: up to so many words of marks are kept in registers
REGISTER_WORDS = 4
#: words behind those of the candidates, for marks of pairs that cannot collide
SPARE_WORDS = 8
#: with more geoms than this for each awake tree, only geoms of awake trees are swept
GEOMS_PER_AWAKE_TREE = 8


@kernel(unit=True)
def broad_phase(m, d):
    """Mark the candidates whose bounding spheres overlap.  Mirrors mj_broadphase."""
    if m.nnearword + SPARE_WORDS + SPHERE_BLOCK > d.nnearmax:
        need(d, NNEARMAX, m.nnearword + SPARE_WORDS + SPHERE_BLOCK)
    else:
        for w in range(m.nnearword):
            d.near_word[w] = bit(0) ^ bit(0)
        mark_planes_and_pairs(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0 and GEOMS_PER_AWAKE_TREE * d.movers < m.nswept:
            mark_overlaps_of_awake(m, d)
        elif m.swept_sorted == 1:
            write_block_masks(m, d)
            sort_geoms_along(m, d, axis_of_largest_variance(m, d))
            mark_sorted_overlaps(m, d)
        else:
            mark_all_overlaps(m, d)


@kernel
def mark_planes_and_pairs(m, d):
    """Test candidates that no sweep finds: with planes, and explicit pairs by their margins."""
    plane = -1
    normal = vec3(0.0, 0.0, 0.0)
    origin = normal
    for k in range(m.nalways):
        p = m.always_candidate[k]
        if m.candidate_pair[p] >= 0:
            if spheres_overlap(m, d, p, m.candidate_geom[p, 0], m.candidate_geom[p, 1]):
                set_near_bit(d, p)
        else:
            g1 = m.candidate_geom[p, 0]
            g2 = m.candidate_geom[p, 1]
            if m.opt_enableflags & WITH_SLEEP != 0 and not any_geom_awake(m, d, g1, g2):
                continue
            if g1 != plane:
                # it stays in registers for all that are above it
                plane = g1
                normal = geom_z_axis(d, g1)
                origin = d.geom_xpos[g1]
            if sphere_meets_plane(d, g1, g2, d.geom_xpos[g2] - origin, normal):
                set_near_bit(d, p)


@kernel
def any_geom_awake(m, d, one: int, other: int):
    """Whether one of two geoms is of an awake body."""
    first, second = m.geom_bodyid[one], m.geom_bodyid[other]
    return body_sleep_state(m, d, first) == AWAKE or body_sleep_state(m, d, second) == AWAKE


@kernel
def axis_of_largest_variance(m, d):
    """The axis along which the geoms' centres have the largest variance: 0, 1 or 2."""
    total = vec3(0.0, 0.0, 0.0)
    squares = vec3(0.0, 0.0, 0.0)
    for k in range(m.nswept):
        pos = d.geom_xpos[m.swept_geom[k]]
        total = total + pos
        squares = squares + vec3(pos.x * pos.x, pos.y * pos.y, pos.z * pos.z)
    x = squares.x * m.nswept - total.x * total.x
    y = squares.y * m.nswept - total.y * total.y
    z = squares.z * m.nswept - total.z * total.z
    if x >= y and x >= z:
        return 0
    return 1 if y >= z else 2


@kernel
def sort_geoms_along(m, d, axis: int):
    """Sort geoms by the lower ends of their spheres along an axis: insertion sort."""
    if d.swept != m.nswept:
        d.swept = m.nswept
        for k in range(m.nswept):
            d.sweep_order[k] = k
    for k in range(m.nswept):
        place = d.sweep_order[k]
        g = m.swept_geom[place]
        low = d.geom_xpos[g, axis] - d.geom_reach[g]
        at = k
        while at > 0 and d.sweep_low[max(at - 1, 0)] > low:
            d.sweep_low[at] = d.sweep_low[at - 1]
            d.sweep_order[at] = d.sweep_order[at - 1]
            at -= 1
        d.sweep_low[at] = low
        d.sweep_order[at] = place
    for k in range(m.nswept):
        write_sweep_sphere(m, d, k, m.swept_geom[d.sweep_order[k]])


@kernel
def write_sweep_sphere(m, d, k: int, g: int):
    """Write a geom's sphere as the k-th, components in separate arrays for vector loads."""
    centre = d.geom_xpos[g]
    d.sweep_x[k] = centre.x
    d.sweep_y[k] = centre.y
    d.sweep_z[k] = centre.z
    d.sweep_reach[k] = d.geom_reach[g]


@kernel
def overlaps_in_block(d, i: int, first: int, low: int):
    """Which spheres of a block of sixteen overlap the i-th, as bits from the `low`-th on."""
    x = d.sweep_x[i]
    y = d.sweep_y[i]
    z = d.sweep_z[i]
    reach = d.sweep_reach[i]
    none = bit(0) ^ bit(0)
    bits = none
    for k in range(SPHERE_BLOCK):
        at = first + k
        dx = d.sweep_x[at] - x
        dy = d.sweep_y[at] - y
        dz = d.sweep_z[at] - z
        far = d.sweep_reach[at] + reach
        bits = bits | select(dx * dx + dy * dy + dz * dz <= far * far, bit(low + k), none)
    return bits


@kernel
def write_block_masks(m, d):
    """Write masks behind the marks: mask k clears the first k bits of a block.

    The last block of a row starts earlier than it should, so that it is a whole one.
    """
    mask = ~(bit(0) ^ bit(0))
    for k in range(SPHERE_BLOCK):
        d.near_word[m.nnearword + SPARE_WORDS + k] = mask
        mask = mask ^ bit(k)


@kernel
def overlapping_followers(m, d, i: int):
    """Which of the following geoms overlap the i-th and may collide, as bits of one word."""
    bits = bit(0) ^ bit(0)
    place = i + 1
    while place < m.nswept:
        first = min(place, m.nswept - SPHERE_BLOCK)
        bits = bits | overlaps_in_block(d, i, first, first)
        place += SPHERE_BLOCK
    return bits & m.swept_word[i]


@kernel
def mark_all_overlaps(m, d):
    """Test each geom against all that follow."""
    for k in range(m.nswept):
        write_sweep_sphere(m, d, k, m.swept_geom[k])
    if m.nnearword <= REGISTER_WORDS:
        mark_in_registers(m, d)
    else:
        for i in range(m.nswept):
            bits = overlapping_followers(m, d, i)
            while bits != 0:
                set_near_bit(d, m.candidate_at[i * m.nswept + lowest_bit(bits)])
                bits = without_lowest(bits)


@kernel
def mark_in_registers(m, d):
    """The same with up to four words of marks in registers, which avoids stalls of stores."""
    none = bit(0) ^ bit(0)
    first, second, third, fourth = none, none, none, none
    for i in range(m.nswept):
        bits = overlapping_followers(m, d, i)
        while bits != 0:
            p = m.candidate_at[i * m.nswept + lowest_bit(bits)]
            bits = without_lowest(bits)
            first = first | select(p >> 6 == 0, bit(p & 63), none)
            second = second | select(p >> 6 == 1, bit(p & 63), none)
            third = third | select(p >> 6 == 2, bit(p & 63), none)
            fourth = fourth | select(p >> 6 == 3, bit(p & 63), none)
    d.near_word[0] = d.near_word[0] | first
    d.near_word[1] = d.near_word[1] | second
    d.near_word[2] = d.near_word[2] | third
    d.near_word[3] = d.near_word[3] | fourth


@kernel
def mark_sweep_pair(m, d, i: int, j: int):
    """Mark the pair of the i-th and the j-th geom of the sweep, if it passes the filter."""
    if m.unlisted_shift == 0:
        set_near_bit(d, m.candidate_at[i * m.nswept + j])
    elif i != j and passes_contact_filter(m, m.swept_geom[i], m.swept_geom[j]):
        set_near_bit(d, unlisted_pair_number(m, i, j))


@kernel
def mark_overlaps_of_awake(m, d):
    """Test each awake geom against all others."""
    for k in range(m.nswept):
        write_sweep_sphere(m, d, k, m.swept_geom[k])
    for i in range(m.nswept):
        if any_geom_awake(m, d, m.swept_geom[i], m.swept_geom[i]):
            place = 0
            while place < m.nswept:
                first = min(place, m.nswept - SPHERE_BLOCK)
                bits = overlaps_in_block(d, i, first, 0)
                while bits != 0:
                    mark_sweep_pair(m, d, i, first + lowest_bit(bits))
                    bits = without_lowest(bits)
                place += SPHERE_BLOCK


@kernel
def mark_sorted_overlaps(m, d):
    """Test each geom against those whose lower end is below its upper end."""
    masks = m.nnearword + SPARE_WORDS
    for i in range(m.nswept):
        end = d.sweep_low[i] + (2.0 + SWEEP_SLACK) * d.sweep_reach[i]
        place = i + 1
        while place < m.nswept and not d.sweep_low[min(place, m.nswept - 1)] > end:
            first = min(place, m.nswept - SPHERE_BLOCK)
            bits = overlaps_in_block(d, i, first, 0) & d.near_word[masks + place - first]
            while bits != 0:
                mark_sweep_pair(m, d, d.sweep_order[i], d.sweep_order[first + lowest_bit(bits)])
                bits = without_lowest(bits)
            place += SPHERE_BLOCK
