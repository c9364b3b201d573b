"""Banning and unbanning somebody, and hiding everything that one person wrote in discussions."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from registry import journal
from registry.actions import bans, discussion, incoming_mail, pending_comments
from registry.actions.bans import (
    BanError,
    ban_account,
    find_comments,
    lift_ban,
    withhold_comments,
)
from registry.enums import AccountEventKind
from registry.models import (
    AccountEvent,
    Event,
    Letter,
    Message,
    PendingComment,
    RegistrationRequest,
    Token,
    User,
)
from registry.workflow import ActionRefused
from tests.actions.letters import letter
from tests.api.clients import Program
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
ACCOUNTS = "admin:registry_user_changelist"


def find_last_line() -> Event:
    """Return the last event of the journal."""
    return Event.objects.latest("number")


@pytest.fixture
def comments(in_review: RegistrationRequest, outsider: User) -> list[Message]:
    """Three comments of one person, the first of which was hidden separately."""
    found = [
        discussion.add_comment(in_review, author=outsider, text=f"Buy {n}.", key=uuid.uuid4())
        for n in range(3)
    ]
    lead = UserFactory.create(roles=["lead expert"])
    discussion.hide_message(found[0], moderator=lead, reason="It names somebody.")
    return found


def test_banned_people_neither_sign_in_nor_write_nor_ask_and_are_told_why(
    in_review: RegistrationRequest, outsider: User, administrator: User, sign_in: SignIn
) -> None:
    session, program = sign_in(outsider), Program.of(outsider)
    pending_comments.send_comment(in_review, author=outsider, text="Buy seeds.", key=uuid.uuid4())
    assert session.get("/account/requests/").status_code == 200

    ban_account(outsider, reason="It sold seeds.", actor=administrator, network="192.0.2.0/24")

    assert session.get("/account/requests/").status_code == 302
    assert program.get("").status_code == 401
    assert not Token.objects.filter(user=outsider).exists()
    assert not PendingComment.objects.exists()
    with pytest.raises(ActionRefused):
        discussion.add_comment(in_review, author=outsider, text="Again.", key=uuid.uuid4())
    fields = {"login": outsider.email, "password": PASSWORD}
    tried = Client().post("/accounts/sign-in/", fields)
    assert tried.status_code == 302
    assert tried["Location"] == reverse("account_inactive")
    letter = Letter.objects.latest("pk")
    assert (letter.address, "It sold seeds." in letter.text) == (outsider.email, True)
    assert "192.0.2" not in letter.text


def test_ban_stands_in_journal_and_log_and_its_reason_in_the_log_alone(
    outsider: User, administrator: User
) -> None:
    ban_account(outsider, reason="Spam.", actor=administrator)
    banned = find_last_line()
    lift_ban(outsider, reason="A mistake.", actor=administrator)
    lifted = find_last_line()

    assert [each.data["changed"] for each in (banned, lifted)] == [
        {"is_active": {"from": True, "to": False}},
        {"is_active": {"from": False, "to": True}},
    ]
    assert {each.actor for each in (banned, lifted)} == {administrator}
    assert "Spam" not in f"{banned.entry}{banned.comment}{banned.data}"
    logged = AccountEvent.objects.filter(user=outsider).order_by("pk")
    assert [(each.kind, each.detail, each.actor) for each in logged] == [
        (AccountEventKind.SWITCHED_OFF, "Spam.", administrator),
        (AccountEventKind.SWITCHED_ON, "A mistake.", administrator),
    ]
    assert Client().login(username=outsider.email, password=PASSWORD)


def test_ban_is_refused_without_a_reason_for_oneself_and_above_oneself(
    outsider: User, administrator: User
) -> None:
    above = UserFactory.create(is_superuser=True)

    for person, reason in ((outsider, " "), (administrator, "Me."), (above, "Them.")):
        with pytest.raises(BanError):
            ban_account(person, reason=reason, actor=administrator)
    with pytest.raises(BanError, match="is in use"):
        lift_ban(outsider, reason="Why not.", actor=administrator)

    assert not User.objects.filter(is_active=False).exists()


def test_administrators_ban_and_let_in_on_the_list_of_accounts(
    outsider: User, administrator: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)

    def act(action: str, reason: str) -> bool:
        chosen = {"action": action, "reason": reason, ACTION_CHECKBOX_NAME: [outsider.pk]}
        client.post(reverse(ACCOUNTS), chosen)
        outsider.refresh_from_db()
        return outsider.is_active

    assert [act("ban", ""), act("ban", "Spam."), act("lift", "Not they.")] == [True, False, True]


def test_operator_bans_and_lets_in_by_command(outsider: User) -> None:
    call_command("ban_account", outsider.email, reason="Spam.")
    outsider.refresh_from_db()
    banned = outsider.is_active
    call_command("ban_account", outsider.email, reason="Not they.", lift=True)
    outsider.refresh_from_db()

    assert (banned, outsider.is_active) == (False, True)
    assert find_last_line().actor_name == "The operator"
    with pytest.raises(CommandError, match=r"nobody@people\.example"):
        call_command("ban_account", "nobody@people.example", reason="Spam.")


def test_all_comments_of_an_account_are_hidden_and_shown_again_but_for_others(
    comments: list[Message], outsider: User, registrar: User
) -> None:
    said = {"moderator": registrar.email, "reason": "Spam."}

    def list_hidden() -> list[str]:
        hidden = Message.objects.filter(author=outsider, hidden_at__isnull=False).order_by("pk")
        return list(hidden.values_list("hidden_reason", flat=True))

    call_command("withhold_comments", outsider.email, **said)
    hidden = list_hidden()
    verbs = list(Event.objects.filter(verb="hide_message", comment="Spam.").values_list("actor"))
    call_command("withhold_comments", outsider.email, **said, restore=True)

    assert hidden == ["It names somebody.", "Spam.", "Spam."]
    assert verbs == [(registrar.pk,)] * 2
    assert list_hidden() == ["It names somebody."]


def test_comments_are_hidden_in_groups_and_what_failed_halfway_is_finished_by_running_it_again(
    comments: list[Message],
    outsider: User,
    registrar: User,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bans, "COMMENTS_PER_TRANSACTION", 1)
    said = {"moderator": registrar.email, "reason": "Spam."}
    hide, groups = discussion.hide_messages, list[Sequence[int]]()

    def hide_but_the_second(keys: Sequence[int], *, moderator: User, reason: str) -> int:
        groups.append(keys)
        if len(groups) == 2:
            raise ActionRefused("The role was lost.")
        return hide(keys, moderator=moderator, reason=reason)

    monkeypatch.setattr(discussion, "hide_messages", hide_but_the_second)
    with pytest.raises(CommandError, match=r"^The role was lost\..* 1\.$"):
        call_command("withhold_comments", outsider.email, **said)
    halfway = list(Message.objects.filter(hidden_reason="Spam.").values_list("pk", flat=True))
    call_command("withhold_comments", outsider.email, **said)

    assert groups == [[comments[1].pk], [comments[2].pk], [comments[2].pk]]
    assert halfway == [comments[1].pk]
    assert capsys.readouterr().out == "Comments hidden: 1.\n"
    assert Message.objects.filter(hidden_reason="Spam.").count() == 2


def test_group_of_comments_is_hidden_as_a_whole_with_a_letter_and_a_line_for_each(
    comments: list[Message], outsider: User, registrar: User
) -> None:
    last = find_last_line().number

    hidden = withhold_comments(find_comments(outsider), moderator=registrar, reason="Spam.")
    assert list(hidden) == [2]

    lines = Event.objects.filter(number__gt=last).order_by("number")
    told = [(each.verb, each.data["message"], each.comment, each.actor) for each in lines]
    assert told == [("hide_message", each.number, "Spam.", registrar) for each in comments[1:]]
    addresses = Letter.objects.filter(event__in=lines).values_list("address", flat=True)
    assert list(addresses) == [outsider.email] * 2
    assert list(journal.verify()) == []


def test_administration_says_how_many_comments_were_hidden(
    comments: list[Message], outsider: User, sign_in: SignIn
) -> None:
    client = sign_in(UserFactory.create(roles=["administrator", "lead expert"], is_staff=True))
    chosen = {"action": "withhold", "reason": "Spam.", ACTION_CHECKBOX_NAME: [outsider.pk]}

    answer = client.post(reverse(ACCOUNTS), chosen, follow=True)

    assert "done, 2 " in answer.text


def test_nobody_but_a_moderator_hides_comments(
    comments: list[Message], outsider: User, administrator: User, sign_in: SignIn
) -> None:
    with pytest.raises(CommandError, match=re.escape(discussion.describe_moderators())):
        call_command(
            "withhold_comments", outsider.email, moderator=administrator.email, reason="Spam."
        )
    chosen = {"action": "withhold", "reason": "Spam.", ACTION_CHECKBOX_NAME: [outsider.pk]}
    answer = sign_in(administrator).post(reverse(ACCOUNTS), chosen, follow=True)

    assert discussion.describe_moderators() in answer.text
    assert Message.objects.filter(hidden_at__isnull=False).count() == 1


def take_letter(sender: str, text: str) -> Message:
    """Take in a letter to the discussion as the list delivers it."""
    written = letter(text, sender=sender, message_id=f"<{uuid.uuid4()}@elsewhere.example>")
    taken = incoming_mail.receive_letter(written.as_bytes())
    assert isinstance(taken, Message)
    return taken


def list_hidden_texts() -> list[str]:
    """Return what is hidden from readers, in the order in which it came."""
    hidden = Message.objects.filter(hidden_at__isnull=False).order_by("pk")
    return list(hidden.values_list("text", flat=True))


def test_all_letters_of_a_sender_without_an_account_are_hidden_and_shown_again(
    in_review: RegistrationRequest, outsider: User, registrar: User
) -> None:
    said = {"moderator": registrar.email, "reason": "Spam."}
    discussion.add_comment(in_review, author=outsider, text="A comment.", key=uuid.uuid4())
    take_letter("Seeds <sale@seeds.example>", "Buy seeds.")
    take_letter("Somebody <somebody@seeds.example>", "Will the codes stay?")
    take_letter("More Seeds <Sale@Seeds.example>", "Buy more seeds.")
    take_letter(f"Olaf <{outsider.email}>", "A letter of an account.")

    call_command("withhold_comments", " SALE@seeds.example", **said)
    hidden = list_hidden_texts()
    call_command("withhold_comments", "sale@seeds.example", **said, restore=True)

    assert hidden == ["Buy seeds.", "Buy more seeds."]
    assert list_hidden_texts() == []
    lines = Event.objects.filter(verb__in=["hide_message", "show_message"]).order_by("number")
    assert [(each.verb, each.data["message"], each.actor) for each in lines] == [
        (verb, number, registrar) for verb in ("hide_message", "show_message") for number in (2, 4)
    ]


def test_senders_are_recognized_by_earlier_keys_too_but_by_no_other(
    in_review: RegistrationRequest, registrar: User, settings: Settings
) -> None:
    said = {"moderator": registrar.email, "reason": "Spam."}
    settings.REGISTRY_DATA_KEYS = ["the key of last year"]
    take_letter("Seeds <sale@seeds.example>", "Buy seeds.")
    settings.REGISTRY_DATA_KEYS = ["another key"]
    with pytest.raises(CommandError, match=r"sale@seeds\.example"):
        call_command("withhold_comments", "sale@seeds.example", **said)
    settings.REGISTRY_DATA_KEYS = ["the key of this year", "the key of last year"]
    take_letter("Seeds <sale@seeds.example>", "Buy more seeds.")

    call_command("withhold_comments", "sale@seeds.example", **said)

    assert list_hidden_texts() == ["Buy seeds.", "Buy more seeds."]


def test_letters_that_came_while_an_account_was_banned_are_hidden_with_its_comments(
    comments: list[Message], outsider: User, administrator: User, sign_in: SignIn
) -> None:
    ban_account(outsider, reason="It sold seeds.", actor=administrator)
    taken = take_letter(f"Olaf <{outsider.email.upper()}>", "Buy by mail.")
    assert taken.author is None
    client = sign_in(UserFactory.create(roles=["administrator", "lead expert"], is_staff=True))

    chosen = {"action": "withhold", "reason": "Spam.", ACTION_CHECKBOX_NAME: [outsider.pk]}
    answer = client.post(reverse(ACCOUNTS), chosen, follow=True)

    assert "done, 3 " in answer.text
    assert list_hidden_texts() == ["Buy 0.", "Buy 1.", "Buy 2.", "Buy by mail."]


def test_address_that_an_account_only_claims_brings_no_letters_to_it(
    comments: list[Message], outsider: User, registrar: User
) -> None:
    EmailAddress.objects.create(user=outsider, email="maja@elsewhere.example", verified=False)
    take_letter("Maja <maja@elsewhere.example>", "Will the codes stay?")

    call_command("withhold_comments", outsider.email, moderator=registrar.email, reason="Spam.")

    assert list_hidden_texts() == ["Buy 0.", "Buy 1.", "Buy 2."]
