"""Registered namespaces."""

from django.urls import path, re_path

from registry.exports.forms import endings
from registry.views import locators, namespace_forms, namespaces

app_name = "namespaces"
urlpatterns = [
    path("", namespaces.index, name="index"),
    path("<str:nid>/", namespaces.detail, name="detail"),
    path("<str:nid>/versions/<int:number>/", namespaces.version, name="version"),
    re_path(rf"^(?P<nid>[^/.]+)\.{endings('namespace')}$", namespace_forms.file, name="file"),
    re_path(
        rf"^(?P<nid>[^/.]+)/versions/(?P<number>[0-9]{{1,9}})\.{endings('version')}$",
        namespace_forms.version_file,
        name="version_file",
    ),
    re_path(r"^(?P<nid>[^/]+)\.(?P<form>[^/]*)$", namespace_forms.no_form),
    path("<str:nid>/locators/", locators.index, name="locators"),
    path("<str:nid>/locators/stop/", locators.stop, name="stop_locators"),
    path("<str:nid>/locators/drop/", locators.drop, name="drop_locators"),
    path("<str:nid>/locators/table.csv", locators.table, name="locators_table"),
    path("<str:nid>/locators/refused-<int:pk>.csv", locators.report, name="locators_report"),
    path("<str:nid>/compare/<int:a>..<int:b>/", namespaces.compare, name="compare"),
]
