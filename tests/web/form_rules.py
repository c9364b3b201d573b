"""Who of the cast may cause what by a form: our expectations, written by hand.

They are in the words of docs/process.md (People, States of a request, Whose namespace) and take
nothing from `registry.permissions`. The cast and the requests are those of `tests.browser.scene`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CAST: Final = (
    "stranger",
    "unconfirmed",
    "outsider",
    "registrant",
    "co-editor",
    "expert",
    "second",
    "temporary",
    "lead",
    "registrar",
    "standards",
    "administrator",
)
"""`unconfirmed` has an account and no confirmed address, `second` is an expert whom nothing was
given but what they have to declare about, and `temporary` is the expert on one request alone.
"""
ACCOUNTS: Final = " ".join(CAST[1:])
CONFIRMED: Final = " ".join(CAST[2:])
EXPERTS: Final = "expert second lead"
JUDGES: Final = "expert temporary"
AFFECTED: Final = CONFIRMED.replace("standards ", "")
"""Who may appeal: not the body that hears appeals."""


def spell_out(*lines: tuple[str, str]) -> dict[str, frozenset[str]]:
    """Return who may do each thing, from lines of people and the things they may do."""
    table: dict[str, frozenset[str]] = {}
    for people, things in lines:
        for thing in things.split():
            table[thing] = table.get(thing, frozenset()) | frozenset(people.split())
    return table


ACTS: Final[Mapping[str, frozenset[str]]] = spell_out(
    # Anyone
    (ACCOUNTS, "start"),
    (CONFIRMED, "comment ask_enquiry"),
    (AFFECTED, "appeal appeal_hold"),
    # The registrant's side, and who is asked to join it
    ("registrant", "submit withdraw reopen invite take_invitation_back ask_recognition"),
    ("registrant co-editor", "remove_co_editor"),
    ("outsider", "join"),
    # Who speaks for a body: the registrant for two, the outsider for another
    ("registrant outsider standards", "end_speaker await_speaker"),
    ("registrant", "await_removal stop_speaker"),
    ("outsider", "consent object"),
    # Experts
    (f"{JUDGES} second", "remark approve"),
    (f"{JUDGES} second standards", "decline"),
    (f"{JUDGES} second lead registrar standards", "request_changes"),
    ("expert", "advise drop_remark reopen_remark"),
    ("registrant", "challenge"),
    ("lead", "answer_challenge invite_adviser"),
    ("second", "end_conflict"),
    (f"{EXPERTS} standards", "assign"),
    (f"{EXPERTS} temporary", "recuse declare_conflict"),
    (f"{EXPERTS} registrar", "answer_enquiry"),
    (f"{EXPERTS} registrar", "note_sighting notify_sighting withdraw_sighting"),
    ("lead standards", "extend"),
    ("lead registrar", "hide_message show_message"),
    # The registrar
    ("registrar", "register record_evidence sync_iana set_iana_aside"),
    ("registrar", "record_dispute end_dispute confirm_record_contact record_speaker"),
    ("registrar", "add_service withdraw_service drop_locators answer_erratum"),
    ("registrar standards", "hold_nid end_hold countersign"),
    ("registrar standards", "record_organization_evidence withdraw_organization_evidence"),
    # The standards body
    ("standards", "direct decide_appeal"),
    ("standards", "recognise refuse_recognition withdraw_recognition"),
    ("standards", "answer_hold_appeal rule_on_speakers"),
    ("standards", "countersign_speaker"),
    # Officers, and a delegate's address
    (f"{EXPERTS} registrar standards administrator", "stop_officer_change"),
    ("standards administrator", "decide_officer_change"),
    ("outsider", "announce_officer_change"),
)
"""Each event, and everybody of the cast who causes it by one of the forms of the scene."""
ACTS_BESIDE: Final[Mapping[str, frozenset[str]]] = spell_out(
    ("registrant", "reroute complete add_speaker consent resume_speaker"),
    ("outsider", "submit withdraw stop_speaker"),
    (CONFIRMED, "object"),
    ("expert", "report"),
    ("lead", "reroute"),
    ("registrar", "correct_record change_service set_iana_reference"),
    ("registrar standards", "renew_hold"),
)
"""What else somebody may cause; changed forms lead there now and then."""

JUDGED_BY: Final = {
    "expert": (
        "seedbank taken changes-asked changes-begun second-round approved informal-approved "
        "advisory declined appealed reported refused sent-back revision unknown-version"
    ).split(),
    "second": ["put-on"],
    "temporary": ["lent"],
    "lead": ["in-review", "taken", "second-round", "put-on", "rival", "open-revision"],
    "registrar": ["approved", "informal-approved", "unknown-version", "heir-unproved", "transfer"],
    "standards": ["reported"],
}
"""The requests that were given to an expert, or that are in somebody's office."""
JUDGING: Final = frozenset(
    {
        *("remark", "drop_remark", "reopen_remark", "approve", "decline", "request_changes"),
        *("report", "advise"),
    }
)
WRITING: Final = frozenset(
    {"submit", "withdraw", "reopen", "invite", "take_invitation_back", "reroute"}
)
WRITERS: Final = {"unproved": ["outsider"], "draft": ["registrant", "co-editor"]}
"""Who writes a request; any other is the registrant's, or of whoever began it by the post."""
OBJECTORS: Final = {"transfer": ["registrant", "outsider"], "heir-unproved": CONFIRMED.split()}
"""Who may object to a request: to any other the registrant, who speaks for its only known body.

For the holder of `heir-unproved` nobody on record can.
"""


