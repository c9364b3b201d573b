"""The standards body's working screens."""
