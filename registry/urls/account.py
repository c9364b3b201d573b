"""What is mine."""

from django.urls import path

from registry.views import account, co_editors, tokens

app_name = "account"
urlpatterns = [
    path("", account.index, name="index"),
    path("requests/", account.requests, name="requests"),
    path("tokens/", tokens.index, name="tokens"),
    path("tokens/<uuid:key>/revoke/", tokens.revoke, name="revoke_token"),
    path("invitations/<str:key>/", co_editors.invitation, name="invitation"),
]
