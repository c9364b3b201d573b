"""Asking other people's servers, where somebody else says which: never one in a private network.

An address that a stranger gave us must not make this machine knock at its own doors (server-side
request forgery). The name is looked up once, every address of it is checked, and the connection
goes to one that was checked; each redirect starts over.
"""

from registry.fetching.errors import FetchError
from registry.fetching.names import texts_at
from registry.fetching.web import Fetched, Limits, fetch, post

__all__ = ["FetchError", "Fetched", "Limits", "fetch", "post", "texts_at"]
