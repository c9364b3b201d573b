"""Feeds: a page's address with `.atom` in place of the last slash."""

from django.urls import path, re_path

from registry.views import feeds

app_name = "feeds"
urlpatterns = [
    path("requests.atom", feeds.requests, name="requests"),
    re_path(r"^requests/(?P<reference>[-\w]+)\.atom$", feeds.request, name="request"),
    path("namespaces.atom", feeds.namespaces, name="namespaces"),
    re_path(r"^namespaces/(?P<nid>[^/.]+)\.atom$", feeds.namespace, name="namespace"),
]
