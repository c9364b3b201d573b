"""Addresses of the site, one module an area (docs/ux.md, section 2)."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from registry.admin import site

urlpatterns: list[URLPattern | URLResolver] = [
    # First, since programs ask here most often.
    path("resolve/", include("registry.urls.resolve")),
    path("uri-res/", include("registry.urls.uri_res")),
    path("", include("registry.urls.home")),
    path("", include("registry.urls.robots")),
    path("", include("registry.urls.feeds")),
    path("", include("registry.urls.forms")),
    path("namespaces/", include("registry.urls.namespaces")),
    path("namespaces/<str:nid>/services/", include("registry.urls.services")),
    path("registries/", include("registry.urls.vocabularies")),
    path("inspect/", include("registry.urls.inspect")),
    path("requests/", include("registry.urls.requests")),
    path("account/hooks/", include("registry.urls.hooks")),
    path("account/follows/", include("registry.urls.following")),
    path("account/", include("registry.urls.account")),
    path("organizations/", include("registry.urls.organizations")),
    path("sightings/", include("registry.urls.sightings")),
    path("review/", include("registry.urls.review")),
    path("publish/", include("registry.urls.publish")),
    path("direction/", include("registry.urls.direction")),
    path("demonstration/", include("registry.urls.demonstration")),
    path("api/", include("registry.urls.bioregistry")),
    path("api/", include("registry.urls.api")),
    path("exports/", include("registry.urls.exports")),
    path("", include("registry.urls.guide")),
    path("accounts/", include("registry.urls.accounts")),
    path("admin/login/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("admin/", site.urls),
]

handler400 = "registry.views.errors.bad_request"
handler403 = "registry.views.errors.forbidden"
handler404 = "registry.views.errors.not_found"
handler500 = "registry.views.errors.server_error"
