"""The registrar's working screens."""
