"""Data fields that a step starts from: the state, and what users put in."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: name | kind and marks | shape | unit | written by | what it is
STATE: tuple[Field, ...] = table(
    "state",
    "state",
    """
    time           | real hosted  |          | s            | | Simulation time.
    qpos           | real         | nq       | m or rad     | | Position.
    qvel           | real         | nv       | m/s or rad/s | | Velocity.
    act            | real         | na       |              | | Actuator activation.
    history        | real         | nhistory |              | | Past controls and readings, with their times.
    qacc_warmstart | real constrained | nv   |              | | Acceleration from which the solver starts.
    """,
)

INPUT: tuple[Field, ...] = table(
    "input",
    "input",
    """
    ctrl         | real | nu        |          | | Control.
    qfrc_applied | real | nv        | N or N m | | Applied generalized force.
    xfrc_applied | real | nbody 6   |          | | Force, then torque, applied at centres of mass.
    eq_active    | real | neq       |          | | 1 for equalities that hold, 0 for those that are off.
    mocap_pos    | vec3 | nmocap    | m        | | Position of mocap bodies.
    mocap_quat   | quat | nmocap    |          | | Orientation of mocap bodies.
    userdata     | real | nuserdata |          | | User numbers.
    """,
)

#: behind the inputs, as in MuJoCo's vector of everything that integration needs
PLASTIC: tuple[Field, ...] = table(
    "state",
    "state",
    """
    plastic | real | nplastic | m or rad | | Rest positions of springs that yield.
    """,
)

#: the state of sleep, which MuJoCo's vector leaves out
SLEEP: tuple[Field, ...] = (
    *table(
        "state",
        "state",
        """
        tree_asleep  | real | ntree | | | Negative: awake, quiet steps counted up to -1; else asleep, the next tree of those that fell asleep together.
        """,
    ),
    # MuJoCo has poses of bodies in their place
    *table(
        "own",
        "state",
        """
        placed_qpos  | real | nq       | m or rad | | Position for which bodies were placed, if trees may sleep.
        placed_mocap | real | nmocap 7 |          | | Mocap poses for which bodies were placed, if trees may sleep.
        resting_qfrc | real | nv       | N or N m | | qfrc_smooth of trees that sleep, as they fell asleep.
        resting_qacc | real | nv       | m/s2 or rad/s2 | | qacc_smooth of trees that sleep, as they fell asleep, in the metric of a step.
        resting_rate | real | na       |          | | act_dot of actuators that sleep.
        resting_read | real | nsensordata |       | | Readings of sensors that sleep.
        """,
    ),
)

#: MuJoCo has no such state
NOISE: tuple[Field, ...] = table(
    "noise",
    "state",
    """
    noise | real | nnoise | | | Seed of the noise of sensors, 0 for none, and the number of the next draw.
    """,
)

#: the state again: how a step keeps it, and puts it back in a world that failed
STATE_ALIAS: tuple[Field, ...] = table(
    "whole state",
    "scratch",
    """
    state      | real alias | nstate | | step.pipeline | All numbers of the state, one after another.
    kept_state | real       | nstate | | step.pipeline | The state from which the step started.
    """,
)
