"""Sessions are stored as Django stores them, and only looked up differently."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry.http.sessions import SessionStore
from registry.models import User

pytestmark = pytest.mark.django_db


def test_sessions_that_began_with_the_store_of_django_go_on(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    begun = DatabaseSessionStore()
    begun["seen"] = 1
    begun.save()

    found = SessionStore(begun.session_key)
    with django_assert_num_queries(1):
        assert found["seen"] == 1
    found["seen"] = 2
    found.save()

    assert DatabaseSessionStore(begun.session_key)["seen"] == 2


def test_sessions_that_began_with_the_backend_of_allauth_go_on(outsider: User) -> None:
    client = Client()
    client.force_login(outsider)
    session = client.session
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session.save()

    page = client.get("/account/")

    assert page.status_code == 200
    assert outsider.name in page.content.decode()


def test_session_of_an_account_that_is_switched_off_or_gone_is_nobodys(outsider: User) -> None:
    client = Client()
    client.force_login(outsider)
    User.objects.filter(pk=outsider.pk).update(is_active=False)

    assert client.get("/account/").status_code == 302
    User.objects.filter(pk=outsider.pk).update(is_active=True)
    assert client.get("/account/").status_code == 200
    outsider.delete()
    assert client.get("/account/").status_code == 302


def test_session_that_is_over_is_not_found_and_its_key_is_not_taken_up_again() -> None:
    begun = SessionStore()
    begun["seen"] = 1
    begun.save()
    key = begun.session_key
    Session.objects.update(expire_date=timezone.now() - datetime.timedelta(seconds=1))

    for store in (SessionStore(key), SessionStore("unheardofunheardof"), SessionStore(None)):
        assert store.get("seen") is None
        assert store.session_key is None
