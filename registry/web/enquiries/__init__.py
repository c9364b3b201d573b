"""Enquiries to the experts and the registrar."""
