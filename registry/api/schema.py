"""The description of the API (OpenAPI), the same for everybody."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponseBase
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.across import readable_elsewhere


class SchemaView(SpectacularJSONAPIView):
    """What there is to ask; scripts of every site read it, as they read the API."""

    authentication_classes: list[type[BaseAuthentication]] = []

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Say what can be done here, which is what browsers ask before scripts read."""
        return Response(status=204)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the response, open to scripts of every site."""
        final = super().finalize_response(request, cast("Response", response), *args, **kwargs)
        return readable_elsewhere(request, final, self.allowed_methods, hears=False)
