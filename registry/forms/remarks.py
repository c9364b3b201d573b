"""What experts remark on a passage, why they settle a remark, and what registrants answer."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import InlineRadios, StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout
from django import forms
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _, gettext_lazy

from registry.choices import Settlement, Weight
from registry.forms.act import COMMENT_LENGTH
from registry.forms.text import PlainText
from registry.models import Remark, Round
from registry.reviewing.remarks import as_answered
from registry.template import ORDER, field
from registry.template.quoting import Quoted, locate

BY_REGISTRY = frozenset({"version", "date"})
SECTIONS = [(name, field(name).label) for name in ORDER if name not in BY_REGISTRY]
SHOWN_OF_A_QUOTE = 120


class RemarkForm(forms.Form):
    """A remark on a passage of the round that the expert reads, or on a whole section."""

    round_number = forms.IntegerField(widget=forms.HiddenInput)
    occurrence = forms.IntegerField(
        required=False, min_value=0, max_value=COMMENT_LENGTH, widget=forms.HiddenInput
    )
    section = forms.ChoiceField(label=gettext_lazy("Section"), choices=SECTIONS)
    quote = PlainText(
        label=gettext_lazy("Passage"),
        most=COMMENT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Its words, copied from the text. Empty for the whole section."),
    )
    weight = forms.ChoiceField(
        label=gettext_lazy("Weight"),
        choices=Weight,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose how much it weighs.")},
    )
    text = PlainText(
        label=gettext_lazy("Remark, public"),
        most=COMMENT_LENGTH,
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
            StrictButton(_("Publish the remark"), type="submit", css_class="btn-outline-secondary"),
        )

    def clean_weight(self) -> Weight:
        """Return the weight as such."""
        return Weight(self.cleaned_data["weight"])

    def clean(self) -> dict[str, Any]:
        """Find the passage in the section."""
        answers = super().clean() or {}
        section, quote = answers.get("section"), answers.get("quote", "").strip()
        if section and quote and not self.errors:
            found = self.find(section, quote, answers.get("occurrence") or 0)
            answers |= {"quote": found.text, "start": found.start} if found else {}
        answers.pop("occurrence", None)
        return answers

    def find(self, section: str, quote: str, occurrence: int) -> Quoted | None:
        """Return the passage where it stands, or say beside the field that it does not."""
        template = self.shown.template
        found = locate(quote, template[section], occurrence)
        if found is None:
            elsewhere = [name for name, _label in SECTIONS if locate(quote, template[name])]
            self.add_error("quote", not_found(quote, self.shown, section, elsewhere))
        return found


def not_found(quote: str, shown: Round, section: str, elsewhere: list[str]) -> str:
    """Say that a passage is not in a section, and where it is."""
    told = {
        "quote": Truncator(quote).chars(SHOWN_OF_A_QUOTE),
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


class ReasonForm(forms.Form):
    """Why an expert drops a remark or opens it again."""

    comment = PlainText(
        label=gettext_lazy("Reason, public"),
        most=COMMENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give your reasons; they are public.")},
    )


class AnswerForm(forms.Form):
    """What the registrant answers to a remark; kept beside the draft until it is sent."""

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
    text = PlainText(
        label=gettext_lazy("What you say to it"),
        most=COMMENT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    use_required_attribute = False
    optional_unmarked = True

    def __init__(self, *args: Any, remark: Remark, **kwargs: Any) -> None:
        slug = remark.registration_request.slug
        action = reverse("requests:answer", args=[slug, remark.number])
        kwargs["initial"] = {
            "seen": as_answered(remark),
            "settlement": remark.draft_settlement,
            "text": remark.draft_answer,
            **(kwargs.get("initial") or {}),
        }
        super().__init__(*args, **{"auto_id": f"answer_{remark.number}_%s", **kwargs})
        self.helper = FormHelper()
        self.helper.form_action = action
        self.helper.attrs = {
            "hx-post": action,
            "hx-target": f"#{remark.anchor}",
            "hx-swap": "outerHTML",
        }
        self.helper.layout = Layout(
            "seen",
            InlineRadios("settlement"),
            "text",
            StrictButton(
                _("Keep the answer"), type="submit", css_class="btn-sm btn-outline-secondary"
            ),
        )

    def clean(self) -> dict[str, Any]:
        """Ask for the explanation where one is announced."""
        answers = super().clean() or {}
        wants_words = answers.get("settlement") == Settlement.EXPLAINED
        if wants_words and not answers.get("text") and "text" not in self.errors:
            self.add_error("text", _("Explain why the text stays as it is."))
        return answers
