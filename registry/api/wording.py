"""The frameworks' error messages, in the registry's own words.

Messages of REST framework, knox and Django appear next to ours in `detail` and `errors`. This maps
each of theirs to ours; both have the same placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

FRAMEWORK_SENTENCES: Final[Mapping[str, Any]] = {
    # REST framework: members and parameters
    "This field is required.": _("This is missing."),
    "This field may not be null.": _("This cannot be null."),
    "This field may not be blank.": _("This cannot be empty."),
    "Must be a valid boolean.": _("This is true or false."),
    "Not a valid string.": _("This is not a string."),
    "Null characters are not allowed.": _("This has a null character, which cannot be kept."),
    "Surrogate characters are not allowed: U+{code_point}.": _(
        "This has half a character, U+{code_point}, which cannot be kept."
    ),
    "Ensure this field has no more than {max_length} characters.": _(
        "This is too long: it can have {max_length} characters."
    ),
    "Ensure this field has at least {min_length} characters.": _(
        "This is too short: it has at least {min_length} characters."
    ),
    "This value does not match the required pattern.": _("This does not match the description."),
    "Enter a valid email address.": _("This is not a mail address."),
    "Enter a valid URL.": _("This is not a URL."),
    "Must be a valid UUID.": _("This is not a UUID."),
    "“{value}” is not a valid UUID.": _("This is not a UUID."),
    "A valid integer is required.": _("This is not a whole number."),
    "A valid number is required.": _("This is not a number."),
    "String value too large.": _("This number has too many digits."),
    "Ensure this value is less than or equal to {max_value}.": _(
        "This is too large: the maximum is {max_value}."
    ),
    "Ensure this value is greater than or equal to {min_value}.": _(
        "This is too small: the minimum is {min_value}."
    ),
    "Date has wrong format. Use one of these formats instead: {format}.": _(
        "This is not a day: write it as 2026-11-20."
    ),
    "Expected a date but got a datetime.": _("This is a moment: write the day alone."),
    "Datetime has wrong format. Use one of these formats instead: {format}.": _(
        "This is not a moment: write it as 2026-11-20T12:00:00Z."
    ),
    "Expected a datetime but got a date.": _("This is a day: write the moment."),
    "Invalid datetime for the timezone {timezone}.": _("There is no such moment."),
    "Datetime value out of range.": _("There is no such moment."),
    '"{input}" is not a valid choice.': _(
        "“{input}” cannot be chosen; the description has what can be."
    ),
    'Expected a list of items but got type "{input_type}".': _("This is not a list."),
    "This selection may not be empty.": _("This cannot be empty."),
    "This list may not be empty.": _("This cannot be empty."),
    "Ensure this field has at least {min_length} elements.": _(
        "This is too short: it has at least {min_length} entries."
    ),
    "Ensure this field has no more than {max_length} elements.": _(
        "This is too long: it can have {max_length} entries."
    ),
    'Expected a dictionary of items but got type "{input_type}".': _("This is not an object."),
    "This dictionary may not be empty.": _("This cannot be empty."),
    "Invalid data. Expected a dictionary, but got {datatype}.": _("This is not a JSON object."),
    # REST framework and knox: requests
    "Authentication credentials were not provided.": _(
        "Authenticate: send one of your tokens as Authorization: Bearer …"
    ),
    "Incorrect authentication credentials.": _("There is no such token, or it has expired."),
    "Invalid token.": _("There is no such token, or it has expired."),
    "User inactive or deleted.": _("The account of this token is closed."),
    "You do not have permission to perform this action.": _("You may not do this."),
    "Not found.": _("There is nothing at this address."),
    "No {model} matches the given query.": _("There is nothing at this address."),
    'Method "{method}" not allowed.': _("This address does not take {method}."),
    "Could not satisfy the request Accept header.": _(
        "It is not available in a media type that Accept names."
    ),
    'Unsupported media type "{media_type}" in request.': _(
        "A body of the media type “{media_type}” is not read here."
    ),
    "Request was throttled.": _("Too many requests. Try again later."),
    "Request was throttled. Expected available in {wait} second.": _(
        "Too many requests. Try again in {wait} second."
    ),
    "Request was throttled. Expected available in {wait} seconds.": _(
        "Too many requests. Try again in {wait} seconds."
    ),
    "Malformed request.": _("The request cannot be read."),
    "Invalid input.": _("Something in it is not valid."),
    # Django's forms, which validate programs' input as they do people's
    "Enter a whole number.": _("This is not a whole number."),
    "Enter a number.": _("This is not a number."),
    "Enter a valid date.": _("This is not a day: write it as 2026-11-20."),
    "Enter a valid date/time.": _("This is not a moment: write it as 2026-11-20T12:00:00Z."),
    "Enter a valid value.": _("This does not match the description."),
    "Enter a valid UUID.": _("This is not a UUID."),
    "Enter a list of values.": _("This is not a list."),
    "Select a valid choice. {value} is not one of the available choices.": _(
        "“{value}” cannot be chosen; the description has what can be."
    ),
    "Select a valid choice. That choice is not one of the available choices.": _(
        "This cannot be chosen; the description has what can be."
    ),
    "Ensure this value has at most {limit} character (it has {length}).": _(
        "This is too long: it can have {limit} character and has {length}."
    ),
    "Ensure this value has at most {limit} characters (it has {length}).": _(
        "This is too long: it can have {limit} characters and has {length}."
    ),
}
"""Each of their messages, with ours."""
PLACE: Final = re.compile(r"\\\{(\w+)\\\}")


def compile_sentence(sentence: str) -> re.Pattern[str]:
    """Return a pattern that matches a message with any values in its placeholders."""
    return re.compile(PLACE.sub(r"(?P<\1>.*?)", re.escape(sentence)), re.DOTALL)


SENTENCES_WITH_PLACES: Final = tuple(
    (compile_sentence(theirs), ours)
    for theirs, ours in FRAMEWORK_SENTENCES.items()
    if "{" in theirs
)


def reword(sentence: str) -> str:
    """Return a framework's message in our words; any other as it is."""
    if sentence in FRAMEWORK_SENTENCES:
        return str(FRAMEWORK_SENTENCES[sentence])
    for theirs, ours in SENTENCES_WITH_PLACES:
        if found := theirs.fullmatch(sentence):
            return str(ours).format(**found.groupdict())
    return sentence
