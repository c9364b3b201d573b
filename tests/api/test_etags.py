"""Entity tags: rereading costs nothing, and nobody's work is silently overwritten."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from registry.actions import discussion
from registry.models import RegistrationRequest, User
from tests.api.clients import ACTS_FOR, JSON, Program
from tests.factories import NamespaceFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["namespaces/", "namespaces/old/", "requests/", "events/"])
def test_unchanged_answer_is_not_sent_again(path: str, client: Client) -> None:
    NamespaceFactory.create(nid="old")
    tag = client.get(f"/api/v1/{path}").headers["ETag"]

    again = client.get(f"/api/v1/{path}", headers={"if-none-match": tag})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == tag
    assert again.headers["Access-Control-Allow-Origin"] == "*"


def test_changed_answer_is_sent(sent: RegistrationRequest, outsider: User) -> None:
    client, path = Client(), f"/api/v1/requests/{sent.slug}/"
    tag = client.get(path).headers["ETag"]
    discussion.add_comment(sent, author=outsider, text="A word.", key=uuid.uuid4())

    again = client.get(path, headers={"if-none-match": tag})

    assert (again.status_code, len(again.json()["messages"])) == (200, 1)


def test_tag_that_was_read_is_the_one_to_act_with(
    in_review: RegistrationRequest, expert: User
) -> None:
    client, path = Program.of(expert).client, f"/api/v1/requests/{in_review.slug}/"
    tag = client.get(path).headers["ETag"]
    act = f"{path}verbs/approve/"
    said = {"comment": "Sound.", "unanswered": "The text answers them.", **ACTS_FOR}

    done = client.post(act, said, JSON, headers={"if-match": tag})
    late = client.post(act, said, JSON, headers={"if-match": tag})

    assert [done.status_code, late.status_code] == [200, 412]


def test_two_readers_have_two_tags(in_review: RegistrationRequest, expert: User) -> None:
    path = f"/api/v1/requests/{in_review.slug}/"

    public, own = Client().get(path), Program.of(expert).client.get(path)

    assert public.headers["ETag"] != own.headers["ETag"]
