"""Addresses of the site, one module per area (docs/ux.md, section 2)."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from registry.admin import site
from registry.api.index import serve_api_catalog
from registry.web.account.urls import (
    follow_app_name,
    follow_urlpatterns,
    sign_in_urlpatterns,
    webhook_app_name,
    webhook_urlpatterns,
)
from registry.web.exports.urls import (
    bioregistry_app_name,
    bioregistry_urlpatterns,
    feed_app_name,
    feed_urlpatterns,
    list_app_name,
    list_urlpatterns,
)
from registry.web.home.urls import (
    demonstration_app_name,
    demonstration_urlpatterns,
    guide_app_name,
    guide_urlpatterns,
    robots_app_name,
    robots_urlpatterns,
)
from registry.web.resolve.urls import uri_res_app_name, uri_res_urlpatterns
from registry.web.services.urls import vocabulary_app_name, vocabulary_urlpatterns

urlpatterns: list[URLPattern | URLResolver] = [
    # First, since programs request these most often.
    path("resolve/", include("registry.web.resolve.urls")),
    path("uri-res/", include((uri_res_urlpatterns, uri_res_app_name))),
    path("", include("registry.web.home.urls")),
    path("", include((robots_urlpatterns, robots_app_name))),
    path("", include((feed_urlpatterns, feed_app_name))),
    path("", include((list_urlpatterns, list_app_name))),
    path("namespaces/", include("registry.web.namespaces.urls")),
    path("namespaces/<str:nid>/services/", include("registry.web.services.urls")),
    path("registries/", include((vocabulary_urlpatterns, vocabulary_app_name))),
    path("inspect/", include("registry.web.inspect.urls")),
    path("requests/", include("registry.web.requests.urls")),
    path("account/hooks/", include((webhook_urlpatterns, webhook_app_name))),
    path("account/follows/", include((follow_urlpatterns, follow_app_name))),
    path("account/", include("registry.web.account.urls")),
    path("organizations/", include("registry.web.organizations.urls")),
    path("sightings/", include("registry.sightings")),
    path("enquiries/", include("registry.web.enquiries.urls")),
    path("held/", include("registry.held_nids")),
    path("officers/", include("registry.web.officers.urls")),
    path("log/", include("registry.web.log.urls")),
    path("review/", include("registry.web.review.urls")),
    path("publish/", include("registry.web.publish.urls")),
    path("direction/", include("registry.web.direction.urls")),
    path("demonstration/", include((demonstration_urlpatterns, demonstration_app_name))),
    path("", include("registry.web.contact.urls")),
    path("api/", include((bioregistry_urlpatterns, bioregistry_app_name))),
    path("api/", include("registry.api_urls")),
    path(".well-known/api-catalog", serve_api_catalog, name="api_catalog"),
    path("exports/", include("registry.web.exports.urls")),
    path("", include((guide_urlpatterns, guide_app_name))),
    path("accounts/", include(sign_in_urlpatterns)),
    # Django's own admin pages would end no tokens, and write neither letters nor logs.
    path("admin/login/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("admin/logout/", RedirectView.as_view(pattern_name="account_logout")),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", site.urls),
]

handler400 = "registry.web.errors.show_bad_request"
handler403 = "registry.web.errors.show_forbidden"
handler404 = "registry.web.errors.show_not_found"
handler500 = "registry.web.errors.show_server_error"
