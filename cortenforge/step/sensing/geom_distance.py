"""Geom distance sensors: distance, normal and nearest points of two geoms or bodies.

Source: MuJoCo: Computation, "Geom distance"; XML reference, sensor/distance.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.step.collision.convex.geom_distance import find_geom_distance
from cortenforge.step.collision.hfield.hfield_distance import hfield_distance
from cortenforge.step.constants import HFIELD, SDF
from cortenforge.step.position.objects import BODY
from cortenforge.step.sensing.readings import append_vector, apply_cutoff
from cortenforge.step.sensing.sensor_types import GEOMDIST, GEOMFROMTO, GEOMNORMAL
from cortenforge.step.status import warn
from cortenforge.step.statuses import WARN_DISTANCE


@kernel(unit=True)
def distance_sensors(m, d):
    """Nearest points of geoms and bodies within the cutoff.  Mirrors mj_sensorPos."""
    for i in range(m.nsensor):
        kind = m.sensor_type[i]
        if GEOMDIST <= kind <= GEOMFROMTO:
            dist, middle, normal = nearest_geoms_of_objects(m, d, i)
            at = m.sensor_adr[i]
            half = normal * (0.5 * dist)
            if kind == GEOMDIST:
                d.sensordata[at] = apply_cutoff(m, i, dist)
            elif kind == GEOMNORMAL:
                # from the first point to the second: reversed where geoms penetrate
                append_vector(d, at, normal if dist >= 0.0 else -normal)
            else:
                at = append_vector(d, at, middle - half)
                append_vector(d, at, middle + half)


@kernel
def nearest_geoms_of_objects(m, d, i: int):
    """Smallest distance between the geoms of two objects: (distance, midpoint, normal).

    In world axes; the distance is the cutoff if there is none below it.
    """
    first1, last1 = object_geom_range(m, m.sensor_objtype[i], m.sensor_objid[i])
    first2, last2 = object_geom_range(m, m.sensor_reftype[i], m.sensor_refid[i])
    least = m.sensor_cutoff[i]
    middle = vec3(0.0, 0.0, 0.0)
    normal = vec3(0.0, 0.0, 0.0)
    for g1 in range(first1, last1):
        for g2 in range(first2, last2):
            swapped = m.geom_type[g1] > m.geom_type[g2]
            one = g2 if swapped else g1
            other = g1 if swapped else g2
            # not for two planes or height fields, nor for SDFs, as in MuJoCo
            if HFIELD < m.geom_type[other] < SDF:
                geom_pair_distance(m, d, i, one, other)
                if d.found > 0 and d.found_dist[0] < least:
                    least = d.found_dist[0]
                    axes = d.geom_xmat[one]
                    middle = d.geom_xpos[one] + axes @ d.found_pos[0]
                    normal = axes @ (-d.found_normal if swapped else d.found_normal)
    return least, middle, normal


@kernel
def geom_pair_distance(m, d, i: int, one: int, other: int):
    """found_dist, found_pos, found_normal of two geoms; `one` has the lower geom type."""
    if m.nhfield > 0 and m.geom_type[one] == HFIELD:
        d.query_reach = m.sensor_cutoff[i]
        hfield_distance(m, d, one, other)
    else:
        late = find_geom_distance(m, d, one, other, m.sensor_cutoff[i])
        warn(d, WARN_DISTANCE, late, i, 1.0 * m.opt_ccd_iterations)


@kernel
def object_geom_range(m, kind: int, number: int):
    """Geoms of a body, or a single geom: (first, end)."""
    first = number
    count = 1
    if kind == BODY:
        first = m.body_geomadr[number]
        count = m.body_geomnum[number]
    return first, first + count
