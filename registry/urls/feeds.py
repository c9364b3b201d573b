"""Feeds: a page's address with `.atom` in place of the last slash."""

from django.urls import path, re_path

from registry.views import feeds

app_name = "feeds"
urlpatterns = [
    path("requests.atom", feeds.requests, name="requests"),
    re_path(r"^requests/(?P<reference>[-\w]+)\.atom$", feeds.request, name="request"),
    re_path(
        r"^namespaces/(?P<nid>[^/.]+)/versions/(?P<number>[0-9]{1,9})\.atom$",
        feeds.version,
        name="version",
    ),
    path("namespaces.atom", feeds.namespaces, name="namespaces"),
    re_path(r"^namespaces/(?P<nid>[^/.]+)\.atom$", feeds.namespace, name="namespace"),
]
