"""Name resolution, at our own addresses and over HTTP as RFC 2169 has it."""

from django.urls import path, re_path

from registry.web.resolve import uri_res, views

app_name = "resolve"
urlpatterns = [
    path("", views.resolve_query, name="index"),
    # The views read the address as it was sent, never the decoded path.
    re_path(r"^[\s\S]+\Z", views.resolve_path, name="named"),
]


uri_res_app_name = "uri_res"
uri_res_urlpatterns = [
    path("", uri_res.redirect_to_service_guide, name="index"),
    path("<str:name>", uri_res.serve_uri_res, name="service"),
]
