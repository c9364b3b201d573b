"""What is asked before a template is written."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from crispy_forms.bootstrap import PrependedText
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy as _

from registry import likeness
from registry.choices import Kind, Path
from registry.forms.layout import Choices, OptionSelect
from registry.forms.paths import REVISION, STANDARDS, path_options
from registry.forms.text import PlainText
from registry.models import Namespace
from registry.urn import Finding, Severity, nid as nids


class NamespaceField(forms.Field):
    """A registered namespace, typed by its NID in any case, with or without `urn:`."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Namespace | None:
        """Return the namespace, or say which registered ones look like what was typed."""
        typed = str(value or "").strip()
        if not typed:
            return None
        nid = nids.canonical(typed)
        nid = nid.removeprefix("urn:").removesuffix(":")
        namespace = Namespace.objects.filter(nid=nid[:33]).first() if nid.isascii() else None
        if namespace is None or namespace.nid != nid:
            raise ValidationError(unknown(typed, nid), code="unknown")
        return namespace


def unknown(typed: str, nid: str) -> str:
    """Say that no namespace is registered under what was typed, and which come close."""
    words = gettext("No namespace is registered as “%(typed)s”.") % {"typed": typed[:40]}
    registered = Namespace.objects.values_list("nid", flat=True)
    near = [alike.nid for alike in likeness.near(nid[:40], registered)][:2]
    if not near:
        return words + " " + gettext("Look it up among the namespaces.")
    return words + " " + gettext("Did you mean %(near)s?") % {"near": " ".join(near)}


class StartForm(forms.Form):
    """The path, the identifier, who asks, what for, and whether a standard is to come of it.

    `check` answers what there is to say of a NID; `expected` is the next informal one.
    """

    path = forms.ChoiceField(
        label=_("1. What are you asking for?"), widget=OptionSelect, initial=Path.COMMUNITY
    )
    nid = PlainText(
        most=200,
        required=False,
        label=_("2. Which identifier?"),
        help_text=_("3 to 32 letters, digits and hyphens. Upper and lower case are the same."),
        widget=forms.TextInput(attrs={"class": "mono", "autocapitalize": "off"}),
    )
    namespace = NamespaceField(
        required=False,
        label=_("2. Which registered namespace?"),
        help_text=_("Its identifier, such as isbn."),
        widget=forms.TextInput(attrs={"class": "mono", "list": "namespaces"}),
    )
    organization = PlainText(
        most=200,
        label=_("3. Who asks?"),
        help_text=_(
            "The body that will hold the namespace; your own name if you ask as a person. "
            "Public once the request is sent."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        error_messages={"required": _("Name the body that asks, or yourself.")},
    )
    summary = PlainText(
        most=200,
        label=_("4. What will the names name?"),
        help_text=_(
            "In a few words, such as “accessions held by seed vaults”. Lists show this line."
        ),
        widget=forms.TextInput,
        error_messages={"required": _("Say in a few words what the names will name.")},
    )
    standards_action = forms.TypedChoiceField(
        label=_("5. Is the namespace to become part of a standard?"),
        choices=STANDARDS,
        coerce=lambda answer: answer == "yes",
        widget=OptionSelect,
        initial="no",
        error_messages={"required": _("Answer whether a standard is to come of it.")},
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        expected: str,
        check: Callable[[str], Sequence[Finding]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.check = check
        self.fields["key"].initial = uuid.uuid4
        path = self.fields["path"]
        assert isinstance(path, forms.ChoiceField)
        path.choices = path_options(expected)
        for name in ("nid", "namespace"):
            # Not a question that may be left out, only one that not every path asks.
            self.fields[name].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = layout()

    @property
    def optional_unmarked(self) -> bool:
        """Nothing here is optional: which question is asked depends on the path."""
        return True

    @property
    def summary_above(self) -> bool:
        """The page draws the error summary, above the columns."""
        return True

    def clean_organization(self) -> str:
        """Return the name with single blanks."""
        return " ".join(str(self.cleaned_data["organization"]).split())

    def clean_summary(self) -> str:
        """Return the words with single blanks."""
        return " ".join(str(self.cleaned_data["summary"]).split())

    def clean(self) -> dict[str, Any]:
        """Ask for what the chosen path needs, and have no answer to what it does not ask."""
        answers = super().clean() or {}
        path = answers.get("path")
        if path in {Path.COMMUNITY, Path.FAST_TRACK}:
            self.clean_identifier(str(answers.get("nid", "")))
        elif path is not None:
            answers["nid"] = ""
            self.errors.pop("nid", None)
        if path != REVISION:
            answers["namespace"] = None
            self.errors.pop("namespace", None)
        elif not answers.get("namespace") and "namespace" not in self.errors:
            self.add_error("namespace", gettext("Type the identifier of the namespace to revise."))
        return answers

    def clean_identifier(self, nid: str) -> None:
        """Refuse a NID that breaks a hard rule, in the words of the rule."""
        if "nid" in self.errors:
            return
        for finding in self.check(nid):
            if finding.severity is Severity.BLOCK:
                self.add_error("nid", f"{finding.message} {finding.mend}")

    @property
    def decided_path(self) -> Path:
        """The path of the request: a revision is decided as its namespace was."""
        namespace = self.cleaned_data["namespace"]
        if namespace is None:
            return Path(self.cleaned_data["path"])
        return Path.INFORMAL if namespace.kind == Kind.INFORMAL else Path.COMMUNITY


def layout() -> Layout:
    """Return the questions in their order, those of one path in a division of its own."""
    return Layout(
        "key",
        Field("path", template=Choices.template, wrapper_class="headline"),
        Div(
            PrependedText("nid", "urn:", wrapper_class="headline narrow--34 mb-2"),
            HTML('{% include "requests/nid_live.html" %}'),
            css_class="for-formal mb-5",
        ),
        Div(HTML('{% include "requests/next_number.html" %}'), css_class="for-informal mb-5"),
        Div(
            Field("namespace", wrapper_class="headline narrow--34"),
            HTML('{% include "requests/namespaces_list.html" %}'),
            css_class="for-revision mb-5",
        ),
        Field("organization", wrapper_class="headline mb-5"),
        Field("summary", wrapper_class="headline mb-5"),
        Field("standards_action", template=Choices.template, wrapper_class="headline"),
    )
