"""One URN, read."""

from django.urls import path

from registry.views import inspect

app_name = "inspect"
urlpatterns = [
    path("", inspect.index, name="index"),
]
