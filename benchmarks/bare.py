"""A bare Django project, its settings and URLs: one view that answers at once.

It has the seven middleware of `django-admin startproject`, and no database queries or sessions.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

SECRET_KEY = "measured, and never served to anybody"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = __name__
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# gunicorn.conf.py reads these two.
DEMONSTRATION = True
REGISTRY_TRUSTED_PROXIES = 0


def show_floor(request: HttpRequest) -> HttpResponse:
    return HttpResponse("So much for nothing.")


urlpatterns = [path("floor/", show_floor)]
