"""Home, the guide, the demonstration's letters, and what robots ask for."""
