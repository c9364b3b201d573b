"""Transparency logs: trees, tiles, notes, proofs, witnesses, and programs of others on them."""
