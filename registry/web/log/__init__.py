"""The transparency log: its files, and its entries as pages."""
