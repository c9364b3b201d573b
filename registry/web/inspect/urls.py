"""Inspecting one URN, comparing two, checking many, finding and making them."""

from django.urls import path

from registry.web.inspect import find, views, writing

app_name = "inspect"
urlpatterns = [
    path("", views.show_inspection, name="index"),
    path("compare/", views.show_comparison, name="compare"),
    path("list/", views.show_list_check, name="list"),
    path("find/", find.show_found, name="find"),
    path("build/", writing.show_written, name="build"),
    path("grammar/", views.show_grammar_trial, name="grammar"),
]
