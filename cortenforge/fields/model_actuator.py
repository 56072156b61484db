"""Model fields of actuators: transmission, dynamics, gain, bias, limits, history."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

ACTUATOR: tuple[Field, ...] = table(
    "actuator",
    "model",
    """
    actuator_trntype      | int           | nactuator                |          | What it acts on (enums.Transmission).
    actuator_dyntype      | int           | nactuator                |          | Dynamics of its activation (enums.Dynamics).
    actuator_gaintype     | int           | nactuator                |          | Type of gain (enums.Gain).
    actuator_biastype     | int           | nactuator                |          | Type of bias (enums.Bias).
    actuator_ctrladr      | int           | nactuator                |          | Where its controls start.
    actuator_ctrlnum      | int           | nactuator                |          | How many controls it has.
    actuator_ctrlspec     | int           | nactuator                |          | What its controls are, by type of gain.
    actuator_outadr       | int           | nactuator                |          | Where its force outputs start.
    actuator_outnum       | int           | nactuator                |          | How many force outputs it has.
    actuator_actadr       | int           | nactuator                |          | Where its activations start, or -1.
    actuator_actnum       | int           | nactuator                |          | How many activations it has.
    actuator_trnid        | int           | nactuator 2              |          | Joint, site, body or tendon; second site or -1.
    actuator_cranklength  | real          | nactuator                | m        | Length of the connecting rod.
    actuator_dynprm       | real          | nactuator 10             |          | Parameters of the dynamics.
    actuator_gainprm      | real          | nactuator 10             |          | Parameters of the gain.
    actuator_biasprm      | real          | nactuator 10             |          | Parameters of the bias.
    actuator_actlimited   | byte editable | nactuator                |          | Whether activation is limited.
    actuator_actrange     | real          | nactuator 2              |          | Lower and upper activation.
    actuator_actearly     | byte editable | nactuator                |          | Whether the next activation makes the force.
    actuator_history      | int           | nactuator 2              |          | Samples kept, and order of interpolation.
    actuator_historyadr   | int           | nactuator                |          | Where its history starts, or -1.
    actuator_delay        | real          | nactuator                | s        | Delay of its controls.
    actuator_damping      | real          | nactuator                |          | Damping it adds to its joint or tendon.
    actuator_dampingpoly  | real          | nactuator 2              |          | Quadratic and cubic damping it adds.
    actuator_armature     | real          | nactuator                |          | Inertia it adds to its joint or tendon.
    actuator_group        | int editable  | nactuator                |          | Group for visibility and for switching off.
    actuator_user         | real          | nactuator nuser_actuator |          | User numbers.
    actuator_plugin       | int           | nactuator                |          | Plugin, or -1; none yet.
    actuator_forcelimited | byte editable | nactuator                |          | Whether force is limited.
    actuator_forcerange   | real          | nactuator 2              | N or N m | Lower and upper force.
    actuator_ctrllimited  | byte editable | nu                       |          | Whether the control is limited.
    actuator_ctrlrange    | real          | nu 2                     |          | Lower and upper control.
    actuator_gear         | real          | nout 6                   |          | Scale of length and force, or axes of a wrench.
    actuator_acc0         | real          | nout                     |          | Acceleration at qpos0 from unit force.
    actuator_length0      | real          | nout                     | m or rad | Length of the transmission at qpos0.
    actuator_lengthrange  | real          | nout 2                   |          | Feasible lengths of the transmission.
    """,
)
