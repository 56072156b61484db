"""What is drawn: geoms, decorations, textures, cameras and lights of a world."""
