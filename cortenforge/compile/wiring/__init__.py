"""What connects bodies: contacts, equalities, tendons, actuators, sensors."""
