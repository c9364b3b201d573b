"""NIDs that are held back."""
