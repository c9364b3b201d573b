"""Transparency logs: trees, tiles, notes, proofs, witnesses, and other people's programs."""
