"""Refusals as problem details, by RFC 9457."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from registry.api.wording import reword
from registry.errors import RegistryError
from registry.http.problems import PROBLEM_KINDS, PROBLEM_MEDIA_TYPE, make_problem

NON_FIELD_ERRORS: Final = "non_field_errors"
"""The keys under which Django's forms and REST framework put errors about the whole input."""


class Conflict(APIException):
    """Something prevents what was asked."""

    status_code = HTTPStatus.CONFLICT
    default_code = "refused"


class RefusedByRule(APIException):
    """One of our own errors, with its status, its message and its `Retry-After`."""

    def __init__(self, error: RegistryError) -> None:
        super().__init__(str(error))
        self.status_code = error.status
        self.wait = error.wait


class PreconditionFailed(APIException):
    """What the program saw is out of date."""

    status_code = HTTPStatus.PRECONDITION_FAILED
    default_code = "superseded"


class PreconditionRequired(APIException):
    """Writers must say which version they saw."""

    status_code = HTTPStatus.PRECONDITION_REQUIRED
    default_code = "unseen"
    default_detail = gettext_lazy(
        "Send the ETag of what you read in the header If-Match, so that you do not overwrite a "
        "change you have not seen."
    )


class ProblemDetailsSerializer(serializers.Serializer[Any]):
    """A refusal, by RFC 9457."""

    def get_fields(self) -> dict[str, Any]:
        """Return the members; `errors` lists what is wrong by field."""
        return {
            "type": serializers.URLField(
                help_text="The kind of refusal: an address that says what it means."
            ),
            "title": serializers.CharField(help_text="The kind in words."),
            "status": serializers.IntegerField(help_text="The status of the answer."),
            "detail": serializers.CharField(help_text="What is wrong, fit to show."),
            "errors": serializers.DictField(
                child=serializers.ListField(child=serializers.CharField()),
                required=False,
                help_text="What is wrong, by the name of the field.",
            ),
        }


def describe_problems(*statuses: int) -> dict[Any, OpenApiResponse]:
    """Describe problems with these statuses for OpenAPI."""
    return {
        (status, PROBLEM_MEDIA_TYPE): OpenApiResponse(
            ProblemDetailsSerializer, HTTPStatus(status).phrase
        )
        for status in statuses
    }


def make_problem_response(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the problem details of an exception, or None for our own bugs."""
    if isinstance(exception, BadRequest):
        exception = ParseError(str(exception))
    elif isinstance(exception, RegistryError):
        exception = RefusedByRule(exception)
    response = exception_handler(exception, dict(context))
    if response is None:
        return None
    detail, errors = describe_errors(exception, response.data)
    members: dict[str, Any] = {"errors": errors} if errors else {}
    if isinstance(exception, ValidationError):
        members["kind"] = PROBLEM_KINDS["invalid-input"]
    response.data = make_problem(response.status_code, detail, **members)
    response.content_type = PROBLEM_MEDIA_TYPE
    return response


def describe_errors(exception: Exception, data: Any) -> tuple[str, dict[str, list[str]]]:
    """Describe the errors in one sentence, and by field."""
    if not isinstance(exception, ValidationError):
        return reword(str(data["detail"])), {}
    errors = (
        flatten_by_field(data)
        if isinstance(data, dict)
        else {NON_FIELD_ERRORS: flatten_errors(data)}
    )
    whole = errors.pop(NON_FIELD_ERRORS, [])
    detail = whole or [_("Something in it is not valid. See the message for each field.")]
    return " ".join(detail), errors


def flatten_by_field(data: Mapping[str, Any], before: str = "") -> dict[str, list[str]]:
    """Return errors by field; a nested one is named `outer.inner`."""
    found: dict[str, list[str]] = {}
    for name, errors in data.items():
        if isinstance(errors, dict):
            found |= flatten_by_field(errors, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = flatten_errors(errors)
    return found


def flatten_errors(errors: Any) -> list[str]:
    """Return errors as sentences, however deeply they are nested."""
    if isinstance(errors, dict):
        return [words for each in errors.values() for words in flatten_errors(each)]
    if isinstance(errors, list):
        return [words for each in errors for words in flatten_errors(each)]
    return [reword(str(errors))]


def refuse_invalid_form(form: forms.Form) -> None:
    """Raise `ValidationError` with the errors of a page's form, by field."""
    if not form.is_valid():
        raise ValidationError(
            {
                NON_FIELD_ERRORS if name == "__all__" else name: [str(error) for error in errors]
                for name, errors in form.errors.items()
            }
        )
