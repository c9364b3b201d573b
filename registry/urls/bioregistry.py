"""The paths of Bioregistry's web application, for programs that know it."""

from django.urls import path, re_path

from registry.views import bioregistry

app_name = "bioregistry"
urlpatterns = [
    path("registry", bioregistry.registry, name="registry"),
    path("registry/<str:prefix>", bioregistry.resource, name="resource"),
    path("search", bioregistry.search, name="search"),
    path("autocomplete", bioregistry.autocomplete, name="autocomplete"),
    path("context.jsonld", bioregistry.context, name="context"),
    re_path(
        r"^reference/(?P<prefix>[^:]+):(?P<identifier>.+)$", bioregistry.reference, name="reference"
    ),
]
