"""One URN read, two compared, many checked."""

from django.urls import path

from registry.views import bench, inspect

app_name = "inspect"
urlpatterns = [
    path("", inspect.index, name="index"),
    path("compare/", inspect.compare, name="compare"),
    path("list/", inspect.listing, name="list"),
    path("grammar/", bench.grammar, name="grammar"),
]
