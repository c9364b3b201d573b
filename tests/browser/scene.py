"""A registry in which something of everything has happened, for tests that look at each page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from django.core import mail
from django.core.management import call_command
from django.utils import timezone
from fido2.cose import ES256
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    RegistrationResponse,
)

from registry import workflow
from registry.actions import conflicts_of_interest, recognition, remarks
from registry.actions.follows import FollowTarget, start_following
from registry.actions.officer_changes import give_role, reset_factor, stop_change
from registry.demonstration import mailbox
from registry.enums import (
    AppealGround,
    ChangeKind,
    RemarkWeight,
    RequestPath,
    Role,
    State,
)
from registry.exchange.exports.entries import list_entries
from registry.exchange.exports.xml_documents import write_iana_xml
from registry.exchange.iana import synchronize
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.notifications.letters import sign_person
from registry.notifications.reminders import build_keep_path
from registry.selectors.request_clock import read_request_clock
from registry.template import Template
from registry.workflow import drafts
from tests import small_changes
from tests.browser.bodies import keys_of_bodies
from tests.browser.holders import keep_holder_links
from tests.browser.office import keep_office
from tests.browser.programs import keep_programs
from tests.browser.talk import contend, talk
from tests.factories import (
    OrganizationFactory,
    UserFactory,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.records import copy_documents, import_from, make_imported_namespace
from tests.template.samples import FORMAL, INFORMAL, REVISION

REASONS = """Sound on the whole. Before it can be approved:

