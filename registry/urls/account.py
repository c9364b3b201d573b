"""What is mine."""

from django.urls import path

from registry.views import account, co_editors

app_name = "account"
urlpatterns = [
    path("", account.index, name="index"),
    path("requests/", account.requests, name="requests"),
    path("invitations/<str:key>/", co_editors.invitation, name="invitation"),
]
