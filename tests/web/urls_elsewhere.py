"""The addresses of a registry whose settings name a provider of accounts elsewhere."""

from __future__ import annotations

from django.urls import include, path

from registry import urls
from registry.web.account.urls import build_elsewhere_urlpatterns

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500
urlpatterns = [path("accounts/", include(build_elsewhere_urlpatterns())), *urls.urlpatterns]