- Say under Assignment who decides when two vaults claim one accession.
- Give the year in which the codes were first printed."""
ANSWER = "\n\nWhere two vaults claim one accession, the identifier desk decides."


@dataclass(frozen=True)
class Scene:
    """The people, the requests by their state, and keys from letters."""

    people: Mapping[str, User]
    requests: Mapping[str, RegistrationRequest]
    keys: Mapping[str, str]

    def address(self, pattern: str) -> str:
        """Return an address, with names in braces replaced by references and keys."""
        slugs = {name: each.slug for name, each in self.requests.items()}
        return pattern.format_map({**slugs, **self.keys})


class Stage:
    """Moves requests through the process, each step taken by one of the cast."""

    def __init__(self, people: Mapping[str, User]) -> None:
        self.people = people
        self.organization: Organization = OrganizationFactory.create(
            name="Northlight Seed Vault Federation"
        )
        # The body is known from its first namespace on, and consents to what she sends after it.
        let_speak_for(self.organization, people["registrant"])
        self.requests: dict[str, RegistrationRequest] = {}

    def begin(
        self,
        name: str,
        path: RequestPath = RequestPath.COMMUNITY,
        *,
        standards_action: bool = False,
    ) -> RegistrationRequest:
        """Let the registrant write a request; a formal one asks for a NID named like it."""
        text = INFORMAL if path == RequestPath.INFORMAL else named(FORMAL, name.replace("-", ""))
        begun = start(self.people["registrant"], self.organization, text, path)
        begun.standards_action = standards_action
        begun.save()
        self.requests[name] = begun
        return begun

    def act(self, name: str, *verbs: str) -> None:
        """Take steps on the request of that name, with reasons where required."""
        for verb in verbs:
            if verb in REMARKING:
                REMARKING[verb](self.requests[name], self.people)
                continue
            is_reported = self.requests[name].state == State.REPORTED
            actor = self.people["standards" if is_reported else BY.get(verb, "expert")]
            comment = REASONS if workflow.VERBS[verb].comment else ""
            data: dict[str, Any] = GROUNDS.get(verb, {})
            workflow.perform(self.requests[name], verb, actor=actor, comment=comment, **data)

    def put_on(self, name: str, expert: str) -> None:
        """Assign an expert of the cast to a new request who has reasons to hesitate."""
        self.begin(name)
        self.act(name, "submit")
        today, person = timezone.localdate(), self.people[expert]
        person.absences.create(first_day=today, last_day=today)
        conflicts_of_interest.declare_conflict(
            person, OrganizationFactory.create(name="Saltmarsh Charts Cooperative")
        )
        lead = self.people["lead"]
        workflow.perform(self.requests[name], "assign", actor=lead, expert=person)

    def rewrite(self, name: str, **changes: object) -> None:
        """Change the draft of the request of that name."""
        registration_request = self.requests[name]
        draft = registration_request.rounds.get(submitted_at__isnull=True)
        drafts.save_draft(draft, changes, seen=draft.edition)
        registration_request.refresh_from_db()

    def revise(self, name: str, nid: str, text: Template) -> None:
        """Let the registrant write a revision of a registered namespace."""
        begun = drafts.start_request(
            author=self.people["registrant"],
            path=RequestPath.COMMUNITY,
            organization=self.organization,
            summary="Accessions held by federated seed vaults",
            namespace=Namespace.objects.get(nid=nid),
        )
        self.requests[name] = begun
        written = {key: value for key, value in text.to_dict().items() if key != "nid"}
        self.rewrite(name, **written)


GROUNDS: dict[str, dict[str, Any]] = {
    "appeal": {"ground": AppealGround.JUDGEMENT},
}
BY = {
    "submit": "registrant",
    "withdraw": "registrant",
    "appeal": "outsider",
    "register": "registrar",
}


def cast() -> dict[str, User]:
    """Create one account for each role, one that writes and one that only reads."""
    roles: dict[str, tuple[Role, ...]] = {
        "registrant": (),
        "outsider": (),
        "expert": (Role.EXPERT,),
        "second": (Role.EXPERT,),
        "lead": (Role.LEAD,),
        "registrar": (Role.REGISTRAR,),
        "standards": (Role.STANDARDS_BODY,),
    }
    people = {
        name: UserFactory.create(
            name=f"{name.capitalize()} of the cast", email=f"{name}@people.example", roles=offices
        )
        for name, offices in roles.items()
    }
    people["newcomer"] = UserFactory.create(email="newcomer@people.example", confirmed=False)
    people["without-password"] = UserFactory.create(email="code@people.example", password=None)
    return people


def named(text: Template, nid: str) -> Template:
    """Return the same text for another NID, including its prose."""
    return text.replace(**{name: text[name].replace("seedbank", nid) for name in text.to_dict()})


def build(people: Mapping[str, User]) -> Scene:
    """Fill the registry: its namespaces, and a request in every state that a step leads to."""
    call_command("load_registry", verbosity=0)
    read_elsewhere()
    stage = Stage(people)
    let_ask_often(people["registrant"])
    stage.begin("draft")
    blank = start(people["registrant"], stage.organization, Template.blank(), RequestPath.INFORMAL)
    stage.requests["blank"] = blank
    for name, path, verbs in COURSES:
        stage.begin(name, path, standards_action="report" in verbs)
        stage.act(name, *verbs)
    stage.rewrite("changes-begun", assignment=FORMAL.assignment + ANSWER)
    stage.rewrite("second-round", assignment=FORMAL.assignment + ANSWER)
    stage.act("second-round", "submit")
    stage.put_on("put-on", "second")
    stage.revise("revision", "seedbank", REVISION)
    stage.act("revision", "submit")
    small_changes.record_consent(stage.requests["revision"])
    stage.revise("outdated", "seedbank", REVISION)
    stage.act("revision", "assign", "approve", "register")
    stage.revise("open-revision", "seedbank", REVISION)
    stage.rewrite("open-revision", documentation=REVISION.documentation + ANSWER)
    stage.act("open-revision", "submit")
    stage.revise("unknown-version", "isbn", named(REVISION, "isbn"))
    stage.act("unknown-version", "submit")
    small_changes.record_consent(stage.requests["unknown-version"])
    stage.act("unknown-version", "assign", "approve")
    talk(people, stage.requests["second-round"])
    stage.requests["rival"] = contend(people, named(FORMAL, "taken"))
    change_facts(stage)
    mail.send_mail("A letter", "Read it at https://northlight.example/.", None, ["a@b.example"])
    keys = keys_for(people) | recognitions(people) | keys_of_bodies(people, stage.requests)
    keys |= keep_programs(people) | keep_office(people) | keep_factors(people)
    keys |= keep_holder_links(people, stage.requests)
    return Scene(people, stage.requests, keys)


def read_elsewhere() -> None:
    """Read documents of record, one of them only partly, and an IANA list with differences."""
    make_imported_namespace("needle", "RFC9998", "RFC9997")
    make_imported_namespace("wickpat", "RFC9999")
    with TemporaryDirectory() as name:
        folder = copy_documents(Path(name))
        document = folder / "rfc9999.txt"
        text = document.read_text("utf-8")
        document.write_text(text.replace("2004-06-01\n", "2004-06-01\n      Bound in green.\n"))
        import_from(folder, "needle", "wickpat")
    ours = "".join(write_iana_xml(list_entries()))
    theirs = ours.replace("Neuro-Foundation", "Another Foundation").replace("rfc9999", "rfc9990")
    synchronize(apply=False, octets=theirs.encode())


def remark(registration_request: RegistrationRequest, people: Mapping[str, User]) -> None:
    """Let the expert remark on overlapping passages, and on a whole section."""
    last = registration_request.last_round
    assert last is not None
    passages = (
        (
            "syntax",
            "The accession number is one to six",
            RemarkWeight.MUST_FIX,
            "Which zeros count?",
        ),
        ("syntax", "one to six decimal digits", RemarkWeight.QUESTION, "May there be letters?"),
        ("resolution", "", RemarkWeight.ADVICE, REASONS),
    )
    for section, quote, weight, text in passages:
        remarks.add_remark(
            registration_request,
            actor=people["expert"],
            round_number=last.number,
            section=section,
            weight=weight,
            text=text,
            quote=quote,
            start=last.template[section].index(quote) if quote else None,
        )


def answer(registration_request: RegistrationRequest, people: Mapping[str, User]) -> None:
    """Let the registrant answer what must be fixed."""
    for unsettled in registration_request.remarks.must_fix():
        remarks.answer_remark(
            unsettled, actor=people["registrant"], settlement="explained", text="None.", seen=":"
        )


REMARKING = {"remark": remark, "answer": answer}


def change_facts(stage: Stage) -> None:
    """Change facts of namespaces: requested, sent without proof, and published."""
    registrant, body = stage.people["registrant"], stage.organization
    isbn, informal = (Namespace.objects.get(nid=nid) for nid in ("isbn", "urn-2"))
    stage.requests["contact"] = small_changes.begin(isbn, ChangeKind.CONTACT, registrant, body)
    stage.requests["status"] = small_changes.begin(
        isbn, ChangeKind.STATUS, registrant, body, status="obsolete", notice=""
    )
    stage.requests["unproved"] = small_changes.begin(
        isbn, ChangeKind.REFERENCE, stage.people["outsider"], body
    )
    transfer = small_changes.send(isbn, ChangeKind.TRANSFER, registrant, body)
    small_changes.record_consent(transfer)
    stage.requests["heir-unproved"] = transfer
    done = small_changes.send(informal, ChangeKind.STATUS, registrant, body)
    small_changes.record_consent(done)
    small_changes.bring_second_officer(done)
    workflow.perform(done, "register", actor=stage.people["registrar"])
    stage.requests["deprecation"] = done


def recognitions(people: Mapping[str, User]) -> dict[str, str]:
    """Let two bodies ask for recognition, one of them with success; return their keys."""
    asking, answered = (
        recognition.request_recognition(
            OrganizationFactory.create(name=name), people["registrant"], statement
        )
        for name, statement in (
            (
                "Saltmarsh Tide Institute",
                "A scientific society, founded 1911, https://tide.example.",
            ),
            ("Club of Kite Fliers", "A club."),
        )
    )
    recognition.grant_recognition(
        answered,
        actor=people["standards"],
        recognised_on=timezone.localdate(),
        source="Minutes of 3 March",
    )
    return {"asking": str(asking.pk), "answered": str(answered.pk)}


def keys_for(people: Mapping[str, User]) -> dict[str, str]:
    """Return the keys that letters to two of the cast would contain."""
    newcomer, outsider = people["newcomer"], people["outsider"]
    address = newcomer.emailaddress_set.create(email=newcomer.email, primary=True)
    watch = start_following(outsider, FollowTarget())
    fast = RegistrationRequest.objects.filter(state=State.ADVISORY).earliest("pk")
    keep = build_keep_path(fast, read_request_clock(fast).idle_since)
    start_following(outsider, FollowTarget(nid="seedbank"))
    start_following(outsider, FollowTarget(RegistrationRequest.objects.public().latest("pk")))
    return {
        "confirmation-key": EmailConfirmationHMAC(address).key,
        "password-key": "-".join(
            (user_pk_to_url_str(outsider), default_token_generator.make_token(outsider))
        ),
        "letter": mailbox.list_letter_names()[0],
        "watch-key": watch.key,
        "keep-word": keep.rstrip("/").rpartition("/")[2],
        "watcher": sign_person(outsider),
    }


COURSES: tuple[tuple[str, RequestPath, tuple[str, ...]], ...] = (
    ("seedbank", RequestPath.COMMUNITY, ("submit", "assign", "approve", "register")),
    ("in-review", RequestPath.COMMUNITY, ("submit",)),
    ("taken", RequestPath.COMMUNITY, ("submit", "assign", "remark")),
    ("changes-asked", RequestPath.COMMUNITY, ("submit", "assign", "request_changes")),
    ("changes-begun", RequestPath.COMMUNITY, ("submit", "assign", "remark", "request_changes")),
    (
        "second-round",
        RequestPath.COMMUNITY,
        ("submit", "assign", "remark", "request_changes", "answer"),
    ),
    ("approved", RequestPath.COMMUNITY, ("submit", "assign", "approve")),
    ("informal-approved", RequestPath.INFORMAL, ("submit", "assign", "approve")),
    ("advisory", RequestPath.FAST_TRACK, ("submit", "assign")),
    ("declined", RequestPath.COMMUNITY, ("submit", "assign", "decline")),
    ("appealed", RequestPath.COMMUNITY, ("submit", "assign", "decline", "appeal")),
    ("reported", RequestPath.COMMUNITY, ("submit", "assign", "report")),
    ("refused", RequestPath.COMMUNITY, ("submit", "assign", "report", "decline")),
    ("sent-back", RequestPath.COMMUNITY, ("submit", "assign", "report", "request_changes")),
    ("withdrawn", RequestPath.COMMUNITY, ("submit", "withdraw")),
)


def keep_factors(people: Mapping[str, User]) -> dict[str, str]:
    """Give the lead a passkey and recovery codes, and announce a reset."""
    RecoveryCodes.activate(people["lead"])
    passkey = Authenticator.objects.create(
        user=people["lead"],
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "Stick", "credential": make_credential()},
    )
    reset = reset_factor(people["second"])
    stopped = give_role(people["outsider"], Role.REGISTRAR, actor=None)
    stop_change(stopped, actor=people["lead"], reason="Nobody asked for it.")
    return {
        "passkey": str(passkey.pk),
        "reset-key": reset.key,
        "reset": str(reset.pk),
        "stopped": str(stopped.pk),
    }


def make_credential() -> dict[str, Any]:
    """Return what a device sends when it makes a passkey."""
    public_key = generate_private_key(SECP256R1()).public_key()
    key = ES256.from_cryptography_key(public_key)  # type: ignore[no-untyped-call]
    credential = AttestedCredentialData.create(Aaguid(bytes(16)), b"stick", key)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.AT
    made = RegistrationResponse(
        raw_id=b"stick",
        response=AuthenticatorAttestationResponse(
            client_data=CollectedClientData.create(
                type="webauthn.create", challenge=b"stick", origin="http://localhost"
            ),
            attestation_object=AttestationObject.create(
                "none", AuthenticatorData.create(bytes(32), flags, 0, credential), {}
            ),
        ),
    )
    return {**made, "type": str(made.type)}
