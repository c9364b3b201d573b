"""Starting a request and writing its draft, or facts to change; neither changes a state."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.enums import (
    ChangeKind,
    EvidenceKind,
    RequestPath,
    State,
)
from registry.licences import Licence, get_text_licence
from registry.models import (
    Counter,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    User,
)
from registry.selectors import raise_registry_version
from registry.selectors.imported_records import find_text_in_force
from registry.template import Template
from registry.urn import nid as nids
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, ConcurrentChange, explain_mirror

# The requested facts are in `facts` of a round, frozen like its text:
#
# - contact: `contact`
# - reference: `references`, a list of documents of record
# - transfer: `registrant`, the name of the request's organization, which takes over; its
#   `contact`; and `succession`, if a document says who succeeds whom
# - rename: `registrant`, the new name, and `source`, where it is recorded
# - status: `status`, one of `Status`, `notice`, the message to readers, and `replaced_by`, a NID

MAX_OPEN_DRAFTS: Final = 20
MAX_REQUESTS_IN_REVIEW: Final = 5
"""How many one person can have at once who is neither an organization's delegate nor an officer."""


def build_first_facts(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return what a draft starts from: the current facts, and who takes over from whom."""
    if registration_request.change == ChangeKind.TRANSFER:
        heir = str(registration_request.organization)
        return {"registrant": heir, "contact": "", "succession": ""}
    return read_stated_facts(registration_request)


def find_licence_to_agree_to(registration_request: RegistrationRequest) -> Licence | None:
    """Return the licence that submitting the text gives to everyone.

    None for a change of facts, which has no text.
    """
    return None if registration_request.changes_facts else get_text_licence()


def apply_facts(registration_request: RegistrationRequest, facts: dict[str, Any]) -> dict[str, Any]:
    """Apply the requested facts to the namespace; return before and after for the journal.

    A body that holds no namespace is renamed alone.
    """
    namespace = lock_changed_namespace(registration_request)
    before = read_stated_facts(registration_request)
    if registration_request.change == ChangeKind.RENAME:
        body = Organization.objects.get(pk=registration_request.organization_id)
        rename_organization(body, facts["registrant"], source=facts["source"])
        return {
            "nid": namespace.nid if namespace else "",
            "before": before,
            "after": {"registrant": body.name},
        }
    assert namespace is not None, "a database constraint has every other change name its namespace"
    for name in ("contact", "references", "status", "notice"):
        if name in facts:
            setattr(namespace, name, facts[name])
    if registration_request.change == ChangeKind.TRANSFER:
        namespace.registrant = registration_request.organization
    if registration_request.change == ChangeKind.STATUS:
        instead = facts.get("replaced_by", "")
        namespace.replaced_by = Namespace.objects.get(nid=instead) if instead else None
    if "contact" in facts:
        namespace.contact_confirmed_on = timezone.localdate()
    namespace.save()
    after = read_stated_facts(registration_request)
    return {"nid": namespace.nid, "before": before, "after": after}


def rename_organization(organization: Organization, name: str, *, source: str) -> None:
    """Give an organization another name; the old one stays as a former name."""
    former = {"kind": EvidenceKind.FORMER_NAME, "value": organization.name, "source": source}
    organization.name = name
    organization.evidence = [
        *(entry for entry in organization.evidence if entry["value"] != name),
        former,
    ]
    organization.save(update_fields=["name", "evidence"])


def lock_changed_namespace(registration_request: RegistrationRequest) -> Namespace | None:
    """Return the namespace as it is now, locked until the transaction ends.

    Another request may have changed it since this one was read, which must not be overwritten.
    """
    if registration_request.namespace_id is None:
        return None
    namespace = Namespace.objects.select_for_update(no_key=True).get(
        pk=registration_request.namespace_id
    )
    registration_request.namespace = namespace
    return namespace


def read_stated_facts(registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return the current facts that a change is about."""
    namespace, change = registration_request.namespace, registration_request.change
    if namespace is None:
        named = {"registrant": str(registration_request.organization)}
        return named if change == ChangeKind.RENAME else {}
    every: dict[str, dict[str, Any]] = {
        ChangeKind.CONTACT: {"contact": namespace.contact},
        ChangeKind.REFERENCE: {"references": list(namespace.references)},
        ChangeKind.TRANSFER: {
            "registrant": str(namespace.registrant or ""),
            "contact": namespace.contact,
        },
        ChangeKind.RENAME: {"registrant": str(namespace.registrant or "")},
        ChangeKind.STATUS: {
            "status": namespace.status,
            "notice": namespace.notice,
            "replaced_by": str(namespace.replaced_by or ""),
        },
    }
    return every.get(change, {})


def read_revisable_facts(namespace: Namespace) -> dict[str, Any]:
    """Return the current facts of `namespace` that a new version can change."""
    return {
        "summary": namespace.summary,
        "registrant": str(namespace.registrant or ""),
        "contact": namespace.contact,
        "references": list(namespace.references),
        "last_known_version": namespace.last_known_version,
        "iana_reference": namespace.iana_reference,
    }


def diff_facts(was: dict[str, Any], namespace: Namespace) -> dict[str, Any]:
    """Return what a version changed in `was`: without it the journal could not show the past."""
    now = read_revisable_facts(namespace)
    before = {name: value for name, value in was.items() if value != now[name]}
    return {"before": before} if before else {}


def start_request(
    *,
    author: User,
    path: RequestPath,
    organization: Organization,
    summary: str,
    nid: str = "",
    namespace: Namespace | None = None,
    change: ChangeKind | None = None,
    standards_action: bool = False,
    reopens: RegistrationRequest | None = None,
    key: uuid.UUID | None = None,
) -> RegistrationRequest:
    """Return a new request with its first draft, and write the event.

    With `namespace` it asks for `change`, by default a revision, and starts from the namespace's
    current content; with `reopens` from the last text of that request. `key` identifies the form:
    started twice with one key, the first request is returned. Raises `ActionRefused` on a mirror,
    and if the author has many drafts.
    """
    if refusal := explain_mirror():
        raise ActionRefused(str(refusal), code="mirror")
    change = change or (ChangeKind.REVISION if namespace else ChangeKind.NEW)
    key = key or uuid.uuid4()
    with transaction.atomic():
        # Taking the number first makes the second of two clicks wait for the first.
        number = Counter.objects.take(f"request-{timezone.now().year}")
        started = RegistrationRequest.objects.filter(start_key=key, author=author).first()
        if started:
            return started
        refuse_many_drafts(author)
        template = build_first_text(path, nid, namespace, change)
        registration_request = RegistrationRequest.objects.create(
            reference=f"R-{timezone.now().year}-{number:04}",
            change=change,
            path=path,
            standards_action=standards_action,
            state=State.DRAFT,
            state_since=timezone.now(),
            nid=normalize_requested_nid(template.nid),
            summary=summary,
            organization=organization,
            author=author,
            namespace=namespace,
            reopens=reopens,
            created_at=timezone.now(),
            start_key=key,
        )
        draft = Round(registration_request=registration_request, number=1)
        draft.template = template
        if change != ChangeKind.NEW:
            draft.facts = build_first_facts(registration_request)
            draft.base = namespace.current if namespace else None
        if reopens and (before := reopens.rounds.last()):
            draft.template, draft.facts = before.template, before.facts
            draft.base, draft.based_at = before.base, before.based_at
        draft.save()
        record_event(registration_request, actor=author, verb="start", target=State.DRAFT)
    return registration_request


def refuse_many_drafts(author: User) -> None:
    """Raise `ActionRefused` if `author` has as many open drafts as one person can have."""
    drafts = RegistrationRequest.objects.filter(author=author, state=State.DRAFT)
    if is_limited(author) and drafts.count() >= MAX_OPEN_DRAFTS:
        raise ActionRefused(
            _(
                "You have %(most)d open drafts, the limit for somebody who is no organization's "
                "delegate. Send or withdraw one of them first."
            )
            % {"most": MAX_OPEN_DRAFTS}
        )


def is_limited(person: User) -> bool:
    """Whether `person` can have only so many requests at once.

    Delegates ask on behalf of bodies that have more, and officers enter what an RFC changes.
    """
    return not person.roles and not person.speaking.in_effect().exists()


def continue_request(reopened: RegistrationRequest, *, author: User) -> RegistrationRequest:
    """Return a new draft that continues where `reopened` ended."""
    return start_request(
        author=author,
        path=RequestPath(reopened.path),
        organization=reopened.organization,
        summary=reopened.summary,
        nid=reopened.nid,
        namespace=reopened.namespace,
        change=ChangeKind(reopened.change),
        standards_action=reopened.standards_action,
        reopens=reopened,
    )


def build_first_text(
    path: RequestPath, nid: str, namespace: Namespace | None, change: ChangeKind
) -> Template:
    """Return the text a draft starts from; a change of facts keeps the published one.

    If we hold no version, a revision starts from what was read from the documents of record.
    """
    if namespace is None:
        return Template.blank().replace(
            nid=nids.PLACEHOLDER if path == RequestPath.INFORMAL else nid
        )
    if change != ChangeKind.REVISION:
        current = namespace.current
        published = current.template if current else Template.blank()
        return published.replace(nid=namespace.nid_as_registered)
    template = find_text_in_force(namespace) or Template.blank()
    return template.replace(
        nid=namespace.nid_as_registered, version="", date="", revision_information=""
    )


def normalize_requested_nid(nid: str) -> str:
    """Return the NID that a request claims, in lower case, or None.

    The registry assigns informal ones, and a NID is always ASCII.
    """
    return nids.canonical(nid) if nid.isascii() and nid != nids.PLACEHOLDER else ""


def save_draft_facts(draft: Round, facts: Mapping[str, Any], *, seen: int) -> Round:
    """Write the requested facts into the draft of edition `seen`; return it as saved.

    Raises `ConcurrentChange` as `save_draft` does.
    """
    with transaction.atomic():
        saved = Round.objects.filter(pk=draft.pk, edition=seen, submitted_at__isnull=True).update(
            edition=seen + 1, saved_at=timezone.now(), facts={**draft.facts, **facts}
        )
        if not saved:
            raise ConcurrentChange(
                _("Someone saved this draft after you opened it. Your text is kept."),
                code="superseded",
            )
    draft.refresh_from_db()
    return draft


def bring_draft_up_to_date(
    draft: Round, base: Registration, changes: Mapping[str, object], *, seen: int
) -> Round:
    """Write `changes` and the version that the draft is now written from; return it as saved.

    Raises `ConcurrentChange` as `save_draft` does, and if `base` is no longer in force.
    """
    with transaction.atomic():
        namespace = lock_changed_namespace(draft.registration_request)
        if namespace is None or namespace.current != base:
            raise ConcurrentChange(
                _("A newer version has just been registered. Compare again."), code="superseded"
            )
        draft = save_draft(draft, changes, seen=seen)
        Round.objects.filter(pk=draft.pk).update(base=base, based_at=timezone.now())
    draft.refresh_from_db()
    return draft


def save_draft(draft: Round, changes: Mapping[str, object], *, seen: int) -> Round:
    """Write `changes` (field names to texts) into the draft of edition `seen`; return it as saved.

    Raises `ConcurrentChange`, having written nothing, if somebody else saved the draft or it was
    sent since that edition.
    """
    template = draft.template.replace(**changes)
    with transaction.atomic():
        saved = Round.objects.filter(pk=draft.pk, edition=seen, submitted_at__isnull=True).update(
            edition=seen + 1, saved_at=timezone.now(), **template.to_dict()
        )
        if not saved:
            raise ConcurrentChange(
                _("Someone saved this draft after you opened it. Your text is kept."),
                code="superseded",
            )
        registration_request = draft.registration_request
        if registration_request.namespace_id is None:
            before, registration_request.nid = (
                registration_request.nid,
                normalize_requested_nid(template.nid),
            )
            registration_request.save(update_fields=["nid"])
            if registration_request.nid != before:
                raise_registry_version()
    draft.refresh_from_db()
    return draft
