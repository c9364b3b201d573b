"""The registrar's working screens."""

from django.urls import path

from registry.views import publish

app_name = "publish"
urlpatterns = [
    path("", publish.index, name="index"),
    path("<slug:reference>/", publish.detail, name="detail"),
]
