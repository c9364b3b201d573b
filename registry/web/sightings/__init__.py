"""NIDs seen in use without registration."""
