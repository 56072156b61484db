"""A task written twice, with arrays and with kernels: the tutorial of docs/envs.md."""
