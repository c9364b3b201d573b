"""Addresses that lead nowhere."""

from __future__ import annotations

from django.http import Http404, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import resolve
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.door import Door


@extend_schema(exclude=True)
class Nothing(Door):
    """Every address below that of the API at which there is nothing."""

    def get(self, request: Request) -> HttpResponseBase:
        """Lead on whoever forgot the last slash; all others are told that there is nothing."""
        path = request.path_info
        if path.endswith("/") or resolve(f"{path}/").url_name == "nothing":
            raise nothing()
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))

    def post(self, request: Request) -> Response:
        """Say that there is nothing."""
        raise nothing()

    put = patch = delete = post


def nothing() -> Http404:
    """Return what is said of every other address."""
    return Http404(_("There is nothing at this address. /api/schema/ describes what there is."))
