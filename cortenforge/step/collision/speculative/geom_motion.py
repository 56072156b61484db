"""Displacements of geoms within a step, by the velocities at its start.

    dx = h v,   dw = h w,   travel = |dx| + |dw| r

A geom is fast if its travel is larger than the least half size of its bounding box: it could pass
another one between two steps. Source: MuJoCo: Computation, "Speculative contacts".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, mat3, vec3
from cortenforge.math.rotation import axis_angle_quat, quat_to_matrix
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import MINVAL, norm
from cortenforge.step.collision.convex.obb import box_half_sizes
from cortenforge.step.constants import HFIELD, MESH, SPHERE
from cortenforge.step.position.com import motion_axes
from cortenforge.step.position.frames import static_geoms_may_differ
from cortenforge.step.position.objects import GEOM, velocity_of_object
from cortenforge.step.sleeping.body_runs import is_run_active, run_count
from cortenforge.step.velocity.com_velocity import com_velocity


@kernel(unit=True)
def set_geom_motions(m, d):
    """Displacements of all geoms, and which are fast; fast ones get a longer reach.

    A sphere's rotation moves none of its surface.
    """
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            motion_axes(m, d, run)
            com_velocity(m, d, run)
    if m.nstatic > 0 and not any_lane(static_geoms_may_differ(m, d)):
        for k in range(m.nmoving):
            set_geom_motion(m, d, m.moving_geom[k])
    else:
        for g in range(m.ngeom):
            set_geom_motion(m, d, g)


@kernel
def set_geom_motion(m, d, g: int):
    """The same of one geom.  Mirrors mjc_geomStepMotion."""
    velocity = velocity_of_object(m, d, GEOM, g)
    slide = linear(velocity) * m.opt_timestep
    spin = angular(velocity) * m.opt_timestep
    if m.geom_type[g] == SPHERE:
        spin = vec3(0.0, 0.0, 0.0)
    travel = norm(slide) + norm(spin) * m.geom_rbound[g]
    d.geom_slide[g] = slide
    d.geom_spin[g] = spin
    d.geom_travel[g] = travel
    d.geom_fast[g] = 0
    if HFIELD < m.geom_type[g] <= MESH and travel > smallest_component(box_half_sizes(m, g)):
        d.geom_fast[g] = 1
        d.geom_reach[g] += travel


@kernel
def smallest_component(v):
    """The smallest component."""
    return min(v.x, min(v.y, v.z))


@kernel
def position_at_time(d, g: int, time):
    """Position of a geom at a share of the step."""
    return d.geom_xpos[g] + d.geom_slide[g] * time


@kernel
def rotation_at_time(d, g: int, time):
    """Rotation matrix of a geom at a share of the step."""
    axes = d.geom_xmat[g]
    spin = d.geom_spin[g]
    speed = norm(spin)
    if speed > MINVAL:
        turn = quat_to_matrix(axis_angle_quat(spin * (1.0 / speed), speed * time))
        x = turn @ vec3(axes.xx, axes.yx, axes.zx)
        y = turn @ vec3(axes.xy, axes.yy, axes.zy)
        z = turn @ vec3(axes.xz, axes.yz, axes.zz)
        axes = mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)
    return axes
