"""Asking other people's servers, where somebody else says which: never one in a private network.

An address that a stranger gave us must not make this machine knock at its own doors (server-side
request forgery). The name is looked up once, every address of it is checked, and the connection
goes to one that was checked; each redirect starts over.
"""

from registry.safe_http.client import FetchedResponse, FetchLimits, fetch, look_up_texts, post
from registry.safe_http.targets import FetchError

__all__ = ["FetchError", "FetchLimits", "FetchedResponse", "fetch", "look_up_texts", "post"]
