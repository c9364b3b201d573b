"""The seed data of the registry."""
