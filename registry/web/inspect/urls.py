"""One URN read, two compared, many checked."""

from django.urls import path

from registry.web.inspect import views

app_name = "inspect"
urlpatterns = [
    path("", views.show_inspection, name="index"),
    path("compare/", views.show_comparison, name="compare"),
    path("list/", views.show_list_check, name="list"),
    path("grammar/", views.show_grammar_trial, name="grammar"),
]
