"""The checks of the template."""
