"""Enquiries before a draft."""
