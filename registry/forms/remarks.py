"""Remarks, answers to them, and messages."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from typing import Any, Final

from crispy_forms.bootstrap import InlineRadios, StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext as _, gettext_lazy

from registry.actions.remarks import format_prepared_answer
from registry.enums import RemarkWeight, Settlement
from registry.forms.fields import PlainTextField, unify_line_ends
from registry.forms.steps import MAX_COMMENT_LENGTH
from registry.models import RegistrationRequest, Remark, Round
from registry.permissions import Person
from registry.selectors.challenges import list_message_marks
from registry.template import FIELDS, ORDER, field
from registry.template.passages import QuotedPassage, locate_quote

REGISTRY_WRITTEN_FIELDS = frozenset({"version", "date"})
REMARK_SECTION_CHOICES = [
    (name, field(name).label) for name in ORDER if name not in REGISTRY_WRITTEN_FIELDS
]
MAX_QUOTE_EXCERPT_LENGTH = 120
SAVE_ANSWER_BUTTON: Final = "keep_answer"
"""The button that saves one answer in the editor; its value is the remark's number."""
ANSWER_FIELD_PATTERN: Final = re.compile(r"answer-([0-9]{1,9})-(?:seen|settlement|text)", re.ASCII)


class RemarkForm(forms.Form):
    """A remark on a passage of the round that the expert reads, or on a whole section."""

    round_number = forms.IntegerField(widget=forms.HiddenInput)
    occurrence = forms.IntegerField(
        required=False, min_value=0, max_value=MAX_COMMENT_LENGTH, widget=forms.HiddenInput
    )
    section = forms.ChoiceField(label=gettext_lazy("Section"), choices=REMARK_SECTION_CHOICES)
    quote = PlainTextField(
        label=gettext_lazy("Passage"),
        most=MAX_COMMENT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Its words, copied from the text. Empty for the whole section."),
    )
    weight = forms.ChoiceField(
        label=gettext_lazy("Weight"),
        choices=RemarkWeight,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose how much it weighs.")},
    )
    text = PlainTextField(
        label=gettext_lazy("Remark, public"),
        most=MAX_COMMENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Write what you want to remark.")},
    )

    use_required_attribute = False

    def __init__(self, *args: Any, shown: Round, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "remark_%s", **kwargs})
        self.shown = shown
        self.fields["round_number"].initial = shown.number
        self.helper = FormHelper()
        slug = shown.registration_request.slug
        self.helper.form_action = reverse("review:remark", args=[slug])
        self.helper.attrs = {"data-remark-form": ""}
        self.helper.layout = Layout(
            "round_number",
            "occurrence",
            "section",
            "quote",
            InlineRadios("weight"),
            "text",
            Div(
                StrictButton(_("Publish the remark"), type="submit", css_class="btn-primary"),
                HTML(
                    format_html(
                        '<a class="btn btn-outline-secondary" data-remark-cancel href="{}">{}</a>',
                        reverse("review:detail", args=[slug]),
                        _("Cancel"),
                    )
                ),
                css_class="cluster",
            ),
        )

    def clean_weight(self) -> RemarkWeight:
        """Return the weight as an enum member."""
        return RemarkWeight(self.cleaned_data["weight"])

    def clean(self) -> dict[str, Any]:
        """Find the passage in the section."""
        answers = super().clean() or {}
        section, quote = answers.get("section"), answers.get("quote", "").strip()
        if section and quote and not self.errors:
            found = self.find(section, quote, answers.get("occurrence") or 0)
            answers |= {"quote": found.text, "start": found.start} if found else {}
        answers.pop("occurrence", None)
        return answers

    def find(self, section: str, quote: str, occurrence: int) -> QuotedPassage | None:
        """Return where the passage is, or report next to the field that it is missing."""
        template = self.shown.template
        found = locate_quote(quote, template[section], occurrence)
        if found is None:
            elsewhere = [
                name
                for name, _label in REMARK_SECTION_CHOICES
                if locate_quote(quote, template[name])
            ]
            words = describe_missing_quote(quote, self.shown, section, elsewhere)
            code = "elsewhere" if elsewhere else "missing"
            self.add_error("quote", forms.ValidationError(words, code=code))
        return found


