"""The two small registries of draft -03, section 9.2."""

from django.urls import path, re_path

from registry.views import vocabularies

app_name = "vocabularies"
urlpatterns = [
    path("", vocabularies.index, name="index"),
    re_path(r"^(?P<name>[a-z-]+)\.(?P<form>csv|json|txt)$", vocabularies.file, name="file"),
    path("<slug:name>/", vocabularies.detail, name="detail"),
    path("<slug:name>/enter/", vocabularies.enter, name="enter"),
    path("<slug:name>/<str:key>/change/", vocabularies.change, name="change"),
]
