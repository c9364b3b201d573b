"""The journal, and what shows that nobody changed it."""
