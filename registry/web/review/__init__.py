"""The experts' working screens."""
