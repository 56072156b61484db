"""Bits of `m.constraining`: kinds of constraint that a model may have."""

from __future__ import annotations

HAS_EQUALITIES = 1
HAS_FRICTIONLOSS = 2
HAS_LIMITS = 4
HAS_CONTACTS = 8
