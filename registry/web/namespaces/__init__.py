"""Registered namespaces."""
