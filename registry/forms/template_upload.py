"""An existing template, pasted or in a file, and what to take from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

MAX_TEMPLATE_OCTETS: Final = 500_000
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_OTHER_FORMATS: Final = ((b"%PDF", "PDF"), (b"PK\x03\x04", "ZIP"), (b"{\\rtf", "RTF"))
_OLD_ENCODING: Final = "cp1252"


class TemplateUploadField(forms.CharField):
    """Text as it was pasted; only characters that a database cannot store are replaced."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        self.validators = []

    def to_python(self, value: Any) -> str:
        """Return the text with one kind of line end."""
        return clean_template_text(super().to_python(value) or "")


class TemplateUploadForm(forms.Form):
    """The text of a template, or a file of it; a file replaces the text."""

    optional_unmarked = True

    text = TemplateUploadField(
        label=_("Text of the template"),
        help_text=_(
            "By RFC 8141, or older ones of RFC 3406 and RFC 2611, as it was written or sent."
        ),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=_("Or a text file"),
        help_text=_("Plain text, best in UTF-8. It replaces the text above."),
        required=False,
        allow_empty_file=True,
        max_length=None,
    )

    def __init__(self, *args: Any, rows: int = 14, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.encoding = ""
        self.fields["text"].widget.attrs["rows"] = rows
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            Field("text", css_class="mono form-control--small"),
            Field("file", css_class="form-control-sm"),
        )

    @property
    def summary_above(self) -> bool:
        """The page draws the error summary."""
        return True

    def clean_text(self) -> str:
        """Refuse more than is read."""
        return validate_template_size(self.cleaned_data["text"])

    def clean_file(self) -> str | None:
        """Return the text of the file, or None if no file was chosen."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return None
        if (file.size or 0) > 2 * MAX_TEMPLATE_OCTETS:
            raise build_size_error(file.size or 0)
        text, self.encoding = decode_template_file(file.read())
        return validate_template_size(clean_template_text(text))

    def clean(self) -> dict[str, Any]:
        """Require a text."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self.given.strip():
            words = _("Paste the text of a template, or choose a file.")
            self.add_error("text", ValidationError(words, code="required"))
        return cleaned

    @property
    def given(self) -> str:
        """The text of the file if there is one, else what was pasted."""
        file: str | None = self.cleaned_data.get("file")
        pasted: str = self.cleaned_data.get("text", "")
        return pasted if file is None else file


class ConfirmUploadForm(forms.Form):
    """Which fields of a text are taken into a draft.

    `seen` is the edition of the draft that was on the page, `digest` identifies the text. `names`
    are the fields that can be taken, `kept` those that had better stay as they are in the draft,
    `sections` the sections that some of them only refer to.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)
    digest = forms.CharField(widget=forms.HiddenInput)

    optional_unmarked = True

    def __init__(
        self,
        *args: Any,
        names: list[str],
        kept: frozenset[str] = frozenset(),
        sections: Mapping[str, str] = MappingProxyType({}),
        has_rest: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.section_names = [name for name in names if name in sections]
        for name in names:
            self.fields[f"take-{name}"] = forms.BooleanField(
                label=_("Use this in the draft"), required=False, initial=name not in kept
            )
        for name in self.section_names:
            self.fields[f"section-{name}"] = forms.BooleanField(
                label=_("Take the text of “%(title)s” instead") % {"title": sections[name]},
                required=False,
                initial=False,
            )
        if has_rest:
            self.fields["rest"] = forms.BooleanField(
                label=_("Keep this at the end of Additional information"),
                required=False,
                initial=True,
            )

    @property
    def taken(self) -> list[str]:
        """The names of the selected fields."""
        return [name for name in self.names if self.cleaned_data[f"take-{name}"]]

    @property
    def followed(self) -> list[str]:
        """The names of the fields for which the text of a section is taken."""
        return [name for name in self.section_names if self.cleaned_data[f"section-{name}"]]

    @property
    def takes_rest(self) -> bool:
        """Whether to keep what belongs to no field, too."""
        return bool(self.cleaned_data.get("rest"))


def clean_template_text(text: str) -> str:
    """Return `text` with line feeds only, and without what a database cannot store."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def validate_template_size(text: str) -> str:
    """Return `text` if it is short enough for a template, else raise `ValidationError`."""
    octets = len(text.encode("utf-8", "surrogatepass"))
    if octets > MAX_TEMPLATE_OCTETS:
        raise build_size_error(octets)
    return text


def build_size_error(octets: int) -> ValidationError:
    """Return the error for a text over the size limit."""
    return ValidationError(
        _(
            "That is %(size)s kB; %(most)s kB is the most. Leave out the document around the"
            " template."
        ),
        code="too_long",
        params={"size": f"{octets // 1000:,}", "most": MAX_TEMPLATE_OCTETS // 1000},
    )


def decode_template_file(octets: bytes) -> tuple[str, str]:
    """Return the text of a file, and its encoding if that was guessed.

    Raises `ValidationError` if it is not plain text.
    """
    for beginning, name in _OTHER_FORMATS:
        if octets.startswith(beginning):
            raise build_format_error(name)
    if octets.startswith(_UTF16_MARKS):
        return octets.decode("utf-16", "replace"), ""
    if b"\x00" in octets:
        raise build_format_error(None)
    try:
        return octets.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return octets.decode(_OLD_ENCODING, "replace"), "Windows-1252"


def build_format_error(name: str | None) -> ValidationError:
    """Return the error for a file of another format, naming the format if it is known."""
    if name is None:
        return ValidationError(
            _("The file is not plain text. Save it as plain text, or paste the text."),
            code="format",
        )
    return ValidationError(
        _("The file is not plain text but %(name)s. Save it as plain text, or paste the text."),
        code="format",
        params={"name": name},
    )
