"""Requests to other people's servers at addresses that users supply: never in a private network.

A stranger's address must not make this machine call internal services (server-side request
forgery). The name is looked up once, every address of it is checked, and the connection goes to one
that was checked; each redirect starts over.
"""

from registry.safe_http.client import FetchedResponse, FetchLimits, fetch, look_up_texts, post
from registry.safe_http.targets import FetchError

__all__ = ["FetchError", "FetchLimits", "FetchedResponse", "fetch", "look_up_texts", "post"]
