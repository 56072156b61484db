"""Forces on and between bodies: cfrc_ext, cfrc_int, contact forces, momenta."""
