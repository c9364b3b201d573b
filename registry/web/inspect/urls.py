"""Inspecting one URN, comparing two, checking many, and finding those in a text."""

from django.urls import path

from registry.web.inspect import find, views

app_name = "inspect"
urlpatterns = [
    path("", views.show_inspection, name="index"),
    path("compare/", views.show_comparison, name="compare"),
    path("list/", views.show_list_check, name="list"),
    path("find/", find.show_found, name="find"),
    path("grammar/", views.show_grammar_trial, name="grammar"),
]
