"""`Idempotency-Key`: a request that a program sends twice is done once, and answered twice.

The claim to a key is committed before anything is done, so that the second of two simultaneous
requests finds it. Its row is then locked until the action and the response are saved together. The
lock ends with the process that holds it: a claim that has no response and is not locked was cut off
before anything was done, and the next request with the key goes ahead.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.utils.translation import gettext as _, gettext_lazy
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.parsers_and_renderers import BodyTooLarge, PlainJSONRenderer
from registry.models import IdempotencyRecord, User

KEY_PATTERN: Final = re.compile(r'"?([\x21\x23-\x7e]{1,255})"?')
REPLAYED_HEADERS: Final = ("ETag", "Location")
Handler = Callable[..., Response]


class IdempotencyKeyReused(APIException):
    """The key was used for something else."""

    status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "another_question"
    default_detail = gettext_lazy(
        "This Idempotency-Key was used for another request. Nothing was done: use a new key."
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
    """Return the response of `act`, or the earlier response to the same key.

    A refused request did nothing, so its key can be used again.
    """
    key = read_idempotency_key(request)
    if key is None or not isinstance(request.user, User):
        return act(request, *args, **kwargs)
    claim = claim_key(request.user, key, digest_request(request))
    if claim.status is not None:
        return replay_response(claim)
    try:
        with transaction.atomic():
            claim = lock_claim(claim)
            if claim.status is not None:
                return replay_response(claim)
            response = act(request, *args, **kwargs)
            store_response(claim, response)
    except InProgress:
        raise
    except Exception:
        IdempotencyRecord.objects.filter(pk=claim.pk, status=None).delete()
        raise
    return response


def read_idempotency_key(request: Request) -> str | None:
    """Return the key, with or without its quotation marks; None without one."""
    said = request.headers.get("Idempotency-Key")
    if said is None:
        return None
    found = KEY_PATTERN.fullmatch(said)
    if found is None:
        words = _("Send up to 255 characters of ASCII without blanks, such as a UUID.")
        raise ValidationError({"Idempotency-Key": [words]})
    return found[1]


def digest_request(request: Request) -> str:
    """Return the SHA-256 of the request: method, address, preconditions and body."""
    try:
        body = request._request.body
    except RequestDataTooBig:
        raise BodyTooLarge from None
    seen = request.headers.get("If-Match", "")
    line = f"{request.method} {request.get_full_path()}\n{seen}\n{request.content_type}\n"
    return hashlib.sha256(line.encode("utf-8", "surrogateescape") + body).hexdigest()


def claim_key(person: User, key: str, digest: str) -> IdempotencyRecord:
    """Return the row of a key; create and commit it if it does not exist."""
    claim, _is_new = IdempotencyRecord.objects.get_or_create(
        person=person, key=key, defaults={"digest": digest}
    )
    if claim.digest != digest:
        raise IdempotencyKeyReused
    return claim


def lock_claim(claim: IdempotencyRecord) -> IdempotencyRecord:
    """Lock the row of a key until the transaction ends, and return it as it is now.

    On PostgreSQL this refuses at once while another request holds the lock or has freed the key. On
    SQLite the transaction has already waited for the other one, as every writer does.
    """
    free = IdempotencyRecord.objects.select_for_update(skip_locked=True, no_key=True)
    locked = free.filter(pk=claim.pk).first()
    if locked is None:
        raise InProgress
    return locked


def store_response(claim: IdempotencyRecord, response: Response) -> None:
    """Save the response together with the action."""
    claim.status = response.status_code
    claim.body = PlainJSONRenderer().render(response.data).decode()
    claim.headers = {
        name: response.headers[name] for name in REPLAYED_HEADERS if name in response.headers
    }
    claim.save(update_fields=["status", "headers", "body"])


def replay_response(claim: IdempotencyRecord) -> Response:
    """Return the earlier response."""
    data = json.loads(claim.body) if claim.body else None
    headers = claim.headers | {"Idempotency-Replayed": "true"}
    return Response(data, claim.status, headers=headers)
