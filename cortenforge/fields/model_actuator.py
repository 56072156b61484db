"""Model fields of actuators: transmission, dynamics, gain, bias, limits, history."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

ACTUATOR: tuple[Field, ...] = table(
    "actuator",
    "model",
    """
    actuator_trntype      | int           | nactuator                |          | Transmission (enums.Transmission).
    actuator_dyntype      | int           | nactuator                |          | Activation dynamics (enums.Dynamics).
    actuator_gaintype     | int           | nactuator                |          | Type of gain (enums.Gain).
    actuator_biastype     | int           | nactuator                |          | Type of bias (enums.Bias).
    actuator_ctrladr      | int           | nactuator                |          | Address of its controls in ctrl.
    actuator_ctrlnum      | int           | nactuator                |          | Number of controls.
    actuator_ctrlspec     | int           | nactuator                |          | Meaning of its controls, by type of gain.
    actuator_outadr       | int           | nactuator                |          | Address of its force outputs.
    actuator_outnum       | int           | nactuator                |          | Number of force outputs.
    actuator_actadr       | int           | nactuator                |          | Address of its activations in act, or -1.
    actuator_actnum       | int           | nactuator                |          | Number of activations.
    actuator_trnid        | int           | nactuator 2              |          | Joint, site, body or tendon; second site, or -1.
    actuator_cranklength  | real          | nactuator                | m        | Length of the connecting rod.
    actuator_dynprm       | real          | nactuator 10             |          | Parameters of the activation dynamics.
    actuator_gainprm      | real          | nactuator 10             |          | Parameters of the gain.
    actuator_biasprm      | real          | nactuator 10             |          | Parameters of the bias.
    actuator_actlimited   | byte editable | nactuator                |          | Whether the activation is limited.
    actuator_actrange     | real          | nactuator 2              |          | Limits of the activation.
    actuator_actearly     | byte editable | nactuator                |          | Whether the force follows from the next activation.
    actuator_history      | int           | nactuator 2              |          | Number of stored samples, and order of interpolation.
    actuator_historyadr   | int           | nactuator                |          | Address of its history, or -1.
    actuator_delay        | real          | nactuator                | s        | Delay of its controls.
    actuator_damping      | real          | nactuator                |          | Damping that it adds to its joint or tendon.
    actuator_dampingpoly  | real          | nactuator 2              |          | Quadratic and cubic damping coefficients that it adds.
    actuator_armature     | real          | nactuator                |          | Armature that it adds to its joint or tendon.
    actuator_group        | int editable  | nactuator                |          | Group for visibility and for disabling.
    actuator_user         | real          | nactuator nuser_actuator |          | User numbers.
    actuator_plugin       | int           | nactuator                |          | Plugin, or -1; not supported yet.
    actuator_forcelimited | byte editable | nactuator                |          | Whether the force is limited.
    actuator_forcerange   | real          | nactuator 2              | N or N m | Limits of the force.
    actuator_ctrllimited  | byte editable | nu                       |          | Whether the control is limited.
    actuator_ctrlrange    | real          | nu 2                     |          | Limits of the control.
    actuator_gear         | real          | nout 6                   |          | Scale of length and force, or wrench of a site.
    actuator_acc0         | real          | nout                     |          | Norm of the acceleration at qpos0 by a unit force.
    actuator_length0      | real          | nout                     | m or rad | Length of the transmission at qpos0.
    actuator_lengthrange  | real          | nout 2                   |          | Shortest and longest length of the transmission.
    """,
)
