"""The home page, the guide, the demonstration's letters, and files for robots."""
