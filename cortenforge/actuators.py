"""Actuators, a row each: transmissions, dynamics, gains, biases, and the elements of MJCF.

    force = gain(length, velocity) u + bias(length, velocity),    u: control, or activation

Enumerations, the grammar, the general form of shortcuts, activations of controllers, constants of
kernels, which derivatives have formulas, and the tables of docs/actuators.md follow from these
rows. See MuJoCo: Computation, "Actuation model".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any, Self

#: numbers of types of our own begin here; MJCF has no words for them
OWN_TYPES = 100


class ActivationSlot(IntFlag):
    """Activations of a controller, in their order: bits of `Model.actuator_slots`."""

    SLEW = 1 << 0
    INTEGRAL = 1 << 1
    HEAT = 1 << 2
    BRISTLE = 1 << 3
    CURRENT = 1 << 4
    STRAIN = 1 << 5


class Transmission(IntEnum):
    """mjtTrn: what an actuator acts on. Rows are in the order of MJCF's attributes:

    number | attribute that names the target | that names a second one | type of both | meaning
    """

    attribute: str
    second: str
    target: str
    meaning: str

    JOINT = "          0 | joint         |            | joint  | A joint; of a ball or free joint, `gear` is an axis in the child's frame."
    JOINTINPARENT = "  1 | jointinparent |            | joint  | A joint; of a ball or free joint, `gear` is an axis in the parent's frame."
    TENDON = "         3 | tendon        |            | tendon | A tendon, along its length."
    SLIDERCRANK = "    2 | cranksite     | slidersite | site   | A crank: a rod of `cranklength` joins it to a slider on the z axis of `slidersite`."
    SITE = "           4 | site          | refsite    | site   | A site, by a wrench `gear` in its frame, or in the frame of `refsite`."
    BODY = "           5 | body          |            | body   | Contacts of a body, along their normals."
    SO3 = "            6 |               |            | joint  | The rotation of a ball joint, or of a site relative to `refsite`: three outputs, of gain so3."

    def __new__(cls, row: Any) -> Transmission:
        number, *cells = (cell.strip() for cell in row.split("|"))
        member = int.__new__(cls, int(number))
        member._value_ = int(number)
        member.attribute, member.second, member.target, member.meaning = cells
        return member


class ActuatorType(IntEnum):
    """A type of dynamics, gain or bias, made from a row.

    parameters: names of the numbers in dynprm, gainprm or biasprm, in their order.
    formulas:   what its derivatives are by that are zero or have formulas (`derive`).
    """

    parameters: tuple[str, ...]
    formulas: frozenset[str]
    mark: str
    meaning: str

    def __new__(cls, row: Any) -> Self:
        number, *cells = (cell.strip() for cell in row.split("|"))
        member = int.__new__(cls, int(number))
        member._value_ = int(number)
        member.parameters, member.formulas = tuple(cells[0].split()), frozenset(cells[1].split())
        member.mark, member.meaning = cells[2:]
        return member

    @property
    def word(self) -> str:
        """Its name in MJCF, and in general forms."""
        return self.name.lower()


class ForceType(ActuatorType):
    """A type of gain or bias."""

    @property
    def damping(self) -> str:
        """How it depends on velocity: "", "linear" or "varied"."""
        return self.mark


class Gain(ForceType):
    """mjtGain: how control or activation becomes force; from 100 on, kinds of our own.

    number | gainprm | formulas by | damping | meaning
    """

    FIXED = "      0 | gain                   | length velocity input |        | gain u"
    AFFINE = "     1 | constant kp kv         | length velocity input | linear | (constant + kp length + kv velocity) u"
    MUSCLE = "     2 | low high force scale lmin lmax vmax fpmax fvmax | length velocity input | varied | Active force of a muscle: force-length and force-velocity curves."
    DCMOTOR = "    3 | resistance motorconst alpha reference kp ki kd vmax | length                | varied | Torque of the current, from a voltage or a controller."
    SO3 = "        4 | kp                     | length                | varied | kp times the rotation vector to the setpoint."
    PID = "        5 | ki                     | length                |        | kp and kv of the bias times setpoints, plus ki times the integral of the error."
    USER = "       6 |                        |                       | varied | The callback `act_gain`, times u."
    HILL = "     100 | fmax lopt slack pennation vmax lmin lmax fvmax strain offset | length                | varied | Fibres with pennation in series with a tendon."
    PIDPLUGIN = "101 | kp ki kd imax slewmax  |                       | varied | MuJoCo's plugin `mujoco.pid`."


class Bias(ForceType):
    """mjtBias: force that does not depend on the control; from 100 on, kinds of our own.

    number | biasprm | formulas by | damping | meaning
    """

    NONE = "     0 |                        | input |        | 0"
    AFFINE = "   1 | constant kp kv         | input | linear | constant + kp length + kv velocity"
    MUSCLE = "   2 | low high force scale lmin lmax vmax fpmax fvmax | input | varied | Passive force of a muscle: force-length curve."
    DCMOTOR = "  3 | amplitude poles phase coulomb static stribeck |       | varied | Cogging and LuGre friction."
    SO3 = "      4 | constant kp kv         |       | varied | constant + kv velocity, for each of three torques"
    USER = "     5 |                        |       | varied | The callback `act_bias`."
    HILL = "   100 | fpstrain fibredamping  |       | varied | Passive force and damping of fibres."


class Dynamics(ActuatorType):
    """mjtDyn: how an actuator's activation follows its control; from 100 on, kinds of our own.

    number | dynprm | formulas by | slots | meaning

    slots: activations that there are if a parameter of the dynamics, or of the gain of the same
    name, is positive.
    """

    NONE = "         0 |                           | position velocity input |                          | No activation: u = ctrl"
    INTEGRATOR = "   1 |                           | position velocity input |                          | act_dot = ctrl"
    FILTER = "       2 | timeconst                 | position velocity input |                          | act_dot = (ctrl - act) / timeconst"
    FILTEREXACT = "  3 | timeconst                 | position velocity input |                          | act_dot = (ctrl - act) / timeconst, integrated exactly"
    MUSCLE = "       4 | tauact taudeact tausmooth | position velocity input |                          | A filter with two time constants, of activation and of deactivation."
    DCMOTOR = "      5 | timeconst maxrate rth cth ambient stiffness damping slewmax imax |                         | slew:slewmax integral:ki heat:rth bristle:stiffness current:timeconst | Slewed setpoint, integral, temperature, bristles and current of a DC motor."
    PID = "          6 | imax slewmax              |                         | slew:slewmax integral:ki | Slewed setpoint and integral of a PID controller."
    USER = "         7 |                           | velocity                |                          | The callback `act_dyn`."
    HILL = "       100 | tauact taudeact minact    |                         | strain:strain            | A filter with two time constants; the strain of an elastic tendon."

    @property
    def slots(self) -> Iterator[tuple[ActivationSlot, str, int]]:
        """Activations by parameters: each with the array and the place of its parameter."""
        for pair in self.mark.split():
            slot, _, name = pair.partition(":")
            in_gain = name not in self.parameters
            names = Gain[self.name].parameters if in_gain else self.parameters
            array = "gainprm" if in_gain else "dynprm"
            yield ActivationSlot[slot.upper()], array, names.index(name)


def mjcf_words(kinds: type[ActuatorType]) -> str:
    """The words of MJCF for types of dynamics, gain or bias."""
    return " ".join(kind.word for kind in kinds if kind < OWN_TYPES)


@dataclass(frozen=True)
class ActuatorElement:
    """An actuator of MJCF: the general one, or a shortcut for it.

    gain, bias, dynamics: words of its types; parameters may ask for other dynamics.
    targets:              what it can act on.
    """

    tag: str
    gain: str
    bias: str
    dynamics: str
    targets: tuple[Transmission, ...]
    meaning: str


#: MJCF's actuators: tag | gain | bias | dynamics | acts on | meaning
ELEMENTS = """
general     | fixed     | none    | none       | joint jointinparent tendon cranksite site body | Any gain, bias and dynamics.
motor       | fixed     | none    | none       | joint jointinparent tendon cranksite site      | force = ctrl
position    | fixed     | affine  | none       | joint jointinparent tendon cranksite site      | force = kp (ctrl - length) - kv velocity; with `timeconst`, a filterexact of ctrl.
velocity    | fixed     | affine  | none       | joint jointinparent tendon cranksite site      | force = kv (ctrl - velocity)
intvelocity | fixed     | affine  | integrator | joint jointinparent tendon cranksite site      | A position servo; ctrl is the velocity of its setpoint.
orientation | so3       | so3     | none       | joint site                                     | A servo of an orientation, which is a rotation vector or a quaternion.
pid         | pid       | affine  | none       | joint jointinparent tendon cranksite site      | A PID controller with setpoints of position and velocity, and feedforward; with `ki` or `slewmax`, of dynamics pid.
damper      | affine    | none    | none       | joint jointinparent tendon cranksite site      | force = -kv velocity ctrl
cylinder    | fixed     | affine  | filter     | joint jointinparent tendon cranksite site      | A pneumatic or hydraulic cylinder: area times filtered pressure, plus a bias.
muscle      | muscle    | muscle  | muscle     | joint jointinparent tendon cranksite           | MuJoCo's muscle.
hillmuscle  | hill      | hill    | hill       | joint jointinparent tendon cranksite           | A Hill muscle with pennation and an elastic tendon, [of our own](mjcf.md#of-our-own-actuatorhillmuscle).
pidplugin   | pidplugin | none    | none       | joint jointinparent tendon cranksite site      | MuJoCo's plugin `mujoco.pid`, with any dynamics.
adhesion    | fixed     | none    | none       | body                                           | Pulls at the contacts of a body with a force of gain ctrl in all.
dcmotor     | dcmotor   | dcmotor | dcmotor    | joint jointinparent tendon cranksite site      | A DC motor, by its data sheet.
"""


def _element(row: str) -> ActuatorElement:
    *words, targets, meaning = (cell.strip() for cell in row.split("|"))
    known = {kind.attribute: kind for kind in Transmission}
    tag, gain, bias, dynamics = words
    found = tuple(known[word] for word in targets.split())
    return ActuatorElement(tag, gain, bias, dynamics, found, meaning)


#: by tag, in the order of the rows
ACTUATOR_ELEMENTS = {
    one.tag: one for one in (_element(row) for row in ELEMENTS.strip().splitlines())
}
