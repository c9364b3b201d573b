"""Where a form may lead on to: pages of this site, and nothing else."""

from __future__ import annotations

from django.utils.http import MAX_URL_REDIRECT_LENGTH, url_has_allowed_host_and_scheme


def is_own_path(address: str) -> bool:
    """Whether `address`, as a form names it, is an absolute path of this site.

    What begins otherwise is another site, a name that means nothing as an address, or no address.
    """
    return (
        address.startswith("/")
        and len(address) <= MAX_URL_REDIRECT_LENGTH
        and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    )
