"""Home, the search box and the theme."""

from django.urls import path

from registry.views import home

app_name = "home"
urlpatterns = [
    path("", home.index, name="index"),
    path("find/", home.find, name="find"),
    path("find/reading/", home.reading, name="reading"),
    path("theme/", home.theme, name="theme"),
]
