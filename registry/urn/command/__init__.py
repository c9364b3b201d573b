"""The command line: `python -m registry.urn`."""