def describe_missing_quote(quote: str, shown: Round, section: str, elsewhere: list[str]) -> str:
    """Say that a passage is not in a section, and where it is instead."""
    told = {
        "quote": Truncator(quote).chars(MAX_QUOTE_EXCERPT_LENGTH),
        "section": field(section).label,
        "number": shown.number,
    }
    if elsewhere:
        told["other"] = field(elsewhere[0]).label
        return _("“%(quote)s” is not in %(section)s, but in %(other)s: choose that section.") % told
    return (
        _(
            "“%(quote)s” is not in %(section)s as round %(number)d has it. Copy the words from the "
            "text, or leave the passage empty to remark on the whole section."
        )
        % told
    )


class SettlementReasonForm(forms.Form):
    """Why an expert drops or reopens a remark."""

    comment = PlainTextField(
        label=gettext_lazy("Reason, public"),
        most=MAX_COMMENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give your reasons; they are public.")},
    )


def get_answer_prefix(number: int) -> str:
    """Return the field prefix of a remark's answer in the editor."""
    return f"answer-{number}"


def find_answer_fields(typed: Iterable[str]) -> list[str]:
    """Return the posted field names that belong to answers in the editor."""
    return [name for name in typed if ANSWER_FIELD_PATTERN.fullmatch(name)]


def find_answered_numbers(typed: Iterable[str]) -> set[int]:
    """Return the numbers of the remarks with answers among the posted field names."""
    return {int(match[1]) for name in typed if (match := ANSWER_FIELD_PATTERN.fullmatch(name))}


class AnswerForm(forms.Form):
    """The registrant's answer to a remark, kept with the draft until it is sent.

    With `in_editor` it is part of the editor's form, so that without script the text is sent with
    the answer, and the answer with the text.
    """

    seen = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    settlement = forms.ChoiceField(
        label=gettext_lazy("Your answer"),
        required=False,
        choices=[
            (Settlement.CHANGED, gettext_lazy("I changed the text")),
            (Settlement.EXPLAINED, gettext_lazy("I explain instead")),
            ("", gettext_lazy("None yet")),
        ],
        widget=forms.RadioSelect,
    )
    text = PlainTextField(
        label=gettext_lazy("Your answer"),
        most=MAX_COMMENT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    use_required_attribute = False
    optional_unmarked = True

    def __init__(self, *args: Any, remark: Remark, in_editor: bool = False, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "seen": format_prepared_answer(remark),
            "settlement": remark.draft_settlement,
            "text": remark.draft_answer,
            **(kwargs.get("initial") or {}),
        }
        if in_editor:
            kwargs["prefix"] = get_answer_prefix(remark.number)
        super().__init__(*args, **{"auto_id": f"answer_{remark.number}_%s", **kwargs})
        self.remark = remark
        self.helper = FormHelper()
        self.helper.layout = Layout("seen", InlineRadios("settlement"), "text")
        action = reverse("requests:answer", args=[remark.registration_request.slug, remark.number])
        by_script = {
            "data-hx-post": action,
            "data-hx-target": f"#{remark.anchor}",
            "data-hx-swap": "outerHTML",
        }
        button = {"type": "submit", "css_class": "btn-sm btn-outline-secondary"}
        if in_editor:
            self.helper.form_tag = False
            self.helper.disable_csrf = True
            own = ",".join(self.add_prefix(name) for name in self.fields)
            by_script |= {"data-hx-params": f"csrfmiddlewaretoken,{own}"}
            button |= {"name": SAVE_ANSWER_BUTTON, "value": str(remark.number), **by_script}
        else:
            self.helper.form_action = action
        self.helper.layout.append(StrictButton(_("Keep the answer"), **button))

    def clean_seen(self) -> str:
        """Return what the person saw, with the line ends that the registry stores."""
        return unify_line_ends(self.cleaned_data["seen"])

    @property
    def is_changed(self) -> bool:
        """Whether the posted answer differs from what the person saw on opening the page."""
        seen, settlement, text = (
            unify_line_ends(str(self[name].value() or "")) for name in self.fields
        )
        return self.is_bound and seen != f"{settlement}:{text.strip()}"

    def clean(self) -> dict[str, Any]:
        """Require the explanation if the answer promises one."""
        answers = super().clean() or {}
        wants_words = answers.get("settlement") == Settlement.EXPLAINED
        if wants_words and not answers.get("text") and "text" not in self.errors:
            words = _("Explain why the text stays as it is.")
            self.add_error("text", forms.ValidationError(words, code="required"))
        return answers


MAX_MESSAGE_LENGTH = 10_000
MAX_MODERATION_REASON_LENGTH = 300
MESSAGE_SECTION_CHOICES = [
    ("", gettext_lazy("The request as a whole")),
    *((each.name, each.label) for each in FIELDS),
]
STASHED_COMMENT_FIELDS = ("text", "section", "answers")
"""What is kept during a sign-in; the key is recreated."""


class MessageForm(forms.Form):
    """One text, and the key that identifies a second click."""

    text = PlainTextField(
        most=MAX_MESSAGE_LENGTH,
        label=gettext_lazy("Your note"),
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": gettext_lazy("Write something first.")},
    )
    key = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid.uuid4)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True

    def clean_key(self) -> uuid.UUID:
        """Return the key, or a new one: pages for everybody have none."""
        return self.cleaned_data["key"] or uuid.uuid4()


