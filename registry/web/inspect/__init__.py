"""Inspecting one URN, comparing two, checking many, and trying a rule for names."""
