"""Changes of who may decide."""
