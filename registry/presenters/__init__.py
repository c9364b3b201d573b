"""What pages show, as plain values: put together from reads and rules, knowing no HTTP."""
