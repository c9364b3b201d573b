"""The registry as files, feeds, and the paths that other registries' programs know."""
