"""What people bring to the desk: two names, or a list of them."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy as _

from registry import check_limits

TOO_LARGE: Final = "too_large"
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")


class AnyText(forms.CharField):
    """Text that nothing is refused in: what is wrong with it is the answer, not an error."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.validators = []


class CompareForm(forms.Form):
    """Two names side by side."""

    optional_unmarked = True

    a = AnyText(label=_("First URN"))
    b = AnyText(label=_("Second URN"))

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


class ListForm(forms.Form):
    """Names, one on each line, pasted or in a file of text; a file takes the place of the text."""

    optional_unmarked = True

    names = AnyText(
        label=_("Names, one on each line"),
        help_text=format_lazy(
            _("Up to {most} lines. Nothing you paste is kept."), most=f"{check_limits.MAX_NAMES:,}"
        ),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 9, "spellcheck": "false", "autocapitalize": "off"}),
    )
    file = forms.FileField(
        label=_("Or a text file"),
        help_text=_("In UTF-8. It takes the place of the text above."),
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
        # Downloads leave the page as it is, so that the form is sent more than once from it.
        self.helper.attrs = {"data-send-again": "", "enctype": "multipart/form-data"}
        self.helper.layout = Layout(
            Field("names", css_class="mono names"),
            Field("file", css_class="form-control-sm"),
            StrictButton(_("Check the list"), type="submit", css_class="btn-primary"),
        )

    def clean_names(self) -> str:
        """Refuse more than can be checked at once."""
        return bounded(with_line_feeds(self.cleaned_data["names"]))

    def clean_file(self) -> str | None:
        """Return the text of the file, none where no file was chosen."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return None
        refuse_too_large(file.size or 0)
        return bounded(with_line_feeds(decoded(file.read())))

    def clean(self) -> dict[str, Any]:
        """Ask for names where there are none."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self.names_given.strip():
            self.add_error("names", _("Paste names, one on each line, or choose a file."))
        return cleaned

    @property
    def is_too_large(self) -> bool:
        """Whether there is more than can be checked at once."""
        return any(self.has_error(name, TOO_LARGE) for name in self.fields)

    @property
    def names_given(self) -> str:
        """What is to be checked: the text of the file if there is one, else what was pasted."""
        file: str | None = self.cleaned_data.get("file")
        pasted: str = self.cleaned_data.get("names", "")
        return pasted if file is None else file


def with_line_feeds(text: str) -> str:
    """Return `text` with the line ends of every system as one; others that Unicode has stay."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bounded(text: str) -> str:
    """Return `text` if it can be checked at once, else raise `ValidationError`."""
    lines = text.count("\n") + (not text.endswith("\n"))
    refuse_too_large(len(text.encode("utf-8", "surrogatepass")), lines)
    return text


def refuse_too_large(octets: int, lines: int = 0) -> None:
    """Raise `ValidationError` where there is more than can be checked at once."""
    try:
        check_limits.refuse_too_large(octets, lines)
    except check_limits.TooLarge as refusal:
        raise ValidationError(str(refusal), code=TOO_LARGE) from None


def decoded(octets: bytes) -> str:
    """Return the text of a file in UTF-8; else raise `ValidationError` with the line."""
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValidationError(
            _("The file is not in UTF-8: %(what)s. Save it as UTF-8 and choose it again."),
            code="encoding",
            params={"what": where(octets, error.start)},
        ) from None


def where(octets: bytes, position: int) -> str:
    """Say where a file stops being UTF-8, or what it is instead."""
    if octets.startswith(_WIDE):
        return gettext("it begins as UTF-16 does")
    line = octets.count(b"\n", 0, position) + 1
    return gettext("line %(line)d has the byte %(byte)02X, which cannot stand there") % {
        "line": line,
        "byte": octets[position],
    }
