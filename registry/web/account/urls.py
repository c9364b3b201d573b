"""Signing in, and a person's own pages, with what they follow and their webhooks."""

from allauth.account import views as allauth_views
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from registry.web.account import views
from registry.web.account.views import SignUpView
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
    path("", views.list_follows, name="index"),
    path("new/", views.show_new_follow, name="new"),
    path("<int:pk>/stop/", views.post_stop_following, name="stop"),
    path("leave/<str:key>/", views.leave_one_follow, name="leave"),
    path("leave-all/<str:word>/", views.leave_all_follows, name="leave_all"),
]


webhook_app_name = "hooks"
webhook_urlpatterns = [
    path("", views.list_webhooks, name="index"),
    path("<int:pk>/", views.show_webhook, name="detail"),
    path("<int:pk>/<str:act>/", views.post_webhook_action, name="act"),
    path("<int:pk>/deliveries/<int:delivery>/again/", views.post_delivery_again, name="again"),
]


sign_in_urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("signup/", RedirectView.as_view(pattern_name="account_signup", query_string=True)),
    path("", include("allauth.account.urls")),
    # Of two patterns with one name, links are made from the later.
    path("sign-in/", allauth_views.login, name="account_login"),
    path("sign-up/", SignUpView.as_view(), name="account_signup"),
    path("sign-out/", allauth_views.logout, name="account_logout"),
]
