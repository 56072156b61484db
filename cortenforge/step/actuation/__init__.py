"""From controls to forces."""
