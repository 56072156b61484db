"""What shapes are as functions of a point: how far their surfaces are, and in which direction."""
