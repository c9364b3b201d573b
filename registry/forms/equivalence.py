"""When two names are the same, asked as questions and stored as lines of a declaration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy

from registry.forms.fields import PlainTextField
from registry.grammar import (
    EquivalenceStatement,
    EquivalenceSyntaxError,
    StatementKind,
    parse_equivalence,
    parse_statement,
)

EQUIVALENCE_CHOICES: Final[tuple[tuple[StatementKind, str | Promise], ...]] = (
    (StatementKind.CASE, gettext_lazy("Upper and lower case are the same in the name")),
    (StatementKind.HYPHENS, gettext_lazy("Hyphens make no difference")),
    (StatementKind.SPACES, gettext_lazy("Spaces, written %20, make no difference")),
    (StatementKind.LEADING_ZEROS, gettext_lazy("Zeros before a number make no difference")),
    (StatementKind.NOTHING, gettext_lazy("Only the rules of RFC 8141 apply")),
)
"""The questions with checkboxes, in this order."""
PARTS_SUFFIX: Final = "_parts"
PREFIXES_SUFFIX: Final = "_prefixes"


def read_equivalence_inputs(data: Mapping[str, Any], name: str) -> str:
    """Return the lines of a declaration from checkboxes and text fields, or as lines.

    Unreadable input stays among the lines, so that the error message can quote it.
    """
    ticked = data.getlist(name) if isinstance(data, QueryDict) else _as_list(data.get(name))
    lines = [line.strip() for each in ticked for line in str(each).splitlines()]
    parts = str(data.get(f"{name}{PARTS_SUFFIX}") or "").replace(",", " ").split()
    lines += [f"case of {part}" for part in parts]
    pairs = str(data.get(f"{name}{PREFIXES_SUFFIX}") or "").splitlines()
    lines += [f"prefix {pair.strip()}" for pair in pairs if pair.strip()]
    return "\n".join(dict.fromkeys(filter(None, lines)))


def _as_list(value: Any) -> Iterable[Any]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


class EquivalenceInput(forms.Widget):
    """Checkboxes, a line for the names of parts, and lines for pairs of prefixes."""

    use_fieldset = True

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> str | None:
        """Return the lines, or None if nothing was sent."""
        names = (name, f"{name}{PARTS_SUFFIX}", f"{name}{PREFIXES_SUFFIX}")
        if not any(each in data for each in names):
            return ""
        return read_equivalence_inputs(data, name)

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        """Draw the questions with the answers in `value`, lines of a declaration."""
        statements: list[EquivalenceStatement] = []
        for line in str(value or "").splitlines():
            try:
                statements.append(parse_statement(line))
            except EquivalenceSyntaxError:
                continue
        ticked = {each.kind for each in statements if not each.part}
        context = {
            "name": name,
            "id": (attrs or {}).get("id", f"id_{name}"),
            "described_by": (attrs or {}).get("aria-describedby", ""),
            "choices": [(kind.value, words, kind in ticked) for kind, words in EQUIVALENCE_CHOICES],
            "parts": ", ".join(each.part for each in statements if each.part),
            "prefixes": "\n".join(
                "{} = {}".format(*each.prefixes) for each in statements if any(each.prefixes)
            ),
        }
        return render_to_string("components/equivalence.html", context)

    def id_for_label(self, id_: str) -> str:
        """Return nothing: each box has its own label."""
        return ""


class EquivalenceField(PlainTextField):
    """The lines of a declaration. A draft may have gaps, but an invalid statement is refused."""

    widget = EquivalenceInput

    def clean(self, value: Any) -> str:
        """Return the lines in the order in which they apply; empty if nothing is declared."""
        lines = super().clean(value).splitlines()
        try:
            declared = parse_equivalence(lines)
        except EquivalenceSyntaxError as error:
            raise ValidationError(
                f"{_('This cannot be held as a rule.')} {error}", code="syntax"
            ) from None
        if declared is None:
            return ""
        return "\n".join(map(str, declared.statements)) or str(StatementKind.NOTHING)
