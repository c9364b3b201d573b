"""Names resolved."""

from django.urls import path, re_path

from registry.views import resolve

app_name = "resolve"
urlpatterns = [
    path("", resolve.index, name="index"),
    # Whatever stands here is read from the address as it was sent, never from this path.
    re_path(r"^[\s\S]+\Z", resolve.named, name="named"),
]
