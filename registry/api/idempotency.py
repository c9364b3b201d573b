"""`Idempotency-Key`: what a program asks for twice is done once, and answered twice.

A key is claimed and the claim committed before anything is done, so that the second of two
simultaneous programs finds it. Act and answer are then saved together: a claim without an answer
is of a program that is still at it, or that was cut off before anything was done.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.parsers_and_renderers import BodyTooLarge, PlainJSONRenderer
from registry.models import IdempotencyRecord, User

KEY_PATTERN: Final = re.compile(r'"?([\x21\x23-\x7e]{1,255})"?')
ABANDONED_AFTER: Final = datetime.timedelta(seconds=90)
"""No worker is given as long for one answer: a claim as old as this is nobody's any more."""
REPLAYED_HEADERS: Final = ("ETag", "Location")
Handler = Callable[..., Response]


class IdempotencyKeyReused(APIException):
    """The key was used for something else."""

    status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "another_question"
    default_detail = gettext_lazy(
        "This Idempotency-Key was used for another request. Nothing was done: take a fresh key."
    )


class InProgress(APIException):
    """The same request is being answered at this moment."""

    status_code = HTTPStatus.CONFLICT
    default_code = "in_progress"
    default_detail = gettext_lazy(
        "The same request is being answered at this moment. Ask again for its answer."
    )
    wait = 1
    auth_header = None


def handle_idempotently(act: Handler, request: Request, /, *args: Any, **kwargs: Any) -> Response:
    """Return the answer of `act`, or the one that was given before under the same key.

    What was refused did nothing: its key is as free as if it had never been used.
    """
    key = read_idempotency_key(request)
    if key is None or not isinstance(request.user, User):
        return act(request, *args, **kwargs)
    claim, is_ours = claim_key(request.user, key, digest_request(request))
    if not is_ours:
        return replay_response(claim)
    try:
        with transaction.atomic():
            response = act(request, *args, **kwargs)
            store_response(claim, response)
    except Exception:
        IdempotencyRecord.objects.filter(pk=claim.pk, at=claim.at, status=None).delete()
        raise
    return response


def read_idempotency_key(request: Request) -> str | None:
    """Return the key that was sent, with or without quotation marks; none where there is none."""
    said = request.headers.get("Idempotency-Key")
    if said is None:
        return None
    found = KEY_PATTERN.fullmatch(said)
    if found is None:
        words = _("Send up to 255 characters of ASCII without blanks, such as a UUID.")
        raise ValidationError({"Idempotency-Key": [words]})
    return found[1]


def digest_request(request: Request) -> str:
    """Return the SHA-256 of what is asked: method, address, what was seen, and the body."""
    try:
        body = request._request.body
    except RequestDataTooBig:
        raise BodyTooLarge from None
    seen = request.headers.get("If-Match", "")
    line = f"{request.method} {request.get_full_path()}\n{seen}\n{request.content_type}\n"
    return hashlib.sha256(line.encode("utf-8", "surrogateescape") + body).hexdigest()


def claim_key(person: User, key: str, digest: str) -> tuple[IdempotencyRecord, bool]:
    """Return the row of a key, and whether it is ours to answer."""
    claim, is_new = IdempotencyRecord.objects.get_or_create(
        person=person, key=key, defaults={"digest": digest}
    )
    if claim.digest != digest:
        raise IdempotencyKeyReused
    if is_new or claim.status is not None:
        return claim, is_new
    return take_over_claim(claim), True


def take_over_claim(claim: IdempotencyRecord) -> IdempotencyRecord:
    """Return a claim whose program was cut off as ours; refuse while it is still at it."""
    now = timezone.now()
    left = IdempotencyRecord.objects.filter(pk=claim.pk, status=None, at=claim.at)
    if claim.at > now - ABANDONED_AFTER or not left.update(at=now):
        raise InProgress
    claim.at = now
    return claim


def store_response(claim: IdempotencyRecord, response: Response) -> None:
    """Save the answer beside the act; where somebody took the claim over, undo the act."""
    said = PlainJSONRenderer().render(response.data).decode()
    headers = {
        name: response.headers[name] for name in REPLAYED_HEADERS if name in response.headers
    }
    own = IdempotencyRecord.objects.filter(pk=claim.pk, at=claim.at, status=None)
    if not own.update(status=response.status_code, headers=headers, body=said):
        raise InProgress


def replay_response(claim: IdempotencyRecord) -> Response:
    """Return the answer that was given before."""
    data = json.loads(claim.body) if claim.body else None
    headers = claim.headers | {"Idempotency-Replayed": "true"}
    return Response(data, claim.status, headers=headers)
