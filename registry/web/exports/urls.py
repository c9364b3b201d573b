"""The registry as files, lists in other formats, feeds, and Bioregistry's paths."""

from django.urls import path, re_path

from registry.http.formats import make_format_pattern
from registry.web.exports import bioregistry, feeds, reconciliation, views

app_name = "exports"
urlpatterns = [
    path("", views.list_exports, name="index"),
    re_path(
        r"^urn-(?P<kind>formal|informal)/(?P<nid>[A-Za-z0-9-]+)$",
        views.serve_iana_template,
        name="template",
    ),
    re_path(
        r"^(?P<dated>[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9a-f]{12})/(?P<name>[a-z.-]{1,100})$",
        views.serve_dated_export,
        name="dated",
    ),
    path("<str:name>", views.serve_export, name="file"),
]


list_app_name = "forms"
list_urlpatterns = [
    re_path(
        rf"^namespaces\.{make_format_pattern('namespaces')}$",
        views.serve_namespace_list,
        name="namespaces",
    ),
    re_path(
        rf"^requests\.{make_format_pattern('requests')}$", views.serve_request_list, name="requests"
    ),
    re_path(
        rf"^organizations\.{make_format_pattern('organizations')}$",
        views.serve_organization_list,
        name="organizations",
    ),
    re_path(
        rf"^organizations/(?P<pk>[0-9]{{1,18}})\.{make_format_pattern('organization')}$",
        views.serve_organization,
        name="organization",
    ),
    path("reconcile/", reconciliation.serve_reconciliation, name="reconcile"),
    path("ns", views.serve_graph_terms, name="words"),
    re_path(
        rf"^sightings\.{make_format_pattern('sightings')}$",
        views.serve_sighting_list,
        name="sightings",
    ),
]


feed_app_name = "feeds"
feed_urlpatterns = [
    path("requests.atom", feeds.serve_requests_feed, name="requests"),
    re_path(r"^requests/(?P<reference>[-\w]+)\.atom$", feeds.serve_request_feed, name="request"),
    re_path(
        r"^namespaces/(?P<nid>[^/.]+)/versions/(?P<number>[0-9]{1,9})\.atom$",
        feeds.serve_version_feed,
        name="version",
    ),
    path("namespaces.atom", feeds.serve_namespaces_feed, name="namespaces"),
    re_path(r"^namespaces/(?P<nid>[^/.]+)\.atom$", feeds.serve_namespace_feed, name="namespace"),
]


bioregistry_app_name = "bioregistry"
bioregistry_urlpatterns = [
    path("registry", bioregistry.serve_bioregistry_registry, name="registry"),
    path("registry/<str:prefix>", bioregistry.serve_bioregistry_resource, name="resource"),
    path("search", bioregistry.serve_bioregistry_search, name="search"),
    path("autocomplete", bioregistry.serve_bioregistry_autocomplete, name="autocomplete"),
    path("context.jsonld", bioregistry.serve_bioregistry_context, name="context"),
    re_path(
        r"^reference/(?P<prefix>[^:]+):(?P<identifier>.+)$",
        bioregistry.serve_bioregistry_reference,
        name="reference",
    ),
]
