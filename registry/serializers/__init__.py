"""The JSON of each thing: what is not known is null, and `site` is where the registry is read."""
