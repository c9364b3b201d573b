"""Requests for entries in the two vocabularies: comments, an expert's advice, a decision.

Draft -03, section 9.2 says which documents an entry is based on; how to request one is our process.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.actions.resolution_services import (
    DESIGNATOR_VOCABULARY,
    KEYWORD_VOCABULARY,
    ServiceVocabulary,
    add_entry,
    refuse_entry_faults,
)
from registry.enums import EntryRequestState, LetterReason, VocabularyName
from registry.models import EntryComment, EntryRequest, User
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange

VOCABULARIES_BY_NAME: Final[Mapping[str, ServiceVocabulary]] = {
    VocabularyName.KEYWORDS: KEYWORD_VOCABULARY,
    VocabularyName.DESIGNATORS: DESIGNATOR_VOCABULARY,
}


def request_entry(
    name: VocabularyName, word: str, *, actor: User, reasons: str, **proposed: Any
) -> EntryRequest:
    """Request `word` as `proposed`, with its reference; the same person asking twice counts once.

    Raises `ActionRefused` if the draft does not allow it, the word is entered, somebody else has
    requested it, or no document is named.
    """
    if not permissions.has_confirmed_address(actor):
        raise ActionRefused(_("First confirm your email address."))
    vocabulary = VOCABULARIES_BY_NAME[name]
    if not str(proposed.get("reference") or "").strip():
        raise ActionRefused(_("Name the document that the entry is based on."))
    refuse_entry_faults(vocabulary, word, proposed)
    if vocabulary.model._default_manager.filter(pk=word).exists():
        raise ActionRefused(_("“%(word)s” is already entered.") % {"word": word})
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        same = EntryRequest.objects.filter(vocabulary=name, word=word, state=EntryRequestState.OPEN)
        known = same.first()
        if known and known.asked_by == actor:
            return known
        if known:
            raise ActionRefused(
                _("%(who)s has already asked for “%(word)s”. Comment on that request.")
                % {"who": known.asked_by, "word": word}
            )
        until = timezone.localdate() + datetime.timedelta(settings.REGISTRY_ENTRY_COMMENT_DAYS)
        asked = EntryRequest.objects.create(
            vocabulary=name,
            word=word,
            proposed=proposed,
            reasons=reasons.strip(),
            asked_by=actor,
            asked_at=timezone.now(),
            comments_until=until,
        )
        offices = [str(LetterReason.LEAD), str(LetterReason.REGISTRAR)]
        record_entry_request_event(asked, actor, "request_entry", asked.reasons, to=offices)
    return asked


def comment_on_entry(entry_request: EntryRequest, *, actor: User, text: str) -> EntryComment:
    """Comment on a request in public; an expert's comment on another's request is advice."""
    if not permissions.has_confirmed_address(actor):
        raise ActionRefused(_("First confirm your email address."))
    with transaction.atomic():
        found = lock_entry_request(entry_request)
        if known := found.comments.filter(author=actor, text=text.strip()).first():
            return known
        is_advice = permissions.is_expert(reload_person(actor)) and found.asked_by != actor
        comment = EntryComment.objects.create(
            entry_request=found,
            text=text.strip(),
            is_advice=is_advice,
            author=actor,
            author_name=str(actor),
            at=timezone.now(),
        )
        verb = "advise_entry" if is_advice else "comment_entry"
        told = {"to": [str(LetterReason.REGISTRAR)], "people": [found.asked_by_id]}
        record_entry_request_event(found, actor, verb, comment.text, **told)
    return comment


def explain_early_decision(entry_request: EntryRequest) -> str:
    """Return what is missing before the word can be entered, or nothing."""
    if timezone.localdate() <= entry_request.comments_until:
        return _("It is open for comment until %(day)s.") % {"day": entry_request.comments_until}
    if not entry_request.comments.filter(is_advice=True).exists():
        return _("No expert has advised on it yet.")
    return ""


def decide_entry_request(
    entry_request: EntryRequest, *, actor: User, enters: bool, reasons: str
) -> None:
    """Enter or decline the word, as the registrar; never one's own request.

    A word is entered once the comment period is over and an expert has advised. It can be declined
    at any time, with reasons.
    """
    with transaction.atomic():
        found = lock_entry_request(entry_request)
        if not permissions.may_manage_vocabularies(reload_person(actor)):
            raise ActionRefused(_("Only the registrar can change these registries."))
        if found.asked_by == actor:
            raise ActionRefused(_("You asked for this word. Another registrar decides."))
        if enters:
            if words := explain_early_decision(found):
                raise ActionRefused(words)
            vocabulary = VOCABULARIES_BY_NAME[found.vocabulary]
            add_entry(vocabulary, actor=actor, key=found.word, **found.proposed)
        found.state = EntryRequestState.ENTERED if enters else EntryRequestState.DECLINED
        close_entry_request(found, actor, reasons)
        verb = "enter_entry" if enters else "decline_entry"
        told = {"people": [found.asked_by_id]}
        record_entry_request_event(found, actor, verb, found.decision, **told)


def withdraw_entry_request(entry_request: EntryRequest, *, actor: User, reasons: str) -> None:
    """Withdraw one's own request."""
    if entry_request.asked_by != actor:
        raise ActionRefused(_("Only the person who asked for the word can withdraw the request."))
    with transaction.atomic():
        found = lock_entry_request(entry_request)
        found.state = EntryRequestState.WITHDRAWN
        close_entry_request(found, actor, reasons)
        told = {"to": [str(LetterReason.REGISTRAR)]}
        record_entry_request_event(found, actor, "withdraw_entry", found.decision, **told)


def close_entry_request(found: EntryRequest, actor: User, reasons: str) -> None:
    """Record who ended a request, when and why."""
    found.decided_by, found.decided_at = actor, timezone.now()
    found.decision = reasons.strip()
    found.save()


def lock_entry_request(entry_request: EntryRequest) -> EntryRequest:
    """Return the request as it is now, locked until the transaction ends; refuse an ended one."""
    found = EntryRequest.objects.select_for_update(no_key=True).get(pk=entry_request.pk)
    if not found.is_open:
        raise ConcurrentChange(_("It has been decided or withdrawn."))
    return found


def record_entry_request_event(
    asked: EntryRequest, actor: User, verb: str, comment: str, **more: Any
) -> None:
    """Write the event, public like the request."""
    data = {
        "entry_request": asked.pk,
        "vocabulary": str(asked.vocabulary),
        "word": asked.word,
        "proposed": asked.proposed,
        **more,
    }
    record_event(asked, actor=actor, verb=verb, comment=comment, data=data)
