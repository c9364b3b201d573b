"""Writing a request: a page of its template, or a change of facts; and submitting it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Field as LayoutField, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy as _

from registry.enums import TEMPLATE_CHOICES, ChangeKind, NamespaceStatus
from registry.forms.equivalence import EquivalenceField
from registry.forms.fields import (
    MAX_FACT_LENGTH,
    GuidedFields,
    NameField,
    PlainTextField,
    RadioOption,
    RadioOptionSelect,
    ReferencesField,
)
from registry.forms.steps import StepForm
from registry.models import Registration, Round
from registry.selectors.base_versions import merge_newer_version
from registry.template import LONGEST, Context, Field, Page, Required, Template, field
from registry.urn.nid import canonical
from registry.validators import validate_no_control_characters
from registry.workflow import ConcurrentChange, drafts
from registry.workflow.conditions import list_unchanged_remarks, name_sections

MAX_TYPED_NID_LENGTH = 200
MAX_RULE_NAME_LENGTH = 200
MAX_OPERATOR_LENGTH = 500
MONOSPACE_FIELDS = frozenset({"nid", "grammar", "examples", "counter_examples"})
DRAFT_SNAPSHOT_PATTERN = re.compile(r"([0-9]{1,9})-([0-9a-f]{16})", re.ASCII)


@dataclass(frozen=True, slots=True)
class DraftSnapshot:
    """What an author saw: the edition of the draft, and a digest of the page's text.

    Written `7-0123456789abcdef` in a hidden field.
    """

    edition: int
    digest: str

    @classmethod
    def of(cls, draft: Round, page: Page) -> DraftSnapshot:
        """Return what the author of `page` sees of `draft`."""
        template = draft.template
        text = "\0".join(template[name] for name in page.fields)
        return cls(draft.edition, hashlib.sha256(text.encode()).hexdigest()[:16])

    def __str__(self) -> str:
        return f"{self.edition}-{self.digest}"


class TemplateTextField(PlainTextField):
    """The text of a section. Drafts may have gaps, which the checks report, so nothing is required.

    `required` only decides whether the field is marked as optional.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, **kwargs)

    def validate(self, value: Any) -> None:
        """Accept anything."""


