"""MuJoCo's small functions, `mju_*`: vectors, rotations, matrices, muscles, text and others."""
