"""The registry as files and feeds, and at the paths that other registries' programs know."""