def may_act(name: str, verb: str, request: str | None) -> bool:
    """Whether one of the cast may cause an event about `request`.

    It is empty for a request that is none of the scene, and None if the event is about none.
    """
    if name not in ACTS.get(verb, frozenset()) | ACTS_BESIDE.get(verb, frozenset()):
        return False
    if verb in JUDGING:
        return request in JUDGED_BY[name]
    if verb == "recuse" and name == "temporary":
        return request in JUDGED_BY[name]
    if verb == "object":
        return name in OBJECTORS.get(request or "", ["registrant"])
    if verb in WRITING and request:
        return may_write(name, request) and name != "co-editor"
    return True


def may_write(name: str, request: str) -> bool:
    """Whether one of the cast may change the text of a request."""
    return name in WRITERS.get(request, ["registrant"])


BY_LETTER: Final = frozenset(
    {
        "hear_contact",
        "keep",
        "object",
        "end_speaker",
        "resume_speaker",
        "stop_speaker",
        "stop_officer_change",
    }
)
"""Events for which a letter's link is enough: nobody has to be signed in."""
FOLLOWS: Final[Mapping[str, str]] = {
    "announce_removal": "await_removal",
    "announce_speaker": "await_speaker",
    "announce_stop": "stop_speaker",
    "admin.change": "decide_officer_change",
}
"""Events that the registry itself writes, each after one that somebody caused."""
OPEN_TO_ALL: Final = (
    "account/follows/leave",
    "account/templates/",
    "accounts/confirm-email/",
    "accounts/password/reset/key/",
    "accounts/sign-up/",
    "officers/stop/",
)
"""Where it does not matter who sends a form: the address has a letter's secret, or an account is
made.
"""
OWN_ROWS: Final[Mapping[str, str]] = {
    "account_emailaddress": "user_id",
    "mfa_authenticator": "user_id",
    "registry_absence": "expert_id",
    "registry_checklistanswer": "expert_id",
    "registry_conflictofinterest": "expert_id",
    "registry_dismissedfinding": "person_id",
    "registry_follow": "person_id",
    "registry_message": "author_id",
    "registry_pendingcomment": "author_id",
    "registry_speaker": "person_id",
    "registry_report": "author_id",
    "registry_token": "user_id",
    "registry_user": "id",
    "registry_webhook": "owner_id",
}
"""Tables of what belongs to one person each, and the column that says to whom."""
OF_REQUESTS: Final = frozenset(
    {"registry_registrationrequest", "registry_remark", "registry_requestcheck", "registry_round"}
)
"""Tables of what those who write a request may change without an event."""
OTHER_ROWS: Final[Mapping[str, str]] = {
    "registry_erratum": "registrar",
    "registry_locatortable": "registrar",
    "registry_report": "registrar",
    "registry_webhookattempt": "outsider",
    "registry_webhookdelivery": "outsider",
}
"""Other tables, and who may change them without an event; the webhooks are the outsider's."""
PASSES: Final = frozenset(
    {
        *("django_session", "usersessions_usersession", "registry_cache", "registry_ratelimit"),
        *("registry_signinsource", "registry_readmarker", "registry_accountevent"),
        *("registry_letter", "registry_counter", "django_tasks_database_dbtaskresult"),
    }
)
"""Tables of visits, counts, records and letters, which follow from anything and do nothing."""
