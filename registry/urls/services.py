"""Where names of a namespace resolve."""

from django.urls import path

from registry.views import services

app_name = "services"
urlpatterns = [
    path("", services.index, name="index"),
    path("add/", services.add, name="add"),
    path("<int:pk>/change/", services.change, name="change"),
    path("<int:pk>/withdraw/", services.withdraw, name="withdraw"),
    path("<int:pk>/check/", services.check, name="check"),
]
