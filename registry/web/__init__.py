"""The site: one folder per area, with its addresses in `urls.py` and its views."""
