"""Organizations, and who acts for them."""