class EditorForm(forms.Form):
    """The fields of one page of the editor, except the registry's own and a fixed NID."""

    seen = forms.CharField(widget=forms.HiddenInput)

    use_required_attribute = False
    summary_above = True

    def __init__(self, *args: Any, page: Page, draft: Round, context: Context, **kwargs: Any):
        template = draft.template
        kwargs["initial"] = {name: template[name] for name in page.fields} | kwargs.get(
            "initial", {}
        )
        super().__init__(*args, **kwargs)
        self.page = page
        self.draft = draft
        self.fields["seen"].initial = str(DraftSnapshot.of(draft, page))
        typed = [
            field(name) for name in page.fields if is_typed_by_registrant(field(name), context)
        ]
        for definition in typed:
            self.fields[definition.name] = build_template_field(definition, context)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "seen", *(build_guided_template_field(each, typed) for each in typed)
        )

    def clean_seen(self) -> DraftSnapshot:
        """Return what the author saw."""
        match = DRAFT_SNAPSHOT_PATTERN.fullmatch(self.cleaned_data["seen"])
        if match is None:
            raise ValidationError(_("The form arrived damaged. Send it again."))
        return DraftSnapshot(int(match[1]), match[2])

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the valid form, by field name."""
        return {name: text for name, text in self.cleaned_data.items() if name != "seen"}

    @property
    def text_typed(self) -> Template:
        """The draft with what was typed, valid or not, saved or not."""
        typed = {
            name: str(self[name].value() or "")
            for name in self.fields
            if name != "seen"
            and (name not in TEMPLATE_CHOICES or self[name].value() in TEMPLATE_CHOICES[name])
        }
        return self.draft.template.replace(**typed)

    @property
    def is_overtaken(self) -> bool:
        """Whether the text of this page was changed since the author opened it."""
        seen: DraftSnapshot = self.cleaned_data["seen"]
        return DraftSnapshot.of(self.draft, self.page).digest != seen.digest

    def save(self) -> Round:
        """Write the page of the valid form into the draft, and return the draft.

        Raises `ConcurrentChange` if the text of this page was changed since the author opened it;
        changes to other pages are no conflict.
        """
        seen: DraftSnapshot = self.cleaned_data["seen"]
        if self.draft.template.replace(**self.texts) == self.draft.template:
            return self.draft
        try:
            return drafts.save_draft(self.draft, self.texts, seen=seen.edition)
        except ConcurrentChange:
            self.draft.refresh_from_db()
            if self.is_overtaken:
                raise
            return drafts.save_draft(self.draft, self.texts, seen=self.draft.edition)


class UpdateForm(forms.Form):
    """The sections that both the draft and a newer version changed, as they are to be.

    `edition` is that of the draft, and `version` the number of the newer version, as seen.
    """

    edition = forms.IntegerField(widget=forms.HiddenInput)
    version = forms.IntegerField(widget=forms.HiddenInput)

    use_required_attribute = False
    summary_above = True
    optional_unmarked = True

    def __init__(
        self, *args: Any, draft: Round, newer: Registration, context: Context, **kwargs: Any
    ) -> None:
        self.draft, self.newer = draft, newer
        self.merge = merge_newer_version(draft, newer)
        kwargs["initial"] = {
            "edition": draft.edition,
            "version": newer.number,
            **{name: draft.template[name] for name in self.merge.conflicts},
        }
        super().__init__(*args, **kwargs)
        for name in self.merge.conflicts:
            self.fields[name] = build_template_field(field(name), context)

    def clean_version(self) -> int:
        """Return the number of the newer version, if it still is the one in force."""
        number: int = self.cleaned_data["version"]
        if number != self.newer.number:
            raise ValidationError(_("A newer version has just been registered. Compare again."))
        return number

    def save(self) -> Round:
        """Bring the draft up to date, and return it.

        Raises `ConcurrentChange` if somebody saved it since the form was opened.
        """
        decided = {name: self.cleaned_data[name] for name in self.merge.conflicts}
        changes = self.merge.template.replace(**decided).to_dict()
        return drafts.bring_draft_up_to_date(
            self.draft, self.newer, changes, seen=self.cleaned_data["edition"]
        )


def is_typed_by_registrant(definition: Field, context: Context) -> bool:
    """Whether the registrant writes this field: only a new formal namespace names its NID."""
    if definition.name == "nid":
        return context.is_new and not context.is_informal
    return definition.required is not Required.REGISTRY


def build_template_field(definition: Field, context: Context) -> forms.Field:
    """Return the form field for a field of the template."""
    if definition.name in TEMPLATE_CHOICES:
        return forms.ChoiceField(
            label=definition.label,
            choices=TEMPLATE_CHOICES[definition.name].choices,
            required=False,
        )
    if definition.name == "equivalence":
        return EquivalenceField(label=definition.label, required=False, most=LONGEST)
    if definition.name == "grammar_start":
        return TemplateTextField(
            label=definition.label,
            required=False,
            most=MAX_RULE_NAME_LENGTH,
            widget=forms.TextInput(attrs={"class": "mono", "spellcheck": "false"}),
        )
    if definition.name == "resolution_operator":
        return TemplateTextField(
            label=definition.label,
            required=False,
            most=MAX_OPERATOR_LENGTH,
            widget=forms.TextInput(),
        )
    if definition.name == "nid":
        return TemplateTextField(
            label=definition.label,
            most=MAX_TYPED_NID_LENGTH,
            widget=forms.TextInput(attrs=get_nid_attrs()),
        )
    attrs: dict[str, Any] = {"rows": definition.rows}
    if definition.name in MONOSPACE_FIELDS:
        attrs |= {"class": "mono form-control--small", "spellcheck": "false"}
    return TemplateTextField(
        label=definition.label,
        required=context.requires(definition),
        most=LONGEST,
        widget=forms.Textarea(attrs=attrs),
    )


def get_nid_attrs() -> dict[str, str]:
    """Return input attributes for a NID: no autocorrection by the browser."""
    return {
        "class": "mono",
        "autocomplete": "off",
        "autocapitalize": "off",
        "spellcheck": "false",
    }


def build_guided_template_field(definition: Field, typed: list[Field]) -> GuidedFields:
    """Return the field with its guidance next to it."""
    title, *more = definition.guidance
    drawn: list[Any] = [definition.name]
    if definition.name == "nid":
        drawn.append(HTML('{% include "requests/nid_live.html" %}'))
    if definition.name == "grammar":
        drawn.append(HTML('{% include "grammar_trial/under_rule.html" %}'))
    return GuidedFields(
        *drawn,
        title=title,
        guidance=[*more, definition.source],
        good_answer=definition.good_answer,
        first=definition is typed[0],
        css_id=f"section-{definition.name}",
    )


class SubmissionForm(StepForm):
    """The registrant's comment on a round, and the edition of the draft that was read."""

    edition = forms.IntegerField(widget=forms.HiddenInput)
    changed_elsewhere = forms.BooleanField(
        label=_("I made the change in another section"), required=False
    )

    def __init__(self, *args: Any, draft: Round | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.draft = draft or self.registration_request.draft
        if self.draft:
            self.fields["edition"].initial = self.draft.edition
        else:
            del self.fields["edition"]
        unchanged = list_unchanged_remarks(self.registration_request)
        if unchanged:
            words = gettext(
                "You answered that you changed the text, but these sections have not changed: "
                "%(sections)s."
            )
            self.fields["changed_elsewhere"].help_text = words % {
                "sections": name_sections(unchanged)
            }
        else:
            del self.fields["changed_elsewhere"]


class DismissForm(forms.Form):
    """Why a finding does not apply."""

    word = forms.CharField(
        label=_("Why it does not apply"),
        max_length=300,
        validators=[validate_no_control_characters],
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Say briefly why it does not apply.")},
    )


STATUS_CHOICES: Final = (
    (NamespaceStatus.ACTIVE.value, RadioOption(_("Active"), _("Names are assigned and used."))),
    (
        NamespaceStatus.DEPRECATED.value,
        RadioOption(
            _("Deprecated"), _("New names should not be made. Those that were stay valid.")
        ),
    ),
    (
        NamespaceStatus.OBSOLETE.value,
        RadioOption(_("Obsolete"), _("No longer in use. Names keep their meaning.")),
    ),
)


class ReplacementField(PlainTextField):
    """The NID of a namespace, as it is compared; the checks report an unknown one."""

    def to_python(self, value: Any) -> str:
        return canonical(super().to_python(value).strip().removeprefix("urn:"))


def build_fact_field(label: Any, help_text: Any, rows: int) -> PlainTextField:
    """Return a text field; drafts may have gaps, which the checks report."""
    widget = forms.Textarea(attrs={"rows": rows})
    return PlainTextField(
        most=MAX_FACT_LENGTH, required=False, label=label, help_text=help_text, widget=widget
    )


def build_contact_field() -> PlainTextField:
    """Return the field for contact details."""
    return build_fact_field(
        _("Contact"),
        _("A name or an office, and an email address. Public."),
        4,
    )


FACT_FIELDS: Final[dict[str, dict[str, Callable[[], forms.Field]]]] = {
    ChangeKind.CONTACT: {"contact": build_contact_field},
    ChangeKind.REFERENCE: {"references": lambda: ReferencesField(required=False)},
    ChangeKind.TRANSFER: {
        "contact": build_contact_field,
        "succession": lambda: build_fact_field(
            _("Document of succession"),
            _("A source that says who succeeds whom, if the present registrant cannot agree."),
            3,
        ),
    },
    ChangeKind.RENAME: {
        "registrant": lambda: NameField(
            most=200,
            required=False,
            label=_("New name"),
            help_text=_("Of the registrant itself, on every namespace that it holds. Public."),
        ),
        "source": lambda: build_fact_field(
            _("Where it is recorded"),
            _("A register, statutes or minutes that give the new name. Public."),
            3,
        ),
    },
    ChangeKind.STATUS: {
        "status": lambda: forms.ChoiceField(
            label=_("Status"),
            choices=STATUS_CHOICES,
            required=False,
            widget=RadioOptionSelect,
        ),
        "notice": lambda: build_fact_field(
            _("Notice to readers"),
            _("Why, and what to use instead. It is shown on the page of the namespace."),
            4,
        ),
        "replaced_by": lambda: ReplacementField(
            most=40,
            required=False,
            label=_("Replaced by"),
            help_text=_("The identifier of another registered namespace, whose holder agrees."),
            widget=forms.TextInput(attrs={"class": "mono", "autocapitalize": "off"}),
        ),
    },
}
FACT_GUIDANCE: Final[dict[str, tuple[Any, ...]]] = {
    "contact": (
        _("Who answers for the namespace"),
        _("A role outlives a person: urn@ your domain reaches the current holder."),
    ),
    "references": (
        _("Where the namespace is described"),
        _(
            "The list names these documents. This does not change the rules for names: that "
            "takes a revision."
        ),
    ),
    "succession": (
        _("Both sides, or a document"),
        _(
            "A delegate of each side is proof enough. Where the registrant is gone, a law, a deed "
            "or minutes show who took over its duties."
        ),
    ),
    "registrant": (
        _("The same body, another name"),
        _(
            "The old name stays on record. Delegates and recognition stay as they are. To hand "
            "a namespace to another body, ask for a transfer."
        ),
    ),
    "source": (
        _("What others can check"),
        _("A second officer reads it before the name changes."),
    ),
    "status": (
        _("Nothing is ever freed"),
        _(
            "The identifier stays taken, the page keeps its address, and existing names can "
            "still be checked."
        ),
    ),
    "replaced_by": (
        _("What to use instead"),
        _("Pages, API and files name it. Existing names stay valid, and lead where they led."),
    ),
    "notice": (
        _("What readers need to know"),
        _("Required for deprecated and obsolete namespaces. Leave it empty for an active one."),
    ),
}


class FactsForm(forms.Form):
    """The facts that a change asks for; `seen` is the edition of the draft that was opened."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    use_required_attribute = False
    summary_above = True
    optional_unmarked = True

    def __init__(self, *args: Any, draft: Round, **kwargs: Any) -> None:
        kwargs["initial"] = {"seen": draft.edition, **draft.facts}
        super().__init__(*args, **kwargs)
        self.draft = draft
        names = FACT_FIELDS[draft.registration_request.change]
        for name, make in names.items():
            self.fields[name] = make()
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "seen", *(build_guided_fact_field(name, name == next(iter(names))) for name in names)
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the valid form, with those of the draft that are not typed."""
        typed = {name: value for name, value in self.cleaned_data.items() if name != "seen"}
        return {**self.draft.facts, **typed}

    @property
    def facts_typed(self) -> dict[str, Any]:
        """The facts of the draft with what was typed, as far as it can be stored."""
        if not self.is_bound:
            return dict(self.draft.facts)
        self.is_valid()
        return self.facts

    @property
    def is_overtaken(self) -> bool:
        """Whether the draft was changed to something else since the author opened it."""
        return bool(self.cleaned_data["seen"] != self.draft.edition)

    def save(self) -> Round:
        """Write the valid form into the draft, and return the draft.

        Raises `ConcurrentChange` if somebody saved something else since the author opened it.
        """
        if self.facts == self.draft.facts:
            return self.draft
        return drafts.save_draft_facts(self.draft, self.facts, seen=self.cleaned_data["seen"])


def build_guided_fact_field(name: str, first: bool) -> GuidedFields:
    """Return a field with its guidance next to it."""
    title, *paragraphs = FACT_GUIDANCE[name]
    template = {"template": "components/choice.html"} if name == "status" else {}
    return GuidedFields(
        LayoutField(name, **template),
        title=title,
        guidance=paragraphs,
        first=first,
        css_id=f"fact-{name}",
    )
