"""Functions of reals whose accuracy WGSL does not guarantee.

WGSL allows an error of 2^-11 in sine and cosine and of 4096 units in the last place in arc
tangents, does not define comparisons, `min` and `max` for nan, and lets compilers assume that there
are no nans. So these functions are written out: polynomials (those of Cephes) accurate to about one
unit in the last place, and nan tests on the bits of a number.

A precise real is a vec2: an f32 and its rounding error (Dekker, Knuth). Compilers may replace `(a +
b) - a` by `b`, so intermediate sums pass through `precise_opaque`, which cannot be optimised away.
"""

from __future__ import annotations

from cortenforge.kernel.wgsl.types import Type

#: name -> names it calls, WGSL text
FUNCTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "real_is_nan": (
        (),
        """\
fn real_is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}""",
    ),
    "real_max": (
        ("real_is_nan",),
        """\
fn real_max(a: f32, b: f32) -> f32 {
  return select(max(a, b), a + b, real_is_nan(a) || real_is_nan(b));
}""",
    ),
    "real_min": (
        ("real_is_nan",),
        """\
fn real_min(a: f32, b: f32) -> f32 {
  return select(min(a, b), a + b, real_is_nan(a) || real_is_nan(b));
}""",
    ),
    "real_unordered": (
        ("real_is_nan",),
        """\
fn real_unordered(a: f32, b: f32) -> bool {
  return real_is_nan(a) || real_is_nan(b);
}""",
    ),
    "real_mark_nonzero": (
        (),
        """\
fn real_mark_nonzero(mark: f32, number: f32) -> f32 {
  return select(1.0, mark, bitcast<u32>(number) == 0u);
}""",
    ),
    "real_is_unmarked": (
        (),
        """\
fn real_is_unmarked(mark: f32) -> bool {
  return mark == 0.0;
}""",
    ),
    "word_bit": (
        (),
        """\
fn word_bit(place: i32) -> vec2<u32> {
  let one = 1u << u32(place & 31);
  return select(vec2<u32>(0u, one), vec2<u32>(one, 0u), place < 32);
}""",
    ),
    "word_lowest": (
        (),
        """\
fn word_lowest(w: vec2<u32>) -> i32 {
  return select(i32(firstTrailingBit(w.y)) + 32, i32(firstTrailingBit(w.x)), w.x != 0u);
}""",
    ),
    "word_without_lowest": (
        (),
        """\
fn word_without_lowest(w: vec2<u32>) -> vec2<u32> {
  return select(vec2<u32>(0u, w.y & (w.y - 1u)), vec2<u32>(w.x & (w.x - 1u), w.y), w.x != 0u);
}""",
    ),
    "word_count": (
        (),
        """\
fn word_count(w: vec2<u32>) -> i32 {
  return i32(countOneBits(w.x) + countOneBits(w.y));
}""",
    ),
    "int_without_lowest": (
        (),
        """\
fn int_without_lowest(bits: i32) -> i32 {
  return bits & (bits - 1);
}""",
    ),
    "precise_round": (
        (),
        """\
fn precise_round(a: vec2<f32>) -> f32 {
  return a.x + a.y;
}""",
    ),
    "precise_opaque": (
        (),
        """\
fn precise_opaque(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) ^ batch.zero);
}

// a sum whose first part is the larger one
fn precise_joined(large: f32, small: f32) -> vec2<f32> {
  let sum = precise_opaque(large + small);
  return vec2<f32>(sum, small - precise_opaque(sum - large));
}""",
    ),
    "precise_sum": (
        ("precise_opaque",),
        """\
fn precise_sum(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let sum = precise_opaque(a.x + b.x);
  let taken = precise_opaque(sum - a.x);
  let missing = (a.x - precise_opaque(sum - taken)) + (b.x - taken);
  return precise_joined(sum, missing + (a.y + b.y));
}""",
    ),
    "precise_product": (
        (),
        """\
fn precise_upper(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

fn precise_product(a: f32, b: f32) -> vec2<f32> {
  let product = a * b;
  let a1 = precise_upper(a);
  let b1 = precise_upper(b);
  let a2 = a - a1;
  let b2 = b - b1;
  return vec2<f32>(product, ((a1 * b1 - product) + (a1 * b2 + a2 * b1)) + a2 * b2);
}""",
    ),
    "precise_times": (
        ("precise_product", "precise_opaque"),
        """\
fn precise_times(a: vec2<f32>, b: f32) -> vec2<f32> {
  let product = precise_product(a.x, b);
  return precise_joined(product.x, product.y + a.y * b);
}""",
    ),
    "precise_both": (
        ("precise_product", "precise_opaque"),
        """\
fn precise_both(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let product = precise_product(a.x, b.x);
  return precise_joined(product.x, product.y + (a.x * b.y + a.y * b.x));
}""",
    ),
    "precise_quotient": (
        ("precise_sum", "precise_times"),
        """\
fn precise_quotient(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let rough = a.x / b.x;
  let rest = precise_sum(a, -precise_times(b, rough));
  return precise_joined(rough, rest.x / b.x);
}""",
    ),
    "real_quarter_turns": (
        (),
        """\
// how many quarter turns an angle is from the remainder that the polynomials take
fn real_quarter_turns(x: f32) -> f32 {
  return floor(x * 0.63661977236758134 + 0.5);
}

fn real_turn_remainder(x: f32, k: f32) -> f32 {
  return ((x - k * 1.5703125) - k * 4.837512969970703125e-4) - k * 7.54978995489188216e-8;
}

fn real_sin_near_zero(r: f32) -> f32 {
  let z = r * r;
  return r + r * z * ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1);
}

fn real_cos_near_zero(r: f32) -> f32 {
  let z = r * r;
  return (1.0 - 0.5 * z)
    + z * z * ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2);
}""",
    ),
    "real_sin": (
        ("real_quarter_turns",),
        """\
fn real_sin(x: f32) -> f32 {
  let k = real_quarter_turns(x);
  let r = real_turn_remainder(x, k);
  let quarter = i32(k) & 3;
  let value = select(real_sin_near_zero(r), real_cos_near_zero(r), (quarter & 1) == 1);
  return select(value, -value, quarter >= 2);
}""",
    ),
    "real_cos": (
        ("real_quarter_turns",),
        """\
fn real_cos(x: f32) -> f32 {
  let k = real_quarter_turns(x);
  let r = real_turn_remainder(x, k);
  let quarter = i32(k) & 3;
  let value = select(real_cos_near_zero(r), real_sin_near_zero(r), (quarter & 1) == 1);
  return select(value, -value, quarter == 1 || quarter == 2);
}""",
    ),
    "real_sin_cos": (
        ("real_quarter_turns",),
        """\
fn real_sin_cos(x: f32) -> tuple_real_real {
  let k = real_quarter_turns(x);
  let r = real_turn_remainder(x, k);
  let quarter = i32(k) & 3;
  let s = real_sin_near_zero(r);
  let c = real_cos_near_zero(r);
  let odd = (quarter & 1) == 1;
  let sine = select(s, c, odd);
  let cosine = select(c, s, odd);
  return tuple_real_real(
    select(sine, -sine, quarter >= 2),
    select(cosine, -cosine, quarter == 1 || quarter == 2)
  );
}""",
    ),
    "real_tan": (
        ("real_sin", "real_cos"),
        """\
fn real_tan(x: f32) -> f32 {
  return real_sin(x) / real_cos(x);
}""",
    ),
    "real_atan2": (
        ("real_is_nan",),
        """\
fn real_atan2(y: f32, x: f32) -> f32 {
  if (real_is_nan(x) || real_is_nan(y)) { return x + y; }
  let longer = max(abs(x), abs(y));
  let shorter = min(abs(x), abs(y));
  if (longer == 0.0) { return 0.0; }
  let ratio = shorter / longer;
  let far = ratio > 0.41421356237;
  let t = select(ratio, (ratio - 1.0) / (ratio + 1.0), far);
  let z = t * t;
  var angle = (((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z
    - 3.33329491539e-1) * z * t + t;
  angle = select(angle, angle + 0.785398163397448, far);
  angle = select(angle, 1.570796326794897 - angle, abs(y) > abs(x));
  angle = select(angle, 3.141592653589793 - angle, x < 0.0);
  return select(angle, -angle, y < 0.0);
}""",
    ),
    "real_atan": (
        ("real_atan2",),
        """\
fn real_atan(x: f32) -> f32 {
  return real_atan2(x, 1.0);
}""",
    ),
    "real_asin": (
        ("real_atan2",),
        """\
fn real_asin(x: f32) -> f32 {
  return real_atan2(x, sqrt((1.0 - x) * (1.0 + x)));
}""",
    ),
    "real_acos": (
        ("real_atan2",),
        """\
fn real_acos(x: f32) -> f32 {
  return real_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}""",
    ),
}

#: math.* -> name in WGSL; built-in functions are used where they are accurate enough
MATH: dict[str, str] = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "floor": "floor", "pow": "pow",
    "sin": "real_sin", "cos": "real_cos", "tan": "real_tan", "atan": "real_atan",
    "atan2": "real_atan2", "asin": "real_asin", "acos": "real_acos",
}  # fmt: skip


#: kernels with constants for float64, or that need the sign of a zero -> the same for f32, result
SINGLE: dict[str, tuple[str, Type]] = {
    "math.trig:sin_cos": ("real_sin_cos", ("real", "real")),
    "step.sleeping.wake:mark_nonzero": ("real_mark_nonzero", "real"),
    "step.sleeping.wake:is_unmarked": ("real_is_unmarked", "bool"),
}


def with_callees(names: set[str]) -> list[str]:
    """The functions and all that they call, callees first."""
    ordered: list[str] = []

    def add(name: str) -> None:
        for callee in FUNCTIONS[name][0]:
            add(callee)
        if name not in ordered:
            ordered.append(name)

    for name in sorted(names):
        add(name)
    return ordered
