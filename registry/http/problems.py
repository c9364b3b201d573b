"""What programs get when something is refused: problem details (RFC 9457), never a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.http.cors import allow_any_origin

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
UNTYPED_PROBLEM: Final = "about:blank"
"""The type of a problem that says no more than its status (RFC 9457, section 4.2.1)."""
JSON_ENDINGS: Final = frozenset({"json", "jsonld"})


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of refusal: its name in addresses, its status, what it means, and what to do."""

    name: str
    status: HTTPStatus
    title: str | Promise
    meaning: str | Promise

    @property
    def uri(self) -> str:
        """The `type` of such a problem (RFC 9457, section 3.1.1): where it is described."""
        return f"{settings.SITE}{reverse('api:problems')}#{self.name}"


PROBLEM_KINDS: Final[Mapping[str, ProblemKind]] = {
    kind.name: kind
    for kind in (
        ProblemKind(
            "unreadable",
            HTTPStatus.BAD_REQUEST,
            _("The request cannot be read"),
            _("The address, headers or body are malformed; detail says where."),
        ),
        ProblemKind(
            "invalid-input",
            HTTPStatus.BAD_REQUEST,
            _("Something in it is not valid"),
            _(
                "A parameter or a member is missing, unknown or wrong. Each name in errors has its "
                "sentences; a member within another is named as outer.inner. Correct them and "
                "send it again."
            ),
        ),
        ProblemKind(
            "not-signed-in",
            HTTPStatus.UNAUTHORIZED,
            _("A token is needed"),
            _("Make a token at /account/tokens/ and send it as Authorization: Bearer …"),
        ),
        ProblemKind(
            "not-allowed",
            HTTPStatus.FORBIDDEN,
            _("You may not do this"),
            _("The person behind the token may not do this; detail says who may."),
        ),
        ProblemKind(
            "not-found",
            HTTPStatus.NOT_FOUND,
            _("There is nothing"),
            _("There is nothing at this address, or nothing that you may see."),
        ),
        ProblemKind(
            "method-not-allowed",
            HTTPStatus.METHOD_NOT_ALLOWED,
            _("The address does not support this method"),
            _("The header Allow lists the methods that it supports."),
        ),
        ProblemKind(
            "not-acceptable",
            HTTPStatus.NOT_ACCEPTABLE,
            _("Not in this format"),
            _("It is not available in any format that Accept names."),
        ),
        ProblemKind(
            "refused",
            HTTPStatus.CONFLICT,
            _("It is not possible now"),
            _("This is not possible now; detail says why. Nothing was changed."),
        ),
        ProblemKind(
            "gone",
            HTTPStatus.GONE,
            _("It is gone"),
            _("It was here once and will not come back."),
        ),
        ProblemKind(
            "superseded",
            HTTPStatus.PRECONDITION_FAILED,
            _("It has changed since"),
            _("Somebody has changed it. Read it again, and send its new ETag as If-Match."),
        ),
        ProblemKind(
            "too-large",
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            _("Too much at once"),
            _("Send it in parts; detail says how much is taken."),
        ),
        ProblemKind(
            "unsupported-media-type",
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            _("Not in this media type"),
            _("Name in Content-Type what the body is; the description of the API has the types."),
        ),
        ProblemKind(
            "key-reused",
            HTTPStatus.UNPROCESSABLE_ENTITY,
            _("The Idempotency-Key was used before"),
            _("It was used for something else. Nothing was done: use a new key."),
        ),
        ProblemKind(
            "unseen",
            HTTPStatus.PRECONDITION_REQUIRED,
            _("If-Match is missing"),
            _(
                "Send the ETag of what you read as If-Match, so that you do not "
                "overwrite a change you have not seen."
            ),
        ),
        ProblemKind(
            "too-often",
            HTTPStatus.TOO_MANY_REQUESTS,
            _("Too often"),
            _("The header Retry-After says after how many seconds to ask again."),
        ),
        ProblemKind(
            "our-fault",
            HTTPStatus.INTERNAL_SERVER_ERROR,
            _("The error is ours"),
            _("Give the number in detail to the people who run the registry: it is in their log."),
        ),
        ProblemKind(
            "not-implemented",
            HTTPStatus.NOT_IMPLEMENTED,
            _("Not supported here"),
            _("The registry does not do this; detail says what it does instead."),
        ),
        ProblemKind(
            "other-server",
            HTTPStatus.BAD_GATEWAY,
            _("Another server did not answer"),
            _("Another server was asked; detail says what happened."),
        ),
        ProblemKind(
            "busy",
            HTTPStatus.SERVICE_UNAVAILABLE,
            _("Not at the moment"),
            _("It will pass. The header Retry-After says after how many seconds to ask again."),
        ),
    )
}
"""Every kind that is not described elsewhere, as those of resolution are at `/resolve/`."""
KINDS_BY_STATUS: Final[Mapping[int, ProblemKind]] = {
    kind.status: kind for kind in reversed(list(PROBLEM_KINDS.values()))
}
"""The kind of a refusal about which nothing more than the status is known."""


def make_problem(
    status: int,
    detail: str,
    *,
    kind: ProblemKind | None = None,
    type_uri: str = "",
    title: str | Promise = "",
    **members: Any,
) -> dict[str, Any]:
    """Return problem details: of a `kind`, of a type described elsewhere, or of its status."""
    kind = kind or KINDS_BY_STATUS.get(status)
    return {
        "type": type_uri or (kind.uri if kind else UNTYPED_PROBLEM),
        "title": title or (kind.title if kind else HTTPStatus(status).phrase),
        "status": int(status),
        "detail": detail,
        **members,
    }


def respond_with_problem(status: int, detail: str, **members: Any) -> HttpResponse:
    """Return a response with the problem details that `make_problem` builds from the same
    arguments.
    """
    return JsonResponse(
        make_problem(status, detail, **members), status=status, content_type=PROBLEM_MEDIA_TYPE
    )


def build_refusal(ending: str, status: int, detail: str, **members: Any) -> HttpResponse:
    """Return a refusal in the format's own way: problem details, or a line of text."""
    if ending in JSON_ENDINGS:
        return allow_any_origin(respond_with_problem(status, detail, **members))
    line = f"{HTTPStatus(status).phrase}. {detail}\n"
    return allow_any_origin(
        HttpResponse(line, status=status, content_type="text/plain; charset=utf-8")
    )
