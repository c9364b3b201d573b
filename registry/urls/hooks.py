"""Webhooks of mine."""

from django.urls import path

from registry.views import hooks

app_name = "hooks"
urlpatterns = [
    path("", hooks.index, name="index"),
    path("<int:pk>/", hooks.detail, name="detail"),
    path("<int:pk>/<str:act>/", hooks.act, name="act"),
    path("<int:pk>/deliveries/<int:delivery>/again/", hooks.again, name="again"),
]
