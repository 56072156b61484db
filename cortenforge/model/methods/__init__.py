"""Methods of Model and Data by topic: contacts, rays, distances, mechanics, diagnosis."""
