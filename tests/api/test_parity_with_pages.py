"""Everything people can do on a page, their programs can do as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, resolve

from registry.enums import Role
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

ELSEWHERE: Final = ("admin/", "accounts/", "api/", "demonstration/")
"""Signing in and accounts are for people in a browser, roles for the admin site."""
PARTS: Final = re.compile(r"<(?:(?P<kind>\w+):)?\w+>")
GROUPS: Final = re.compile(r"\(\?P<(\w+)>([^()]*)\)")
SAMPLES: Final = {
    "int": "1",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "form": "txt",
    "nid": "x",
    "name": "x",
    "number": "1",
    "pk": "1",
    "dated": "2026-01-02-0123456789ab",
    "reference": "x",
}
"""Sample values for parts of an address, by their kind or name."""
READ: Final = "it keeps nothing: it only reads what was typed, which `urn_check` reads as well"
BY_LETTER: Final = "it is the link of a letter, followed without an account; programs `unfollow`"
BY_LETTER_ALONE: Final = "it is the link of a letter, which an address answers without an account"
BY_ADDRESS: Final = (
    "it is the link of a letter to an address on record, followed without an account"
)
BROWSER: Final = "it is a setting of this browser"
BY_READERS: Final = "it is a letter between a reader and the registrar, which no program writes"
FOR_PROGRAMS: Final = "it is asked by programs alone, in a protocol of theirs"
IN_PERSON: Final = "who may decide is decided by people alone, as in the admin site"
BY_HAND: Final = "tokens are made by people alone, so that no token makes another"

BY_ITS_PERSON: Final = "no program deletes the account that it works for"
OF_SESSIONS: Final = "it is about sessions of a browser, which programs have none of"
FOR_EYES: Final = "it keeps a note of the editor out of sight, and programs leave it unread"

DOORS: Final[dict[str, tuple[str, ...] | str]] = {
    "account:confirm": OF_SESSIONS,
    "account:index": ("account_change",),
    "account:invitation": ("co_editor_join",),
    "account:own_data": BY_ITS_PERSON,
    "account:revoke_token": ("token_revoke",),
    "account:sessions": OF_SESSIONS,
    "account:template": ("request_start", "template_read", "draft_write"),
    "account:tokens": BY_HAND,
    "direction:detail": ("request_step",),
    "direction:recognition": ("recognition_answer",),
    "enquiries:detail": ("enquiry_answer",),
    "enquiries:new": ("enquiry_ask",),
    "following:index": ("account_change",),
    "following:leave": BY_LETTER,
    "following:leave_all": BY_LETTER,
    "following:new": ("follow",),
    "following:stop": ("unfollow",),
    "forms:reconcile": FOR_PROGRAMS,
    "contact:index": BY_READERS,
    "home:theme": BROWSER,
    "held:answer_hold_appeal": ("held_nid_answer",),
    "held:appeal_hold": ("held_nid_appeal",),
    "held:end_hold": ("held_nid_end",),
    "held:hold_nid": ("held_nid_hold",),
    "held:renew_hold": ("held_nid_renew",),
    "hooks:act": ("hook_act", "hook_remove"),
    "hooks:again": ("hook_redeliver",),
    "hooks:index": ("hook_add",),
    "inspect:find": ("urn_find_long",),
    "inspect:grammar": READ,
    "inspect:list": READ,
    "namespaces:confirm_contact": BY_LETTER_ALONE,
    "namespaces:contact": ("contact_confirm",),
    "namespaces:errata": BY_READERS,
    "namespaces:end_dispute": ("dispute_end",),
    "namespaces:iana_reference": ("iana_reference_enter",),
    "namespaces:record_dispute": ("dispute_record",),
    "namespaces:drop_locators": ("locators_drop",),
    "namespaces:holder": ("namespace_holder_act",),
    "namespaces:locators": ("locators_load",),
    "namespaces:stop_locators": ("locators_drop",),
    "officers:decide": IN_PERSON,
    "officers:stop": IN_PERSON,
    "officers:stop_by_letter": BY_LETTER_ALONE,
    "organizations:confirm": ("proof_confirm",),
    "organizations:delegates": ("speakers_act",),
    "organizations:letter": BY_ADDRESS,
    "organizations:speaker": ("speaker_act",),
    "organizations:proof": ("proof_look",),
    "organizations:evidence": ("organization_evidence",),
    "organizations:prove": ("proof_ask",),
    "publish:check_links": ("links_check",),
    "publish:confirm_contact": ("record_contact_confirm",),
    "publish:detail": ("request_step",),
    "publish:iana": ("iana_difference_enter", "iana_difference_set_aside"),
    "publish:reading": ("record_correct",),
    "publish:report": BY_READERS,
    "publish:withdraw_contact": ("record_contact_withdraw",),
    "requests:act": ("request_step",),
    "requests:answer": ("remark_answer",),
    "requests:begin": ("request_start", "template_read"),
    "requests:comment": ("message_write",),
    "requests:dismiss": FOR_EYES,
    "requests:show_note": FOR_EYES,
    "requests:take_back": ("pending_comment_take_back",),
    "requests:edit": ("draft_write",),
    "requests:facts": ("draft_write",),
    "requests:hide_message": ("message_moderate",),
    "requests:keep": ("request_step",),
    "requests:new": ("request_start",),
    "requests:object": BY_ADDRESS,
    "requests:paste": ("draft_write", "template_read"),
    "requests:people": ("co_editor_invite", "co_editor_take_back", "co_editor_remove"),
    "requests:recognition": ("recognition_ask",),
    "requests:send": ("request_step",),
    "requests:show_message": ("message_moderate",),
    "requests:update": ("draft_write",),
    "review:assign": ("request_step",),
    "review:away": ("absence_note",),
    "review:back": ("absence_end",),
    "review:checklist": ("checklist_answer",),
    "review:conflicts": ("conflict_declare",),
    "review:detail": ("request_step",),
    "review:drop_remark": ("remark_settle",),
    "review:end": ("conflict_end",),
    "review:notes": ("note_write",),
    "review:recuse": ("request_step",),
    "review:remark": ("remark_write",),
    "review:reopen_remark": ("remark_settle",),
    "review:rota": ("request_rota",),
    "review:invite": ("adviser_invite",),
    "review:take": ("request_step",),
    "services:add": ("service_add",),
    "services:change": ("service_change",),
    "services:check": ("service_probe",),
    "services:support": ("keyword_support_ask",),
    "services:withdraw": ("service_withdraw",),
    "sightings:correct_sighting": ("sighting_correct",),
    "sightings:note_sighting": ("sighting_note",),
    "sightings:notify_sighting": ("sighting_notify",),
    "sightings:withdraw_sighting": ("sighting_withdraw",),
    "vocabularies:change": ("query_keyword_change", "service_designator_change"),
    "vocabularies:enter": ("query_keyword_enter", "service_designator_enter"),
}
"""The operations that do the same as a page, by its name, or why there are none."""


def pages(resolver: Any, before: str = "", name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and a sample address of every page."""
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            own = f"{name}{pattern.namespace}:" if pattern.namespace else name
            yield from pages(pattern, route, own)
        elif not route.startswith(ELSEWHERE) and pattern.name:
            yield f"{name}{pattern.name}", sample(route)


def sample(route: str) -> str:
    """Return an address that a route matches."""
    plain = GROUPS.sub(lambda part: SAMPLES.get(part[1]) or part[2].partition("|")[0], route)
    plain = re.sub(r"[\^$]|\\Z", "", plain).replace(r"[\s\S]+", "x").replace("\\", "")
    return "/" + PARTS.sub(lambda part: SAMPLES.get(part["kind"] or "", "x"), plain)


@pytest.mark.whole
def test_every_act_of_a_page_has_a_door_for_programs(client: Client) -> None:
    found = dict(pages(get_resolver()))
    client.force_login(UserFactory.create(roles=list(Role)))

    accepting = {name for name, url in found.items() if client.post(url).status_code != 405}

    assert [name for name, url in found.items() if resolve(url).view_name != name] == []
    assert accepting == set(DOORS)


def test_doors_are_those_that_the_description_tells_of(client: Client) -> None:
    described = {
        told["operationId"]
        for operations in client.get("/api/schema/").json()["paths"].values()
        for told in operations.values()
    }

    named = {each for doors in DOORS.values() if isinstance(doors, tuple) for each in doors}

    assert named - described == set()
