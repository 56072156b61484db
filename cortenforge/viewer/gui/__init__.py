"""The viewer's panel: sliders, switches, plots, keys."""
