"""Data fields that a step starts from: state and inputs."""

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
    act            | real         | na       |              | | Activations of actuators.
    history        | real         | nhistory |              | | Past controls and readings, with their times.
    qacc_warmstart | real constrained | nv   |              | | Acceleration of the last step: the solver's warm start.
    """,
)

INPUT: tuple[Field, ...] = table(
    "input",
    "input",
    """
    ctrl         | real | nu        |          | | Control.
    qfrc_applied | real | nv        | N or N m | | Applied generalized force.
    xfrc_applied | real | nbody 6   |          | | Force, then torque, applied at centres of mass.
    eq_active    | real | neq       |          | | 1 for active equalities, 0 for others.
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
        tree_asleep  | real | ntree | | | Awake if negative (counts quiet steps up to -1); else the next tree of its sleep cycle.
        """,
    ),
    # MuJoCo has poses of bodies in their place
    *table(
        "own",
        "state",
        """
        placed_qpos  | real | nq       | m or rad | | qpos for which bodies were placed, if trees may sleep.
        placed_mocap | real | nmocap 7 |          | | Mocap poses for which bodies were placed, if trees may sleep.
        resting_qfrc | real | nv       | N or N m | | qfrc_smooth of sleeping trees, as they fell asleep.
        resting_qacc | real | nv       | m/s2 or rad/s2 | | qacc_smooth of sleeping trees, as they fell asleep, in the metric of a step.
        resting_rate | real | na       |          | | act_dot of sleeping actuators.
        resting_read | real | nsensordata |       | | Readings of sleeping sensors.
        """,
    ),
)

#: MuJoCo has no such state
NOISE: tuple[Field, ...] = table(
    "noise",
    "state",
    """
    noise | real | nnoise | | | Seed of sensor noise, 0 for none, and number of the next draw.
    """,
)

#: the state again: how a step keeps it, and puts it back in a world that failed
STATE_ALIAS: tuple[Field, ...] = table(
    "whole state",
    "scratch",
    """
    state      | real alias | nstate | | step.pipeline | All values of the state, one after another.
    kept_state | real       | nstate | | step.pipeline | State at the start of the step.
    """,
)
