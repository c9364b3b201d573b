"""The site: one folder for each area, with its addresses in `urls.py` and its views."""
