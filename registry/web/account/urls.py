"""A person's own pages, with what they follow and their webhooks."""

from django.urls import path

from registry.web.account import follows, views, webhooks
from registry.web.requests import co_editors

app_name = "account"
urlpatterns = [
    path("", views.show_account, name="index"),
    path("requests/", views.list_own_requests, name="requests"),
    path("tokens/", views.list_tokens, name="tokens"),
    path("tokens/<uuid:key>/revoke/", views.post_token_revocation, name="revoke_token"),
    path("invitations/<str:key>/", co_editors.show_invitation, name="invitation"),
]


follow_app_name = "following"
follow_urlpatterns = [
    path("", follows.list_follows, name="index"),
    path("new/", follows.show_new_follow, name="new"),
    path("<int:pk>/stop/", follows.post_stop_following, name="stop"),
    path("leave/<str:key>/", follows.leave_one_follow, name="leave"),
    path("leave-all/<str:word>/", follows.leave_all_follows, name="leave_all"),
]


webhook_app_name = "hooks"
webhook_urlpatterns = [
    path("", webhooks.list_webhooks, name="index"),
    path("<int:pk>/", webhooks.show_webhook, name="detail"),
    path("<int:pk>/<str:act>/", webhooks.post_webhook_action, name="act"),
    path("<int:pk>/deliveries/<int:delivery>/again/", webhooks.post_delivery_again, name="again"),
]
