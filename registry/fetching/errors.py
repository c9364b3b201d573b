"""How asking fails."""


class FetchError(Exception):
    """Nothing was fetched. The text is fit to show."""
