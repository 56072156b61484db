"""Actuation: controls, activation dynamics, actuator forces (muscles, servos, DC motors)."""
