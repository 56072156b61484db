"""Length ranges of actuators, according to `compiler/lengthrange`.

`model.methods.lengthrange` describes the simulation that finds a range where neither the file nor
limits give one.  Mirrors mj_setLengthRange.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from cortenforge.compile.wiring.actuators import CompiledActuator
from cortenforge.errors import MjcfError, UnsupportedFeature
from cortenforge.grammar.rules import RULES
from cortenforge.model import Model
from cortenforge.model.access.compiled import CompiledModel
from cortenforge.model.methods.lengthrange import (
    LengthRangeOptions,
    NoRangeError,
    Range,
    ranges_without_simulation,
    simulated_ranges,
    simulation_options,
)
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, keyword, number

REAL_OPTION_NAMES = (
    "accel",
    "maxforce",
    "timeconst",
    "timestep",
    "inttotal",
    "interval",
    "tolrange",
)


def set_length_ranges(
    actuators: list[CompiledActuator], model: CompiledModel, compiler: Element
) -> None:
    """Set actuator_lengthrange where the compiler's settings require it and the file has none."""
    options = _lengthrange_options(compiler)
    arrays = model.arrays
    found, unknown = ranges_without_simulation(arrays, range(len(actuators)), options)
    if unknown:
        found |= _simulated_ranges(actuators, unknown, model, options)
    for i, ends in found.items():
        arrays["actuator_lengthrange"][arrays["actuator_outadr"][i]] = ends


def _lengthrange_options(compiler: Element) -> LengthRangeOptions:
    usual = Element("lengthrange", compiler.where, fallback=RULES["lengthrange"].fallback)
    element = next(compiler.children_of("lengthrange"), usual)
    return LengthRangeOptions(
        mode=keyword(element, "mode"),
        useexisting=flag(element, "useexisting"),
        uselimit=flag(element, "uselimit"),
        **{name: number(element, name) for name in REAL_OPTION_NAMES},
    )


def _simulated_ranges(
    actuators: list[CompiledActuator],
    unknown: list[int],
    model: CompiledModel,
    options: LengthRangeOptions,
) -> dict[int, Range]:
    """Ranges of some actuators by simulation of the model as far as it is compiled."""
    changed = simulation_options(SimpleNamespace(**model.opt), options, everything=False)
    try:
        return simulated_ranges(Model(replace(model, opt=model.opt | changed)), unknown, options)
    except NoRangeError as error:
        raise _range_error(actuators[error.actuator], error.why) from error
    except UnsupportedFeature as error:
        why = f"is not supported yet with {'; '.join(error.features)}"
        raise _range_error(actuators[unknown[0]], why) from error


def _range_error(actuator: CompiledActuator, why: str) -> MjcfError:
    return actuator.element.error(
        f"the simulation of its length range {why}",
        "lengthrange",
        hint='give lengthrange="low high", or limits to the joints; see compiler/lengthrange',
    )
