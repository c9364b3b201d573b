"""What is mine."""

from django.urls import path

from registry.views import account

app_name = "account"
urlpatterns = [
    path("", account.index, name="index"),
    path("requests/", account.requests, name="requests"),
]
