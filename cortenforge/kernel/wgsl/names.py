"""Names and numbers in WGSL."""

from __future__ import annotations

import math

import numpy as np

#: reserved words of WGSL, built-in functions, and names used in every shader
WORDS = """
alias break case const const_assert continue continuing default diagnostic discard else enable false
fn for if let loop override requires return struct switch true var while

abstract active as asm attribute auto await become cast catch class coherent column_major common
compile concept constexpr crate debugger decltype delete demote do enum explicit export extends
extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp
impl implements import inline instanceof interface layout lowp macro match mediump meta mod module
move mut mutable namespace new nil noexcept noinline nointerpolation null of operator package
packoffset pass patch pixelfragment precise precision premerge priv protected pub public readonly
ref regardless register reinterpret_cast require resource restrict self set shared sizeof smooth
snorm static static_cast std subroutine super target template this throw trait try type typedef
typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl
where with writeonly yield

array atomic bool f16 f32 i32 mat2x2 mat3x3 mat4x4 ptr sampler u32 vec2 vec3 vec4 bitcast all any
select abs acos asin atan atan2 ceil clamp cos cross degrees determinant distance dot exp exp2 floor
fma fract inverseSqrt length log log2 max min mix modf normalize pow radians reflect round sign sin
smoothstep sqrt step tan tanh transpose trunc

main world batch at turns loads model_loads stores data_real data_int model_real model_int
"""
RESERVED = frozenset(WORDS.split())
SMALLEST = float(np.finfo(np.float32).tiny)
LARGEST = float(np.finfo(np.float32).max)


def safe(name: str, taken: frozenset[str] | set[str] = RESERVED) -> str:
    """The name, followed by an underscore where it is reserved or taken in WGSL."""
    if name == "_":
        return "unused"
    own = name.startswith(("d_", "m_", "put_", "real_", "tuple_", "precise_", "spare_", "either_"))
    return f"{name}_" if own or name in RESERVED or name in taken else name


def real_literal(value: float) -> str:
    """A real constant, with enough digits for the same f32.

    Constants below the smallest normal f32 become that number: they are thresholds ("is this length
    zero?"), and devices may flush smaller ones to zero, so that a guarded division would divide by
    zero.
    """
    if math.isnan(value) or math.isinf(value):
        raise ValueError(f"{value!r} cannot be written as a constant")
    if value != 0.0 and abs(value) < SMALLEST:
        value = math.copysign(SMALLEST, value)
    if abs(value) > LARGEST:
        value = math.copysign(LARGEST, value)
    text = repr(float(value))
    return text if any(mark in text for mark in ".e") else f"{text}.0"


def fits_single(value: float) -> bool:
    """Whether a constant has a normal f32 close to it."""
    return value == 0.0 or SMALLEST <= abs(value) <= LARGEST
