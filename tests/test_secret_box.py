"""Readable secrets: the database alone reveals none of them, and keys can be rotated."""

from __future__ import annotations

import uuid

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from registry.models import User, Webhook
from registry.notifications import webhooks
from registry.secret_box import SecretUnreadable, decrypt_secret, encrypt_secret, reencrypt_secret
from tools.sign_in import TOTP_SECRET


@pytest.fixture(autouse=True)
def keys(settings: Settings) -> None:
    settings.REGISTRY_DATA_KEYS = ["the key of this year", "the key of last year"]


def test_secret_decrypts_and_encrypts_differently_each_time() -> None:
    first, second = encrypt_secret("whsec_x"), encrypt_secret("whsec_x")

    assert first != second
    assert "whsec" not in first
    assert decrypt_secret(first) == decrypt_secret(second) == "whsec_x"


def test_changed_ciphertext_is_not_read() -> None:
    kept = encrypt_secret("whsec_x")
    changed = kept[:-4] + ("A" if kept[-4] != "A" else "B") + kept[-3:]

    with pytest.raises(SecretUnreadable):
        decrypt_secret(changed)


def test_secret_stored_unencrypted_is_read_as_it_is() -> None:
    assert decrypt_secret("whsec_plain") == "whsec_plain"


def test_old_key_reads_until_it_is_taken_out(settings: Settings) -> None:
    settings.REGISTRY_DATA_KEYS = ["the key of last year"]
    kept = encrypt_secret("whsec_x")

    settings.REGISTRY_DATA_KEYS = ["the key of this year", "the key of last year"]
    anew = reencrypt_secret(kept)
    settings.REGISTRY_DATA_KEYS = ["the key of this year"]

    assert decrypt_secret(anew) == "whsec_x"
    with pytest.raises(SecretUnreadable, match="REGISTRY_DATA_KEYS"):
        decrypt_secret(kept)


@pytest.mark.django_db
def test_secret_of_a_webhook_is_in_no_column(registrant: User) -> None:
    hook = add_hook(registrant)

    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM registry_webhook")
        [(kept,)] = cursor.fetchall()

    hook.refresh_from_db()
    assert hook.secret.startswith("whsec_")
    assert kept.startswith("box1:")
    assert hook.secret not in kept


@pytest.mark.django_db
def test_encrypted_field_cannot_be_filtered_by(registrant: User) -> None:
    with pytest.raises(TypeError, match="compare"):
        Webhook.objects.filter(secret="whsec_x").exists()


@pytest.mark.django_db
def test_keys_are_rotated_by_a_command(settings: Settings, registrant: User, expert: User) -> None:
    settings.REGISTRY_DATA_KEYS = ["the key of last year"]
    hook = add_hook(registrant)
    secret = hook.secret
    factor = Authenticator.objects.get(user=expert)
    factor.data["secret"] = encrypt_secret(TOTP_SECRET)
    factor.save()

    settings.REGISTRY_DATA_KEYS = ["the key of this year", "the key of last year"]
    call_command("rotate_keys")
    settings.REGISTRY_DATA_KEYS = ["the key of this year"]

    hook.refresh_from_db()
    factor.refresh_from_db()
    assert hook.secret == secret
    assert decrypt_secret(factor.data["secret"]) == TOTP_SECRET


@pytest.mark.django_db
def test_webhook_whose_key_is_lost_signs_nothing_and_can_be_given_a_fresh_secret(
    settings: Settings, registrant: User
) -> None:
    hook = add_hook(registrant)
    settings.REGISTRY_DATA_KEYS = ["another key"]
    hook.refresh_from_db()
    lost = hook.secret

    with pytest.raises(CommandError, match="cannot be read"):
        call_command("rotate_keys")
    signing = list(webhooks.iterate_valid_secrets(hook, timezone.now()))
    webhooks.rotate_secret(hook, seen="")

    hook.refresh_from_db()
    assert (lost, signing) == ("", [])
    assert hook.secret.startswith("whsec_")


def add_hook(owner: User) -> Webhook:
    return Webhook.objects.create(
        owner=owner, name="x", url="https://x.example/", topic="requests", form_key=uuid.uuid4()
    )
