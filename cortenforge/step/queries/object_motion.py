"""Spatial velocity and acceleration of single objects: bodies, geoms, sites, cameras.

The equations are in `position.objects`. Source: MuJoCo: API reference, mj_objectVelocity and
mj_objectAcceleration.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.spatial import angular, linear, spatial_of
from cortenforge.math.vector import into_frame
from cortenforge.step.position.objects import (
    acceleration_of_object,
    object_axes,
    velocity_of_object,
)


@kernel(lanes=True, unit=True)
def object_velocity(m, d, kind: int, number: int, local: int):
    """query_motion: velocity of an object, in world or local axes.  Mirrors mj_objectVelocity."""
    d.query_motion = in_object_axes(d, kind, number, local, velocity_of_object(m, d, kind, number))


@kernel(lanes=True, unit=True)
def object_acceleration(m, d, kind: int, number: int, local: int):
    """query_motion: acceleration of an object, in world or local axes.

    Mirrors mj_objectAcceleration.
    """
    d.query_motion = in_object_axes(
        d, kind, number, local, acceleration_of_object(m, d, kind, number)
    )


@kernel(lanes=True)
def in_object_axes(d, kind: int, number: int, local: int, motion):
    """A spatial motion in world axes, or in the object's axes if `local`."""
    if local != 0:
        axes = object_axes(d, kind, number)
        motion = spatial_of(into_frame(axes, angular(motion)), into_frame(axes, linear(motion)))
    return motion
