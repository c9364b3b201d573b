"""Lists at the other addresses of their pages, and the words of our graphs."""

from django.urls import path, re_path

from registry.exports.forms import endings
from registry.views import exports, list_forms

app_name = "forms"
urlpatterns = [
    re_path(rf"^namespaces\.{endings('namespaces')}$", list_forms.namespaces, name="namespaces"),
    re_path(rf"^requests\.{endings('requests')}$", list_forms.requests, name="requests"),
    re_path(
        rf"^organizations\.{endings('organizations')}$",
        list_forms.organizations,
        name="organizations",
    ),
    path("ns", exports.words, name="words"),
    re_path(rf"^sightings\.{endings('sightings')}$", list_forms.sightings, name="sightings"),
]
