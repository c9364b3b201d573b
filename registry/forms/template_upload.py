"""A template that somebody has already, pasted or in a file, and what is taken from it."""

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
    """Text as it was pasted; only what no database keeps is replaced."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        self.validators = []

    def to_python(self, value: Any) -> str:
        """Return the text with one kind of line end."""
        return clean_template_text(super().to_python(value) or "")


class TemplateUploadForm(forms.Form):
    """The text of a template, or a file of it; a file takes the place of the text."""

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
        """Return the text of the file, none where no file was chosen."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return None
        if (file.size or 0) > 2 * MAX_TEMPLATE_OCTETS:
            raise build_size_error(file.size or 0)
        text, self.encoding = decode_template_file(file.read())
        return validate_template_size(clean_template_text(text))

    def clean(self) -> dict[str, Any]:
        """Ask for a text where there is none."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self.given.strip():
            self.add_error("text", _("Paste the text of a template, or choose a file."))
        return cleaned

    @property
    def given(self) -> str:
        """The text of the file if there is one, else what was pasted."""
        file: str | None = self.cleaned_data.get("file")
        pasted: str = self.cleaned_data.get("text", "")
        return pasted if file is None else file


class ConfirmUploadForm(forms.Form):
    """Which fields of a text are taken into a draft.

    `seen` is the edition of the draft that was on the page, `digest` names the text. `names` are
    those of the fields that can be taken, `kept` those that better stay as the draft has them,
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
        """The names of the fields that were chosen."""
        return [name for name in self.names if self.cleaned_data[f"take-{name}"]]

    @property
    def followed(self) -> list[str]:
        """The names of the fields for which the text of a section is taken."""
        return [name for name in self.section_names if self.cleaned_data[f"section-{name}"]]

    @property
    def takes_rest(self) -> bool:
        """Whether what belongs to no field is kept too."""
        return bool(self.cleaned_data.get("rest"))


def clean_template_text(text: str) -> str:
    """Return `text` with line feeds alone, and without what no database keeps."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def validate_template_size(text: str) -> str:
    """Return `text` if it is short enough to be a template, else raise `ValidationError`."""
    octets = len(text.encode("utf-8", "surrogatepass"))
    if octets > MAX_TEMPLATE_OCTETS:
        raise build_size_error(octets)
    return text


def build_size_error(octets: int) -> ValidationError:
    """Return the error about more octets than are read."""
    return ValidationError(
        _(
            "That is %(size)s kB; %(most)s kB is the most. Leave out the document around the"
            " template."
        ),
        code="too_long",
        params={"size": f"{octets // 1000:,}", "most": MAX_TEMPLATE_OCTETS // 1000},
    )


def decode_template_file(octets: bytes) -> tuple[str, str]:
    """Return the text of a file, and its encoding where that had to be guessed.

    Raises `ValidationError` for what is no plain text.
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
    """Return the error about a file of another format, whose name may be known."""
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
