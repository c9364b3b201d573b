"""What programs read, beside requests: open to everyone."""
