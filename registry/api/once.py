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

from registry.api.urn.media import PlainJSONRenderer, TooMuch
from registry.models import Answered, User

KEY: Final = re.compile(r'"?([\x21\x23-\x7e]{1,255})"?')
CUT_OFF_AFTER: Final = datetime.timedelta(seconds=90)
"""No worker is given as long for one answer: a claim as old as this is nobody's any more."""
REPEATED: Final = ("ETag", "Location")
Act = Callable[..., Response]


class AnotherQuestion(APIException):
    """The key was used for something else."""

    status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "another_question"
    default_detail = gettext_lazy(
        "This Idempotency-Key was used for another request. Nothing was done: take a fresh key."
    )


class StillAtIt(APIException):
    """The same request is being answered at this moment."""

    status_code = HTTPStatus.CONFLICT
    default_code = "in_progress"
    default_detail = gettext_lazy(
        "The same request is being answered at this moment. Ask again for its answer."
    )
    wait = 1
    auth_header = None


def answered(act: Act, request: Request, /, *args: Any, **kwargs: Any) -> Response:
    """Return the answer of `act`, or the one that was given before under the same key.

    What was refused did nothing: its key is as free as if it had never been used.
    """
    key = key_of(request)
    if key is None or not isinstance(request.user, User):
        return act(request, *args, **kwargs)
    claim, is_ours = claimed(request.user, key, asked(request))
    if not is_ours:
        return again(claim)
    try:
        with transaction.atomic():
            response = act(request, *args, **kwargs)
            keep(claim, response)
    except Exception:
        Answered.objects.filter(pk=claim.pk, at=claim.at, status=None).delete()
        raise
    return response


def key_of(request: Request) -> str | None:
    """Return the key that was sent, with or without quotation marks; none where there is none."""
    said = request.headers.get("Idempotency-Key")
    if said is None:
        return None
    found = KEY.fullmatch(said)
    if found is None:
        words = _("Send up to 255 characters of ASCII without blanks, such as a UUID.")
        raise ValidationError({"Idempotency-Key": [words]})
    return found[1]


def asked(request: Request) -> str:
    """Return the SHA-256 of what is asked: method, address, what was seen, and the body."""
    try:
        body = request._request.body
    except RequestDataTooBig:
        raise TooMuch from None
    seen = request.headers.get("If-Match", "")
    line = f"{request.method} {request.get_full_path()}\n{seen}\n{request.content_type}\n"
    return hashlib.sha256(line.encode("utf-8", "surrogateescape") + body).hexdigest()


def claimed(person: User, key: str, digest: str) -> tuple[Answered, bool]:
    """Return the row of a key, and whether it is ours to answer."""
    claim, is_new = Answered.objects.get_or_create(
        person=person, key=key, defaults={"digest": digest}
    )
    if claim.digest != digest:
        raise AnotherQuestion
    if is_new or claim.status is not None:
        return claim, is_new
    return taken_over(claim), True


def taken_over(claim: Answered) -> Answered:
    """Return a claim whose program was cut off as ours; refuse while it is still at it."""
    now = timezone.now()
    left = Answered.objects.filter(pk=claim.pk, status=None, at=claim.at)
    if claim.at > now - CUT_OFF_AFTER or not left.update(at=now):
        raise StillAtIt
    claim.at = now
    return claim


def keep(claim: Answered, response: Response) -> None:
    """Save the answer beside the act; where somebody took the claim over, undo the act."""
    said = PlainJSONRenderer().render(response.data).decode()
    headers = {name: response.headers[name] for name in REPEATED if name in response.headers}
    own = Answered.objects.filter(pk=claim.pk, at=claim.at, status=None)
    if not own.update(status=response.status_code, headers=headers, body=said):
        raise StillAtIt


def again(claim: Answered) -> Response:
    """Return the answer that was given before."""
    data = json.loads(claim.body) if claim.body else None
    headers = claim.headers | {"Idempotency-Replayed": "true"}
    return Response(data, claim.status, headers=headers)