class NoteForm(MessageForm):
    """A note between experts."""


class CommentForm(MessageForm):
    """A public message: on a section or the whole, and possibly an answer to another."""

    section = forms.ChoiceField(
        label=gettext_lazy("About"),
        required=False,
        choices=MESSAGE_SECTION_CHOICES,
        widget=forms.Select(attrs={"class": "form-select-sm"}),
    )
    optional_unmarked = True

    def __init__(
        self,
        *args: Any,
        registration_request: RegistrationRequest,
        author: Person,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        text = self.fields["text"]
        text.label = gettext_lazy("Your comment")
        text.help_text = gettext_lazy(
            "Public and permanent, under the name on your account. What you write is kept while "
            "you sign in. Plain text: addresses become links, blank lines begin a paragraph."
        )
        self.fields["answers"] = forms.ModelChoiceField(
            registration_request.messages.public().select_related("answers"),
            to_field_name="number",
            required=False,
            widget=forms.HiddenInput,
            error_messages={"invalid_choice": gettext_lazy("The message you answer is not there.")},
        )
        # The key is rendered outside of the form: a page that readers share has none.
        self.helper.layout = Layout("answers", "text", Field("section", wrapper_class="narrow--34"))
        if marks := list_message_marks(author, registration_request):
            self.fields["mark"] = forms.ChoiceField(
                label=gettext_lazy("You write it as"),
                required=False,
                choices=[("", gettext_lazy("A comment")), *marks],
                widget=forms.Select(attrs={"class": "form-select-sm"}),
                error_messages={"invalid_choice": gettext_lazy("You cannot write that here.")},
            )
            self.helper.layout.append(Field("mark", wrapper_class="narrow--34"))


class HideMessageForm(forms.Form):
    """Why a message is hidden from readers."""

    reason = PlainTextField(
        most=MAX_MODERATION_REASON_LENGTH,
        label=gettext_lazy("Reason, public"),
        help_text=gettext_lazy("Readers see it, with your name, where the message was."),
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": gettext_lazy("Give your reason; readers see it.")},
    )


class ShowMessageForm(forms.Form):
    """Why a message is shown again."""

    reason = PlainTextField(
        most=MAX_MODERATION_REASON_LENGTH,
        required=False,
        label=gettext_lazy("Reason, public"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
