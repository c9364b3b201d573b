"""What `make` needs besides pip and npm, using only Python's standard library."""
