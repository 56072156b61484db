"""Actuators: shortcuts in terms of the general one, and their inputs."""
