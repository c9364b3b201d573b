"""Registered namespaces."""

from django.urls import path

from registry.views import namespaces

app_name = "namespaces"
urlpatterns = [
    path("", namespaces.index, name="index"),
    path("<str:nid>/", namespaces.detail, name="detail"),
    path("<str:nid>/versions/<int:number>/", namespaces.version, name="version"),
    path("<str:nid>/compare/<int:a>..<int:b>/", namespaces.compare, name="compare"),
]
