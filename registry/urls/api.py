"""The programming interface."""

from django.urls import path

from registry.api.namespaces import NamespaceViewSet
from registry.views import api

app_name = "api"
every = NamespaceViewSet.as_view({"get": "list"}, detail=False)
one = NamespaceViewSet.as_view({"get": "retrieve"}, detail=True)
urlpatterns = [
    path("", api.index, name="index"),
    path("v1/namespaces/", every, name="namespaces"),
    path("v1/namespaces/<str:nid>/", one, name="namespace"),
]
