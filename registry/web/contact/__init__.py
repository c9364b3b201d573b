"""The contact page, and contact details for security researchers."""
