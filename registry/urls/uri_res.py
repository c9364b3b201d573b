"""Resolution over HTTP (RFC 2169)."""

from django.urls import path

from registry.views import uri_res

app_name = "uri_res"
urlpatterns = [
    path("", uri_res.index, name="index"),
    path("<str:name>", uri_res.service, name="service"),
]
