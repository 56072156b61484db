"""What bodies are covered with: textures, materials, height fields, skins."""
