"""The transparency log: its files, and its entries to be read by people."""
