"""Fields and layouts that several forms share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from crispy_forms.layout import Div, Field
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import BaseValidator
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from registry.enums import Words
from registry.lookalikes import find_lookalikes
from registry.models import Namespace
from registry.models.namespace import MAX_IANA_REFERENCE_LENGTH
from registry.models.office import MAX_SOURCE_LENGTH
from registry.urn import nid as nids
from registry.validators import validate_name, validate_no_control_characters

MAX_NEAR_SHOWN: Final = 2
BLANKS_PATTERN: Final = re.compile(r"[ \t]+")


class MaxTextLengthValidator(BaseValidator):
    """Refuses text longer than a field stores, and says where the limit is reached."""

    def __call__(self, value: str) -> None:
        """Raise `ValidationError` if `value` is too long."""
        most = int(self.limit_value)
        if len(value) <= most:
            return
        kept = value[:most]
        raise ValidationError(
            _(
                "The text has %(length)s characters; the limit of %(most)s is reached in line "
                "%(line)d, column %(column)d. Shorten it."
            ),
            code="too_long",
            params={
                "length": f"{len(value):,}",
                "most": f"{most:,}",
                "line": kept.count("\n") + 1,
                "column": most - (kept.rfind("\n") + 1),
            },
        )


class PlainTextField(forms.CharField):
    """Text of any number of lines: nothing is cut off, and invalid characters are pointed out.

    The browser does not get the limit: it would silently cut off pasted text.
    """

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.validators = [validate_no_control_characters, MaxTextLengthValidator(most)]

    def to_python(self, value: Any) -> str:
        """Return the text with the line ends that the registry stores."""
        return unify_line_ends(super().to_python(value) or "")


def unify_line_ends(text: str) -> str:
    """Return `text` with line feeds only: browsers send hidden fields with CRLF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class NameField(PlainTextField):
    """The name of a person or an organization, validated by `check`."""

    def __init__(
        self, *, most: int, check: Callable[[str], None] = validate_name, **kwargs: Any
    ) -> None:
        super().__init__(most=most, **kwargs)
        self.validators = [check, MaxTextLengthValidator(most)]

    def to_python(self, value: Any) -> str:
        """Return the name with single spaces between its words."""
        return BLANKS_PATTERN.sub(" ", super().to_python(value))


def make_reason_field(label: Words, help_text: Words = "", rows: int = 4) -> PlainTextField:
    """Return a required field for public words."""
    return PlainTextField(
        most=5_000,
        label=label,
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows}),
        error_messages={"required": _("Describe it; this is public.")},
    )


def make_source_field(help_text: Words) -> PlainTextField:
    """Return a field for where something is recorded."""
    return PlainTextField(
        most=MAX_SOURCE_LENGTH,
        label=_("Where is it recorded?"),
        help_text=help_text,
        widget=forms.TextInput,
        error_messages={"required": _("Name the document, so that others can read it.")},
    )


MAX_FACT_LENGTH: Final = 2_000
MAX_REFERENCE_LENGTH: Final = 300
MAX_REFERENCES: Final = 30


class ReferencesField(PlainTextField):
    """Documents of record, typed one per line and stored as a list without duplicates."""

    def __init__(self, *, required: bool) -> None:
        super().__init__(
            most=MAX_REFERENCES * MAX_REFERENCE_LENGTH,
            required=required,
            label=_("Documents of record"),
            help_text=_(
                "One on each line, such as RFC 3187 or the title and address of a document."
            ),
            widget=forms.Textarea(attrs={"rows": 4}),
            error_messages={"required": _("Name a document of record, or the registrant.")},
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the stored list as people type it."""
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        """Return the documents, or say which line is too long."""
        typed = (" ".join(line.split()) for line in super().clean(value).split("\n"))
        found = list(dict.fromkeys(line for line in typed if line))
        if len(found) > MAX_REFERENCES:
            words = ngettext(
                "There is %(count)d document; %(most)d is the most.",
                "There are %(count)d documents; %(most)d is the most.",
                len(found),
            )
            raise ValidationError(words % {"count": len(found), "most": MAX_REFERENCES})
        for line in found:
            if len(line) > MAX_REFERENCE_LENGTH:
                words = gettext("“%(start)s…” has more than %(most)d characters. Shorten it.")
                raise ValidationError(words % {"start": line[:40], "most": MAX_REFERENCE_LENGTH})
        return found


class IanaReferenceField(PlainTextField):
    """IANA's identifier of an entry, on one line."""

    def __init__(self) -> None:
        super().__init__(
            most=MAX_IANA_REFERENCE_LENGTH,
            required=False,
            label=_("IANA reference"),
            help_text=_(
                "A ticket such as IANA #1234567, or an address; empty while there is none."
            ),
            widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        )

    def to_python(self, value: Any) -> str:
        """Return it on one line."""
        return " ".join(super().to_python(value).split())


class NamespaceField(forms.Field):
    """A registered namespace, typed as its NID in any case, with or without `urn:`."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Namespace | None:
        """Return the namespace, or say which registered ones are similar to what was typed."""
        typed = str(value or "").strip()
        if not typed:
            return None
        nid = nids.canonical(typed)
        nid = nid.removeprefix("urn:").removesuffix(":")
        namespace = Namespace.objects.filter(nid=nid[:33]).first() if nid.isascii() else None
        if namespace is None or namespace.nid != nid:
            raise ValidationError(describe_unknown_namespace(typed, nid), code="unknown")
        return namespace


def describe_unknown_namespace(typed: str, nid: str) -> str:
    """Say that no namespace is registered under what was typed, and which are similar."""
    words = gettext("No namespace is registered as “%(typed)s”.") % {"typed": typed[:40]}
    alike = find_lookalikes(nid[:40], Namespace.objects.values_list("nid", flat=True))
    near = [each.nid for each in alike[:MAX_NEAR_SHOWN]]
    if not near:
        return words + " " + gettext("Look it up among the namespaces.")
    return words + " " + gettext("Did you mean %(near)s?") % {"near": " ".join(near)}


@dataclass(frozen=True, slots=True)
class RadioOption:
    """A choice for people: its name, a line about it, and its consequences.

    Used as the label of a choice. `barred` says why it cannot be chosen now.
    """

    name: str | Promise
    hint: str | Promise = ""
    points: tuple[str | Promise, ...] = ()
    barred: str | Promise = ""

    def __str__(self) -> str:
        return str(self.name)


class RadioOptionSelect(forms.RadioSelect):
    """Radio buttons, with barred ones disabled."""

    def create_option(self, name: str, value: Any, label: Any, *args: Any, **kwargs: Any) -> Any:
        """Create one radio button; `label` may be a `RadioOption`."""
        option = super().create_option(name, value, label, *args, **kwargs)
        if isinstance(label, RadioOption) and label.barred:
            option["attrs"]["disabled"] = True
        return option


class ConsequenceRadios(Field):
    """Radio buttons with their consequences; the choices' labels are `RadioOption`s."""

    template = "components/choice.html"

    def __init__(self, name: str, **attributes: Any) -> None:
        Field.__init__(self, name, **attributes)


class GuidedFields(Div):
    """Fields with guidance next to them, or below them on a narrow page."""

    template = "components/guided.html"

    def __init__(
        self,
        *fields: Any,
        title: str = "",
        guidance: Iterable[str] = (),
        good_answer: str = "",
        first: bool = False,
        **kwargs: Any,
    ) -> None:
        Div.__init__(self, *fields, **kwargs)
        self.title = title
        self.guidance = tuple(guidance)
        self.good_answer = good_answer
        self.first = first
