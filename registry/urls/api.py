"""The programming interface."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from registry.api.namespaces import NamespaceViewSet
from registry.api.urn.checking import CheckView
from registry.api.urn.views import CompareView, FindView, ParseView, ReferenceView
from registry.views import api

app_name = "api"
every = NamespaceViewSet.as_view({"get": "list"}, detail=False)
one = NamespaceViewSet.as_view({"get": "retrieve"}, detail=True)
urlpatterns = [
    path("", api.index, name="index"),
    path("schema/", SpectacularJSONAPIView.as_view(), name="schema"),
    path("v1/namespaces/", every, name="namespaces"),
    path("v1/namespaces/<str:nid>/", one, name="namespace"),
    path("v1/urn/parse/", ParseView.as_view(), name="urn-parse"),
    path("v1/urn/compare/", CompareView.as_view(), name="urn-compare"),
    path("v1/urn/resolve-reference/", ReferenceView.as_view(), name="urn-resolve-reference"),
    path("v1/urn/find/", FindView.as_view(), name="urn-find"),
    path("v1/urn/check/", CheckView.as_view(), name="urn-check"),
]
