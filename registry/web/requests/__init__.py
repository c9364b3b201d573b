"""Requests: the public pages, the editor, discussion, and steps of the workflow."""
