"""Signing in, and a person's own pages, including follows and webhooks."""

from allauth.account import views as allauth_views
from allauth.urls import build_provider_urlpatterns
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from registry.web.account import openid, own_data, security, views
from registry.web.account.views import SignUpView
from registry.web.requests import co_editors, mailed_template

app_name = "account"
urlpatterns = [
    path("", views.show_account, name="index"),
    path("requests/", views.list_own_requests, name="requests"),
    path("tokens/", views.list_tokens, name="tokens"),
    path("tokens/<uuid:key>/revoke/", views.post_token_revocation, name="revoke_token"),
    path("sessions/", security.list_sessions, name="sessions"),
    path("confirm/", security.confirm_by_letter, name="confirm"),
    path("data/", own_data.show_own_data, name="own_data"),
    path("data/file/", own_data.serve_own_data, name="own_data_file"),
    path("log/", security.show_account_log, name="log"),
    path("invitations/<str:key>/", co_editors.show_invitation, name="invitation"),
    path("templates/<str:key>/", mailed_template.show_mailed_template, name="template"),
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
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        security.ResetPasswordView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("email/", security.AddressesView.as_view(), name="account_email"),
    path("", include("allauth.account.urls")),
    path("factors/", include("allauth.mfa.urls")),
    # When two patterns share a name, links use the later one.
    path("sign-in/", allauth_views.login, name="account_login"),
    path("sign-up/", SignUpView.as_view(), name="account_signup"),
    path("sign-out/", security.sign_out, name="account_logout"),
]


def build_elsewhere_urlpatterns() -> list[URLPattern | URLResolver]:
    """Return the addresses for accounts elsewhere, our OpenID Connect ones before allauth's."""
    return [
        path("elsewhere/", include("allauth.socialaccount.urls")),
        path("oidc/<str:provider_id>/login/callback/", openid.answer_provider),
        *build_provider_urlpatterns(),
    ]


if settings.SOCIALACCOUNT_PROVIDERS:
    sign_in_urlpatterns += build_elsewhere_urlpatterns()
