"""The questions before a template is written, and starting the request from them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from crispy_forms.bootstrap import PrependedText
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy as _

from registry import selectors
from registry.actions import recognition
from registry.actions.recognition import RecognitionStatus
from registry.enums import (
    ChangeKind,
    NamespaceKind,
    RequestPath,
)
from registry.forms.direction import build_statement_field
from registry.forms.fields import (
    ConsequenceRadios,
    NameField,
    NamespaceField,
    PlainTextField,
    RadioOptionSelect,
)
from registry.forms.paths import (
    FACT_CHANGE_CHOICES,
    FACTS_CHOICE,
    REVISION_CHOICE,
    STANDARDS_ACTION_CHOICES,
    build_path_choices,
)
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors.organizations import find_same_organization
from registry.urn import Finding, Severity
from registry.workflow import ActionRefused, drafts

UNASKED_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    RequestPath.COMMUNITY: ("namespace", "change", "statement"),
    RequestPath.FAST_TRACK: ("namespace", "change"),
    RequestPath.INFORMAL: ("nid", "namespace", "change", "statement"),
    REVISION_CHOICE: ("nid", "change", "statement"),
    FACTS_CHOICE: ("nid", "statement", "summary", "standards_action"),
}
"""Questions that each path does not ask; input left there is ignored."""
MISSING_FIELD_MESSAGES: Final = {
    REVISION_CHOICE: _("Type the identifier of the namespace to revise."),
    FACTS_CHOICE: _("Type the identifier of the namespace whose facts you want to change."),
}
NO_STANDARDS_ACTION_MESSAGE: Final = _(
    "On the fast track your organization decides. If the namespace will become part of a "
    "standard, the standards body decides. Answer no, or choose expert review."
)
NOT_RECOGNISED_MESSAGES: Final = {
    RecognitionStatus.NOT_ASKED: _(
        "%(organization)s is not recognised for the fast track, and has not asked to be. Say what "
        "kind of body it is, or choose another path."
    ),
    RecognitionStatus.REFUSED: _(
        "%(organization)s was refused recognition for the fast track. Say why it should be "
        "reconsidered, or choose another path."
    ),
}


class NewRequestForm(forms.Form):
    """The path, the identifier, who asks, what for, and whether a standard will result.

    `check` returns what there is to say about a NID, `standing` the status of an organization by
    name for the fast track; `expected` is the next informal NID.
    """

    path = forms.ChoiceField(
        label=_("1. What are you asking for?"),
        widget=RadioOptionSelect,
        initial=RequestPath.COMMUNITY,
    )
    nid = PlainTextField(
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
    change = forms.ChoiceField(
        required=False,
        label=_("Which fact do you want to change?"),
        choices=FACT_CHANGE_CHOICES,
        widget=RadioOptionSelect,
    )
    organization = NameField(
        most=200,
        label=_("3. Who asks?"),
        help_text=_(
            "The body that will hold the namespace, or take it over; your own name if you ask as a "
            "person. "
            "Public once the request is sent."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        error_messages={"required": _("Name the body that asks, or yourself.")},
    )
    statement = build_statement_field(
        _("Not recognised for the fast track yet? Say what kind of body it is"),
        _("Leave it empty if recognition has been given or requested."),
    )
    summary = PlainTextField(
        most=200,
        label=_("4. What will the names name?"),
        help_text=_(
            "In a few words, such as “accessions held by seed vaults”. Lists show this line."
        ),
        widget=forms.TextInput,
        error_messages={"required": _("Say in a few words what the names will name.")},
    )
    standards_action = forms.TypedChoiceField(
        label=_("5. Will the namespace become part of a standard?"),
        choices=STANDARDS_ACTION_CHOICES,
        coerce=lambda answer: answer == "yes",
        widget=RadioOptionSelect,
        initial="no",
        error_messages={"required": _("Say whether it will become part of a standard.")},
    )
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)

    def __init__(
        self,
        *args: Any,
        expected: str,
        check: Callable[[str], Sequence[Finding]],
        standing: Callable[[str], RecognitionStatus],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.check = check
        self.standing = standing
        path = self.fields["path"]
        assert isinstance(path, forms.ChoiceField)
        path.choices = build_path_choices(expected)
        for name in ("nid", "namespace"):
            self.fields[name].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = build_new_request_layout()

    @property
    def optional_unmarked(self) -> bool:
        """Optional fields are unmarked: which question is asked depends on the path."""
        return True

    @property
    def summary_above(self) -> bool:
        """The page draws the error summary, above the columns."""
        return True

    def clean_organization(self) -> str:
        """Offer a body on record whose name is written like the one typed."""
        name = str(self.cleaned_data["organization"])
        same = find_same_organization(name)
        if same is None or same.name.casefold() == " ".join(name.split()).casefold():
            return name
        raise forms.ValidationError(
            gettext(
                "“%(name)s” can be taken for %(organization)s, which is known here. Write "
                "“%(organization)s” if you mean it, or else a name that tells the two apart."
            ),
            code="like_organization",
            params={"name": name, "organization": same},
        )

    def clean_summary(self) -> str:
        """Return the words with single spaces."""
        return " ".join(str(self.cleaned_data["summary"]).split())

    def clean(self) -> dict[str, Any]:
        """Require what the chosen path needs, and drop what it does not ask for."""
        answers = super().clean() or {}
        path = answers.get("path")
        if path is None:
            return answers
        for name in UNASKED_FIELDS.get(path, ()):
            answers[name] = None if name == "namespace" else ""
            self.errors.pop(name, None)
        if path in {RequestPath.COMMUNITY, RequestPath.FAST_TRACK}:
            self.clean_identifier(str(answers.get("nid", "")))
        if path == RequestPath.FAST_TRACK:
            answers["statement"] = self.needed_statement(answers)
            if answers.get("standards_action"):
                error = forms.ValidationError(NO_STANDARDS_ACTION_MESSAGE, code="fast_track")
                self.add_error("standards_action", error)
        is_rename = path == FACTS_CHOICE and answers.get("change") == ChangeKind.RENAME
        if path in {REVISION_CHOICE, FACTS_CHOICE} and not (answers.get("namespace") or is_rename):
            if "namespace" not in self.errors:
                error = forms.ValidationError(MISSING_FIELD_MESSAGES[path], code="required")
                self.add_error("namespace", error)
        elif path == FACTS_CHOICE:
            self.clean_facts(answers)
        return answers

    def clean_identifier(self, nid: str) -> None:
        """Refuse a NID that breaks a hard rule, in the words of the rule."""
        if "nid" in self.errors:
            return
        for finding in self.check(nid):
            if finding.severity is Severity.BLOCK:
                words = f"{finding.message} {finding.mend}"
                self.add_error("nid", forms.ValidationError(words, code=finding.check))

    def needed_statement(self, answers: dict[str, Any]) -> str:
        """Return the statement for a body that has yet to be recognised; empty for any other."""
        organization, statement = answers.get("organization"), str(answers.get("statement") or "")
        if not organization:
            return statement
        standing = self.standing(organization)
        if standing in {RecognitionStatus.RECOGNISED, RecognitionStatus.PENDING}:
            return ""
        if not statement.strip() and "statement" not in self.errors:
            error = forms.ValidationError(
                NOT_RECOGNISED_MESSAGES[standing],
                code=standing.value,
                params={"organization": organization},
            )
            self.add_error("statement", error)
        return statement

    def clean_facts(self, answers: dict[str, Any]) -> None:
        """Require the fact to change, and transfer a namespace to another body only."""
        namespace, organization = answers.get("namespace"), str(answers.get("organization", ""))
        holder = namespace.registrant if namespace else None
        if not answers.get("change") and "change" not in self.errors:
            words = gettext("Choose the fact you want to change.")
            self.add_error("change", forms.ValidationError(words, code="required"))
        if answers.get("change") == ChangeKind.RENAME:
            # Whoever asks, it is about the body that holds the namespace, if one is named.
            answers["organization"] = holder.name if holder else organization
        if answers.get("change") != ChangeKind.TRANSFER or namespace is None or holder is None:
            return
        if holder.name.casefold() == organization.casefold():
            error = forms.ValidationError(
                gettext("%(holder)s already holds urn:%(nid)s. Name the body that takes over."),
                code="holder",
                params={"holder": holder, "nid": namespace.nid},
            )
            self.add_error("organization", error)

    @property
    def change_asked(self) -> ChangeKind | None:
        """The fact to change; None if the request is for a text."""
        return ChangeKind(self.cleaned_data["change"]) if self.cleaned_data["change"] else None

    @property
    def summary_given(self) -> str:
        """What its names name: as typed, or as the registry says for a change of facts.

        For a namespace without a summary, lists show what is requested.
        """
        typed: str = self.cleaned_data["summary"]
        if self.change_asked is None:
            return typed
        namespace: Namespace | None = self.cleaned_data["namespace"]
        return (namespace.summary if namespace else "") or str(self.change_asked.label)

    @property
    def decided_path(self) -> RequestPath:
        """The path of the request: a revision takes the path its namespace took."""
        namespace = self.cleaned_data["namespace"]
        if namespace is None:
            path = self.cleaned_data["path"]
            return RequestPath.COMMUNITY if path == FACTS_CHOICE else RequestPath(path)
        return (
            RequestPath.INFORMAL
            if namespace.kind == NamespaceKind.INFORMAL
            else RequestPath.COMMUNITY
        )


def build_new_request_layout() -> Layout:
    """Return the questions in order, those of one path in a group of their own."""
    return Layout(
        "key",
        Field("path", template=ConsequenceRadios.template, wrapper_class="headline"),
        Div(
            PrependedText("nid", "urn:", wrapper_class="headline narrow--34 mb-2"),
            HTML('{% include "requests/nid_live.html" %}'),
            css_class="for-formal mb-5",
        ),
        Div(HTML('{% include "requests/next_number.html" %}'), css_class="for-informal mb-5"),
        Div(
            Field("namespace", wrapper_class="headline narrow--34"),
            HTML('{% include "requests/namespaces_list.html" %}'),
            css_class="for-registered mb-5",
        ),
        Div(
            Field("change", template=ConsequenceRadios.template, wrapper_class="headline"),
            css_class="for-facts mb-5",
        ),
        Field("organization", wrapper_class="headline mb-5"),
        Div("statement", css_class="for-fast-track mb-5"),
        Div(
            Field("summary", wrapper_class="headline mb-5"),
            Field(
                "standards_action", template=ConsequenceRadios.template, wrapper_class="headline"
            ),
            css_class="for-text",
        ),
    )


def build_new_request_form(*args: Any, **kwargs: Any) -> NewRequestForm:
    """Return the form with its dependencies."""
    return NewRequestForm(
        *args,
        expected=selectors.expected_informal_nid(),
        check=selectors.list_nid_findings,
        standing=recognition.find_recognition_status_by_name,
        **kwargs,
    )


def start_request_from_form(author: User, form: NewRequestForm) -> RegistrationRequest:
    """Start the request described by the valid `form`, and ask for recognition if needed."""
    answers = form.cleaned_data
    with transaction.atomic():
        organization = Organization.objects.named(answers["organization"])
        if answers["statement"]:
            recognition.lock_organization(organization)
        started = drafts.start_request(
            author=author,
            path=form.decided_path,
            organization=organization,
            summary=form.summary_given,
            nid=answers["nid"],
            namespace=answers["namespace"],
            change=form.change_asked,
            standards_action=bool(answers["standards_action"]),
            key=answers["key"],
        )
        if answers["statement"]:
            with suppress(ActionRefused):  # Recognised this very moment: nothing is left to ask.
                recognition.request_recognition(organization, author, answers["statement"])
    return started
