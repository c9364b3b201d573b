"""The JSON of each thing: unknown values are null, and `site` is the registry's address."""
