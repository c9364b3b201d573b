"""The holder's consent: asking a new holder for it, and the code that may have to confirm it."""

from __future__ import annotations

import datetime
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.enums import LIVE_STATES, LetterReason
from registry.models import Namespace, RegistrationRequest, User, WordConfirmation
from registry.models.holder import is_same_code, make_confirmation_code
from registry.notifications import outbox
from registry.notifications.recipients import REASON_BY_TURN
from registry.permissions import CLOCK
from registry.rate_limits import MAX_CODE_ATTEMPTS
from registry.selectors import holder_consent
from registry.selectors.request_clock import read_request_clock
from registry.workflow.events import record_event, show_composed_events
from registry.workflow.pauses import note_pause
from registry.workflow.step import ActionRefused

MAX_CODE_LETTERS: Final = 5
"""How many letters are written about one round within a day of the last."""
CODE_LIFETIME: Final = datetime.timedelta(7)


def ask_new_holder(namespace: Namespace) -> None:
    """Ask the current speakers for `namespace` to consent to each request that lacks their consent.

    Call it in the transaction in which the namespace changed hands, or got its first speaker. If it
    is somebody else's turn, such as the registrar's if nobody is known to speak for the new holder,
    they are notified as well, and all other deadlines pause. Nobody is notified of drafts that were
    never sent.
    """
    asked_for = namespace.requests.live().public().order_by("pk")
    for waiting in asked_for.select_for_update(no_key=True, of=("self",)):
        waiting.namespace = namespace
        note_pause(waiting, timezone.now())
        with show_composed_events():
            missing, last = holder_consent.find_missing_consent(waiting), waiting.last_round
            if last is None or missing is None or not missing.awaits_word:
                continue
            turn = read_request_clock(waiting).turn
        data = {
            "to": list(dict.fromkeys((str(LetterReason.HOLDER), str(REASON_BY_TURN[turn])))),
            "nid": namespace.nid,
            "round": last.number,
        }
        record_event(waiting, actor=CLOCK, verb="ask_new_holder", data=data, is_reminder=True)


def begin_confirmation(registration_request: RegistrationRequest, person: User) -> None:
    """Write the letter with the code, if the consent of `person` counts and must be confirmed.

    Call it in the transaction in which they consented to the round; doing it twice is no error.
    """
    last = registration_request.last_round
    if (
        last is None
        or not holder_consent.needs_confirmation(registration_request)
        or not holder_consent.is_known_representative(person, registration_request)
    ):
        return
    asked, is_new = WordConfirmation.objects.get_or_create(
        registration_request=registration_request,
        person=person,
        sha256=last.sha256,
        defaults={"asked_at": timezone.now()},
    )
    if is_new:
        write_code_letter(asked)


def write_code_letter(asked: WordConfirmation) -> None:
    """Write the letter with the code, to the person's own account address."""
    context = {"asked": asked, "until": asked.asked_at + CODE_LIFETIME}
    outbox.write_direct_letter(
        "word_code",
        context,
        why=_("You support this change for the organization that holds the namespace."),
        key=f"word:{asked.pk}:{asked.letters}",
        address=asked.person.email,
        person=asked.person,
    )


def find_own_confirmation(
    registration_request: RegistrationRequest, person: User
) -> WordConfirmation | None:
    """Return the confirmation that `person` owes or gave for the last round, or None."""
    last = registration_request.last_round
    if last is None:
        return None
    return registration_request.word_confirmations.filter(person=person, sha256=last.sha256).first()


def request_word_code(registration_request: RegistrationRequest, person: User) -> None:
    """Write another letter with a new code to somebody who consented to the last round."""
    with transaction.atomic():
        lock_live_request(registration_request)
        stands = holder_consent.find_holder_consent(registration_request)
        if stands is None or person not in stands.unconfirmed:
            raise ActionRefused(_("You have nothing to confirm here."), code="nothing_to_confirm")
        asked = find_own_confirmation(registration_request, person)
        if asked is None:
            begin_confirmation(registration_request, person)
            return
        now = timezone.now()
        if asked.letters >= MAX_CODE_LETTERS and now < asked.asked_at + datetime.timedelta(1):
            raise ActionRefused(
                _("You have reached today's limit. Continue tomorrow."), code="daily_limit"
            )
        asked.code, asked.attempts, asked.asked_at = make_confirmation_code(), 0, now
        asked.letters += 1
        asked.save()
        write_code_letter(asked)


def confirm_word(registration_request: RegistrationRequest, person: User, code: str) -> None:
    """Accept the code from the letter, which starts the wait before the consent takes effect."""
    asked = find_own_confirmation(registration_request, person)
    if asked is None:
        raise ActionRefused(_("You have nothing to confirm here."), code="nothing_to_confirm")
    if asked.confirmed_at:
        return
    refuse_wrong_factor(asked, code)
    with transaction.atomic():
        lock_live_request(registration_request)
        # Round, role and code are read from the database as they are now.
        asked = WordConfirmation.objects.select_for_update(no_key=True).get(pk=asked.pk)
        last = registration_request.last_round
        if last is None or last.sha256 != asked.sha256:
            raise ActionRefused(
                _("Another round has been sent since. Read it first."), code="superseded"
            )
        if not holder_consent.is_known_representative(person, registration_request):
            raise ActionRefused(
                _("You do not speak for the holder of this namespace."), code="not_representative"
            )
        if asked.confirmed_at:
            return
        asked.confirmed_at = timezone.now()
        asked.save(update_fields=["confirmed_at"])
        effective = asked.confirmed_at + holder_consent.find_word_delay()
        data = {
            "round": last.number,
            "sha256": last.sha256,
            "day": effective.date().isoformat(),
        }
        record_event(registration_request, actor=person, verb="confirm_word", data=data)


def lock_live_request(registration_request: RegistrationRequest) -> None:
    """Lock the row until the transaction ends; raise `ActionRefused` if the request ended."""
    row = RegistrationRequest.objects.select_for_update(no_key=True).get(pk=registration_request.pk)
    if row.state not in LIVE_STATES:
        raise ActionRefused(_("The request has ended."), code="ended")


def refuse_wrong_factor(asked: WordConfirmation, code: str) -> None:
    """Refuse without the right second proof of identity.

    Today that is the code from the letter. A second factor would be checked here and nowhere else.
    Attempts count, whatever the result.
    """
    if timezone.now() > asked.asked_at + CODE_LIFETIME:
        raise ActionRefused(
            _("This code is too old. Have another letter sent."), code="code_expired"
        )
    left = WordConfirmation.objects.filter(pk=asked.pk, attempts__lt=MAX_CODE_ATTEMPTS)
    if not left.update(attempts=F("attempts") + 1):
        raise ActionRefused(
            _("A wrong code was typed too often. Have another letter sent."),
            code="too_many_attempts",
        )
    if not is_same_code(asked.code, code):
        raise ActionRefused(
            _("This is not the code from the letter. Type it again."), code="wrong_code"
        )
