"""Conformance with MuJoCo: random models, hand-made models, sweeps and their report."""
