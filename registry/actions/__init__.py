"""Writes beside the workflow's table: each in one transaction, with its line in the journal."""
