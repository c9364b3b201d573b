"""Accounts: allauth's pages, with our address for the door."""

from allauth.account import views
from django.urls import include, path
from django.views.generic import RedirectView

from registry.web.account.sign_up import SignUpView

urlpatterns = [
    path("login/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("signup/", RedirectView.as_view(pattern_name="account_signup", query_string=True)),
    path("", include("allauth.account.urls")),
    # Of two patterns with one name, links are made from the later.
    path("sign-in/", views.login, name="account_login"),
    path("sign-up/", SignUpView.as_view(), name="account_signup"),
    path("sign-out/", views.logout, name="account_logout"),
]
