"""The registry as files, in IANA's layout and others."""

from django.urls import path, re_path

from registry.views import exports

app_name = "exports"
urlpatterns = [
    path("", exports.index, name="index"),
    re_path(
        r"^urn-(?P<kind>formal|informal)/(?P<nid>[A-Za-z0-9-]+)$",
        exports.template,
        name="template",
    ),
    path("<str:name>", exports.file, name="file"),
]
