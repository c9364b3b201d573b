"""Registered namespaces."""

from django.urls import include, path, re_path

from registry.http.formats import make_format_pattern
from registry.web.namespaces import entry, errata, holder, records, views
from registry.web.services import locators

app_name = "namespaces"
urlpatterns = [
    path("", views.list_namespaces, name="index"),
    path("<str:nid>/", views.show_namespace, name="detail"),
    path("<str:nid>/holder/", holder.show_holder, name="holder"),
    path("<str:nid>/versions/<int:number>/", views.show_namespace_version, name="version"),
    re_path(
        rf"^(?P<nid>[^/.]+)\.{make_format_pattern('namespace')}$",
        views.serve_namespace,
        name="file",
    ),
    re_path(
        rf"^(?P<nid>[^/.]+)/versions/(?P<number>[0-9]{{1,9}})\.{make_format_pattern('version')}$",
        views.serve_namespace_version,
        name="version_file",
    ),
    re_path(r"^(?P<nid>[^/]+)\.(?P<form>[^/]*)$", views.refuse_unknown_ending),
    path("<str:nid>/errata/", errata.show_errata, name="errata"),
    path("<str:nid>/iana-reference/", entry.edit_iana_reference, name="iana_reference"),
    path("<str:nid>/disputes/", include("registry.disputes")),
    path("<str:nid>/contact/", entry.show_contact_confirmation, name="contact"),
    path("<str:nid>/contact/<str:secret>/", entry.show_contact_letter, name="confirm_contact"),
    path("<str:nid>/locators/", locators.show_locators, name="locators"),
    path("<str:nid>/locators/stop/", locators.post_loading_stop, name="stop_locators"),
    path("<str:nid>/locators/drop/", locators.post_locator_table_drop, name="drop_locators"),
    path("<str:nid>/locators/table.csv", locators.serve_locator_table, name="locators_table"),
    path(
        "<str:nid>/locators/refused-<int:pk>.csv",
        locators.serve_locator_report,
        name="locators_report",
    ),
    path("<str:nid>/records/<int:number>/", records.show_record, name="record"),
    re_path(
        rf"^(?P<nid>[^/.]+)/records/(?P<number>[0-9]{{1,9}})\.{make_format_pattern('record')}$",
        records.serve_record,
        name="record_file",
    ),
    path("<str:nid>/compare/<str:a>..<str:b>/", records.show_text_comparison, name="compare"),
]
