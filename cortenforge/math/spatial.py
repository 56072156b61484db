"""Spatial algebra about a tree's centre of mass: six-vectors, angular part first.

    v x m = (w x m_a,  w x m_l + u x m_a)            motion,  v = (w, u)
    v x* f = (w x f_a + u x f_l,  w x f_l)           force
    I v = (J w + h x u,  m u - h x w),   h = m c

    at an offset r from the origin: motion u + w x r;  a force f there is (t + r x f, f)

J is the rotational inertia about the origin, c the centre of mass. Source: Featherstone, "Rigid
Body Dynamics Algorithms", 2008, chapter 2.
"""

from __future__ import annotations

from cortenforge.kernel import inertia, kernel, spatial, vec3
from cortenforge.math.vector import cross


@kernel(lanes=True)
def angular(s):
    """Angular part."""
    return vec3(s.ax, s.ay, s.az)


@kernel(lanes=True)
def linear(s):
    """Linear part."""
    return vec3(s.lx, s.ly, s.lz)


@kernel(lanes=True)
def spatial_of(ang, lin):
    """A spatial vector from its two parts."""
    return spatial(ang.x, ang.y, ang.z, lin.x, lin.y, lin.z)


@kernel(lanes=True)
def linear_at(motion, offset):
    """Linear part of a motion at an offset from the origin: u + w x r."""
    return linear(motion) + cross(angular(motion), offset)


@kernel(lanes=True)
def spatial_dot(motion, force):
    """Scalar product of a motion and a force vector (power), or of any six-vectors."""
    return (
        motion.ax * force.ax
        + motion.ay * force.ay
        + motion.az * force.az
        + motion.lx * force.lx
        + motion.ly * force.ly
        + motion.lz * force.lz
    )


@kernel(lanes=True)
def cross_motion(v, s):
    """Spatial cross product of a velocity and a motion vector.  Mirrors mju_crossMotion."""
    return spatial(
        v.ay * s.az - v.az * s.ay,
        v.az * s.ax - v.ax * s.az,
        v.ax * s.ay - v.ay * s.ax,
        v.ay * s.lz - v.az * s.ly + v.ly * s.az - v.lz * s.ay,
        v.az * s.lx - v.ax * s.lz + v.lz * s.ax - v.lx * s.az,
        v.ax * s.ly - v.ay * s.lx + v.lx * s.ay - v.ly * s.ax,
    )


@kernel(lanes=True)
def cross_force(v, f):
    """Spatial cross product of a velocity and a force vector.  Mirrors mju_crossForce."""
    return spatial(
        v.ay * f.az - v.az * f.ay + v.ly * f.lz - v.lz * f.ly,
        v.az * f.ax - v.ax * f.az + v.lz * f.lx - v.lx * f.lz,
        v.ax * f.ay - v.ay * f.ax + v.lx * f.ly - v.ly * f.lx,
        v.ay * f.lz - v.az * f.ly,
        v.az * f.lx - v.ax * f.lz,
        v.ax * f.ly - v.ay * f.lx,
    )


@kernel(lanes=True)
def inertia_times_motion(i, v):
    """Spatial inertia times a motion vector: momentum.  Mirrors mju_mulInertVec."""
    return spatial(
        i.ixx * v.ax + i.ixy * v.ay + i.ixz * v.az - i.hz * v.ly + i.hy * v.lz,
        i.ixy * v.ax + i.iyy * v.ay + i.iyz * v.az + i.hz * v.lx - i.hx * v.lz,
        i.ixz * v.ax + i.iyz * v.ay + i.izz * v.az - i.hy * v.lx + i.hx * v.ly,
        i.hz * v.ay - i.hy * v.az + i.mass * v.lx,
        i.hx * v.az - i.hz * v.ax + i.mass * v.ly,
        i.hy * v.ax - i.hx * v.ay + i.mass * v.lz,
    )


@kernel(lanes=True)
def inertia_about(moments, axes, offset, mass):
    """Spatial inertia of a body about a point.

        J = R diag(moments) R^T + m (|c|^2 I - c c^T),   h = m c

    offset: c, from the point to the body's centre of mass.  Mirrors mju_inertCom.
    """
    r, p = axes, moments
    x, y, z = offset.x, offset.y, offset.z
    return inertia(
        r.xx * r.xx * p.x + r.xy * r.xy * p.y + r.xz * r.xz * p.z + mass * (y * y + z * z),
        r.yx * r.yx * p.x + r.yy * r.yy * p.y + r.yz * r.yz * p.z + mass * (x * x + z * z),
        r.zx * r.zx * p.x + r.zy * r.zy * p.y + r.zz * r.zz * p.z + mass * (x * x + y * y),
        r.xx * r.yx * p.x + r.xy * r.yy * p.y + r.xz * r.yz * p.z - mass * x * y,
        r.xx * r.zx * p.x + r.xy * r.zy * p.y + r.xz * r.zz * p.z - mass * x * z,
        r.yx * r.zx * p.x + r.yy * r.zy * p.y + r.yz * r.zz * p.z - mass * y * z,
        mass * x,
        mass * y,
        mass * z,
        mass,
    )


@kernel(lanes=True)
def force_about(force, offset):
    """Spatial force about the origin of a force that acts at an offset."""
    return spatial_of(cross(offset, force), force)


@kernel(lanes=True)
def wrench_about(force, torque, offset):
    """Spatial force about the origin of a force and a torque that act at an offset."""
    return spatial_of(torque + cross(offset, force), force)
