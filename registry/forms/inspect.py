"""Input for inspection: names, lists of names, and rules for names."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy as _

from registry import rate_limits
from registry.enums import GrammarKind
from registry.urn import spec

TOO_LARGE_CODE: Final = "too_large"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


class AnyTextField(forms.CharField):
    """Text in which nothing is refused: what is wrong with it is the answer, not an error."""

    def __init__(self, *, required: bool = False, **kwargs: Any) -> None:
        super().__init__(required=required, **kwargs)
        self.validators = []


class CompareURNsForm(forms.Form):
    """Two names next to each other."""

    optional_unmarked = True

    a = AnyTextField(label=_("First URN"))
    b = AnyTextField(label=_("Second URN"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.form_class = "pair"
        self.helper.layout = Layout(
            *(
                Field(name, css_class="mono", autocapitalize="off", spellcheck="false")
                for name in self.fields
            ),
            StrictButton(_("Compare"), type="submit", css_class="btn-primary"),
        )


class WritingForm(forms.Form):
    """One of the three forms of a page that makes URNs and takes locators apart."""

    button: str | Promise
    rows: tuple[tuple[str, ...], ...]

    def __init__(self, *args: Any, action: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.form_action = action
        self.helper.layout = Layout(
            *(
                Div(
                    *(
                        Field(name, css_class="mono", autocapitalize="off", spellcheck="false")
                        for name in row
                    ),
                    css_class="bench-kind",
                )
                for row in self.rows
            ),
            StrictButton(self.button, type="submit", css_class="btn-primary mb-4"),
        )


class BuildURNForm(WritingForm):
    """The parts of a URN, not yet encoded."""

    button = _("Build it")
    rows = (("nid", "name"), ("r", "q", "f"))

    nid = AnyTextField(required=True, label=_("Identifier of the namespace"))
    name = AnyTextField(required=True, label=_("Name"))
    r = AnyTextField(label=_("r-component"), empty_value=None)
    q = AnyTextField(label=_("q-component"), empty_value=None)
    f = AnyTextField(label=_("f-component"), empty_value=None)


class ConvertURNForm(WritingForm):
    """A text to convert to RFC 8141, and the specification it was written by."""

    button = _("Convert it")
    rows = (("urn", "by"),)
    optional_unmarked = True

    urn = AnyTextField(required=True, label=_("Text"))
    by = forms.ChoiceField(
        label=_("Written by"),
        choices=[
            ("", _("Whichever takes it")),
            *((profile.name, str(profile)) for profile in spec.PROFILES),
        ],
        required=False,
    )


class LocatorForm(WritingForm):
    """A locator to take apart."""

    button = _("Take it apart")
    rows = (("uri",),)

    uri = AnyTextField(required=True, label=_("Locator"))


class URNListForm(forms.Form):
    """Names, one per line, pasted or in a text file; a file replaces the text."""

    optional_unmarked = True

    names = AnyTextField(
        label=_("Names, one on each line"),
        help_text=format_lazy(
            _("Up to {most} lines. Nothing you paste is kept."),
            most=f"{rate_limits.MAX_CHECKED_NAMES:,}",
        ),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 9, "spellcheck": "false", "autocapitalize": "off"}),
    )
    file = forms.FileField(
        label=_("Or a text file"),
        help_text=_("In UTF-8. It replaces the text above."),
        required=False,
        allow_empty_file=True,
        max_length=None,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_id = "list"
        self.helper.form_class = "sticky"
        self.helper.disable_csrf = True
        # Downloads leave the page as it is, so the form can be sent from it repeatedly.
        self.helper.attrs = {"data-send-again": ""}
        self.helper.layout = Layout(
            Field("names", css_class="mono names"),
            Field("file", css_class="form-control-sm"),
            StrictButton(_("Check the list"), type="submit", css_class="btn-primary"),
        )

    def clean_names(self) -> str:
        """Refuse more than can be checked at once."""
        return validate_list_size(unify_list_line_ends(self.cleaned_data["names"]))

    def clean_file(self) -> str | None:
        """Return the text of the file, or None if no file was chosen."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return None
        refuse_oversized_list(file.size or 0)
        return validate_list_size(unify_list_line_ends(decode_list_file(file.read())))

    def clean(self) -> dict[str, Any]:
        """Require names."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self.names_given.strip():
            words = _("Paste names, one on each line, or choose a file.")
            self.add_error("names", ValidationError(words, code="required"))
        return cleaned

    @property
    def is_too_large(self) -> bool:
        """Whether there is more than can be checked at once."""
        return any(self.has_error(name, TOO_LARGE_CODE) for name in self.fields)

    @property
    def names_given(self) -> str:
        """What is to be checked: the text of the file if there is one, else what was pasted."""
        file: str | None = self.cleaned_data.get("file")
        pasted: str = self.cleaned_data.get("names", "")
        return pasted if file is None else file


class FindForm(forms.Form):
    """Running text to search for URNs and other URIs."""

    optional_unmarked = True

    text = AnyTextField(
        label=_("Text"),
        help_text=_("Paste any text. We keep none of it."),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_id = "find"
        self.helper.form_class = "sticky"
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            "text", StrictButton(_("Find URNs"), type="submit", css_class="btn-primary")
        )

    def clean_text(self) -> str:
        """Refuse an empty text, and one longer than can be searched at once."""
        text = unify_list_line_ends(self.cleaned_data["text"])
        refuse_oversized_list(len(text.encode("utf-8", "surrogatepass")))
        if not text.strip():
            raise ValidationError(gettext("Paste the text to search."), code="required")
        return text

    @property
    def is_too_large(self) -> bool:
        """Whether there is more than can be searched at once."""
        return self.has_error("text", TOO_LARGE_CODE)


def unify_list_line_ends(text: str) -> str:
    """Return `text` with all systems' line ends unified; Unicode's other line ends stay."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def validate_list_size(text: str) -> str:
    """Return `text` if it can be checked at once, else raise `ValidationError`."""
    lines = text.count("\n") + (not text.endswith("\n"))
    refuse_oversized_list(len(text.encode("utf-8", "surrogatepass")), lines)
    return text


