"""Environments for libraries of reinforcement learning that do not take Gymnasium's vectors.

Each module needs its library: `stable_baselines3`, `torchrl`, `rsl_rl`, `tensors` (PyTorch), and
`pufferlib`, which needs none. CleanRL and skrl take `gymnasium.vector.VectorEnv` as it is.
"""