def refuse_oversized_list(octets: int, lines: int = 0) -> None:
    """Raise `ValidationError` if there is more than can be checked at once."""
    try:
        rate_limits.refuse_oversized_check(octets, lines)
    except rate_limits.ListTooLarge as refusal:
        raise ValidationError(str(refusal), code=TOO_LARGE_CODE) from None


def decode_list_file(octets: bytes) -> str:
    """Return the text of a file in UTF-8; else raise `ValidationError` with the line."""
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValidationError(
            _("The file is not in UTF-8: %(what)s. Save it as UTF-8 and choose it again."),
            code="encoding",
            params={"what": describe_encoding_error(octets, error.start)},
        ) from None


def describe_encoding_error(octets: bytes, position: int) -> str:
    """Say where a file stops being UTF-8, or which encoding it has instead."""
    if octets.startswith(_UTF16_MARKS):
        return gettext("it begins as UTF-16 does")
    line = octets.count(b"\n", 0, position) + 1
    return gettext("line %(line)d has the byte %(byte)02X, which is not allowed there") % {
        "line": line,
        "byte": octets[position],
    }


RULE_KIND_CHOICES: Final = [
    (kind.value, kind.label) for kind in (GrammarKind.ABNF, GrammarKind.REGEX)
]
RULE_AREA_ATTRS: Final = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class RuleTextField(forms.CharField):
    """Text in which nothing is refused: what is wrong with it is the answer, not an error."""

    def __init__(self, rows: int, **kwargs: Any) -> None:
        area = forms.Textarea(attrs={"rows": rows, **RULE_AREA_ATTRS})
        super().__init__(required=False, strip=False, widget=area, **kwargs)
        self.validators = []


class GrammarTrialForm(forms.Form):
    """A rule and names to try it on. The fields are named like the template's."""

    optional_unmarked = True

    grammar_kind = forms.ChoiceField(
        label=_("Written as"), choices=RULE_KIND_CHOICES, required=False
    )
    nid = forms.CharField(
        label=_("Identifier of the namespace"),
        help_text=_("If it has one, such as isbn."),
        required=False,
        widget=forms.TextInput(attrs=RULE_AREA_ATTRS),
    )
    grammar = RuleTextField(
        8, label=_("Rule"), help_text=_("For whole names, or for what follows the identifier.")
    )
    examples = RuleTextField(3, label=_("Valid examples"), help_text=_("One on each line."))
    counter_examples = RuleTextField(
        2, label=_("Invalid examples"), help_text=_("One on each line.")
    )
    other_kind = forms.ChoiceField(
        label=_("Second rule, written as"),
        choices=RULE_KIND_CHOICES,
        required=False,
        initial=GrammarKind.REGEX,
    )
    other = RuleTextField(
        4, label=_("Second rule"), help_text=_("To see whether both have the same names.")
    )

    def __init__(self, *args: Any, live: str, **kwargs: Any) -> None:
        """`live` is the address that tries the rule while it is typed."""
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.form_id = "bench"
        self.helper.form_action = live
        self.helper.disable_csrf = True
        self.helper.attrs = {
            "data-hx-post": live,
            "data-hx-trigger": "input delay:600ms",
            "data-hx-target": "#bench-result",
            "data-hx-sync": "this:replace",
            "data-send-again": "",
        }
        self.helper.layout = Layout(
            Div(Field("grammar_kind"), Field("nid", css_class="mono"), css_class="bench-kind"),
            *(
                Field(name, css_class="mono form-control--small")
                for name in ("grammar", "examples", "counter_examples")
            ),
            Field("other_kind"),
            Field("other", css_class="mono form-control--small"),
            StrictButton(_("Try it"), type="submit", css_class="btn-primary"),
        )


class SecondRuleForm(forms.Form):
    """A second rule, on the Syntax page of the editor; it is sent with that page's form."""

    optional_unmarked = True

    other_kind = forms.ChoiceField(
        label=_("Second rule, written as"),
        choices=RULE_KIND_CHOICES,
        required=False,
        initial=GrammarKind.REGEX,
        widget=forms.Select(attrs={"form": "editor"}),
    )
    other = RuleTextField(
        3,
        label=_("Second rule"),
        help_text=_("To see whether both have the same names. It is not kept with the draft."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].widget.attrs["form"] = "editor"
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            Field("other_kind"), Field("other", css_class="mono form-control--small")
        )
