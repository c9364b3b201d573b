"""Resolution: services, locator tables, and the two vocabularies."""

from __future__ import annotations

import re
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Fieldset, Layout
from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.actions.resolution_services import (
    DESIGNATOR_VOCABULARY,
    KEYWORD_VOCABULARY,
    SERVICE_FIELDS,
    ServiceVocabulary,
    find_template_fault,
)
from registry.enums import DesignatorStatus, KeywordScope
from registry.forms.fields import PlainTextField
from registry.forms.organizations import BareForm
from registry.models import (
    LocatorTable,
    Namespace,
    QueryKeyword,
    ResolutionService,
    ServiceDesignator,
)
from registry.resolution.resolver import iterate_example_names, try_service
from registry.resolution.uri_templates import UriTemplateError
from registry.urn import URN, URNSyntaxError, nid as nids, parse

MEDIA_TYPE_PATTERN: Final = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
LANGUAGE_TAG_PATTERN: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
NSS_BEGINNING_PATTERN: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*")
MAX_SERVICE_PRIORITY: Final = 32_767
PLAIN_INPUT_ATTRS: Final = {"autocapitalize": "off", "spellcheck": "false"}


class EntryField(forms.ModelChoiceField[Any]):
    """One of the words of a vocabulary, each with its purpose."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj}: {obj.purpose}"


class ServiceForm(forms.Form):
    """One service: which names it covers, where it leads, and its source."""

    # The one left out compares two names.
    service = EntryField(
        queryset=ServiceDesignator.objects.exclude(name="I=I"),
        label=_("Which service is it?"),
        initial="I2L",
        empty_label=None,
        help_text=_("I2L if the address leads to the resource, I2C if it describes it."),
    )
    begins = PlainTextField(
        most=200,
        required=False,
        label=_("Only for names that begin with"),
        help_text=_("The beginning of the NSS, such as de: of urn:nbn:de:…; empty for all names."),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
    )
    template = PlainTextField(
        most=1000,
        label=_("Address as a URI template"),
        help_text=_("Such as https://names.example/{+nss}. The variables are listed below."),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
        error_messages={"required": _("Write the address, with {+nss} where the name goes.")},
    )
    media_type = PlainTextField(
        most=100,
        required=False,
        label=_("Media type"),
        help_text=_("Such as text/html; empty if it varies."),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
    )
    language = PlainTextField(
        most=35,
        required=False,
        label=_("Language"),
        help_text=_("Such as fi; empty if it varies."),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
    )
    priority = forms.IntegerField(
        label=_("Priority"),
        initial=10,
        min_value=0,
        max_value=MAX_SERVICE_PRIORITY,
        help_text=_("If two are equally good, the smaller number comes first."),
    )
    assigner = PlainTextField(
        most=200,
        required=False,
        label=_("Who assigns names that begin so?"),
        help_text=_("Of a sub-namespace alone, such as the national library of nbn:fi."),
        widget=forms.TextInput,
    )
    operator = PlainTextField(
        most=200,
        label=_("Who runs it?"),
        widget=forms.TextInput,
        error_messages={"required": _("Name the organization that runs it.")},
    )
    source = PlainTextField(
        most=300,
        label=_("What is your source?"),
        help_text=_("A document, a page, or “we run it”. Public."),
        widget=forms.TextInput,
        error_messages={"required": _("Give a source that others can check.")},
    )
    name = PlainTextField(
        most=2000,
        required=False,
        label=_("Try it with a name"),
        help_text=_(
            "A URN or an NSS. We show where it would lead, without contacting the service."
        ),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, namespace: Namespace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.namespace = namespace

    @property
    def helper(self) -> FormHelper:
        """The layout: fields only, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = Layout(
            Field("service"),
            Field("begins", css_class="mono narrow--34"),
            Field("template", css_class="mono"),
            Field("name", css_class="mono"),
            Fieldset(
                gettext("What we know about it"),
                Field("media_type", css_class="mono narrow--34"),
                Field("language", css_class="mono narrow--34"),
                Field("priority", css_class="narrow--34"),
                "assigner",
                "operator",
                "source",
            ),
            "seen",
        )
        return helper

    def clean_service(self) -> str:
        """Return the designator by name, as the journal stores it."""
        return str(self.cleaned_data["service"])

    def clean_begins(self) -> str:
        """Refuse what no NSS can begin with."""
        prefix = str(self.cleaned_data["begins"])
        if not NSS_BEGINNING_PATTERN.fullmatch(prefix) or prefix.startswith("/"):
            raise forms.ValidationError(
                gettext("No name begins with “%(prefix)s” (RFC 8141, section 2).")
                % {"prefix": prefix}
            )
        return prefix

    def clean_media_type(self) -> str:
        """Return the media type in lower case, without parameters."""
        kind = str(self.cleaned_data["media_type"]).lower()
        if kind and not MEDIA_TYPE_PATTERN.fullmatch(kind):
            raise forms.ValidationError(
                gettext("“%(kind)s” is not a media type. Write one such as text/html.")
                % {"kind": kind}
            )
        return kind

    def clean_language(self) -> str:
        tag = str(self.cleaned_data["language"])
        if tag and not LANGUAGE_TAG_PATTERN.fullmatch(tag):
            raise forms.ValidationError(
                gettext("“%(tag)s” is not a language tag. Write one such as fi or pt-BR.")
                % {"tag": tag}
            )
        return tag

    def clean_name(self) -> URN | None:
        """Return the name to try; refuse one that is not in this namespace."""
        typed = str(self.cleaned_data["name"])
        if not typed:
            return None
        nid = self.namespace.nid
        try:
            urn = parse(typed if typed[:4].lower() == "urn:" else f"urn:{nid}:{typed}")
        except URNSyntaxError as error:
            raise forms.ValidationError(str(error)) from None
        if nids.canonical(urn.nid) != nid:
            raise forms.ValidationError(gettext("It is a name of another namespace."))
        return urn

    def clean(self) -> dict[str, Any]:
        """Validate the template together with the service, which decides what is allowed."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("assigner") and not cleaned.get("begins"):
            words = gettext("Say with what their names begin.")
            self.add_error("begins", forms.ValidationError(words, code="no_prefix"))
        if {"service", "template", "begins"} <= cleaned.keys():
            fault = find_template_fault(cleaned["service"], cleaned["template"], cleaned["begins"])
            if fault is not None:
                self.add_error("template", self.placed(fault, cleaned["template"]))
        return cleaned

    def placed(self, fault: UriTemplateError, template: str) -> str:
        """Return what is wrong with the template, and where."""
        if 0 < fault.position < len(template):
            words = gettext("%(what)s It begins at character %(number)d.")
            return words % {"what": fault, "number": fault.position + 1}
        return str(fault)

    @property
    def said(self) -> dict[str, Any]:
        """The fields of the service, for the action."""
        return {
            name: self.cleaned_data["begins" if name == "prefix" else name]
            for name in SERVICE_FIELDS
        }

    def tries(self) -> list[tuple[URN, str]]:
        """Return where names would lead: the one typed, else examples of the namespace."""
        said = self.said
        service = ResolutionService(
            namespace=self.namespace,
            service_id=said["service"],
            **{name: value for name, value in said.items() if name != "service"},
        )
        typed = self.cleaned_data.get("name")
        names = (
            [typed]
            if typed
            else list(iterate_example_names(self.namespace.nid, self.namespace.current))[:3]
        )
        return [(urn, try_service(service, urn)) for urn in names]


class WithdrawServiceForm(forms.Form):
    """Why a service is withdrawn."""

    reason = PlainTextField(
        most=1_000,
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say why; the journal keeps it.")},
    )


class VocabularyEntryForm(forms.Form):
    """A new or changed entry of one of the registries of draft -03, section 9.2."""

    vocabulary: ServiceVocabulary

    ground = PlainTextField(
        most=200,
        label=_("What is the change based on?"),
        help_text=_("A document, and who decided. Public."),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document that the change is based on.")},
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, key: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.key = key
        # A word never becomes another, and a new one is based on its own reference.
        del self.fields[self.vocabulary.key if key else "ground"]

    @property
    def word(self) -> str:
        """The word that is entered or changed."""
        return self.key or str(self.cleaned_data[self.vocabulary.key])

    @property
    def said(self) -> dict[str, Any]:
        """The entry's fields, for the actions."""
        return {name: self.cleaned_data[name] for name in self.vocabulary.columns}

    def clean(self) -> dict[str, Any]:
        """Report what the draft does not allow next to the field concerned."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            for name, words in self.vocabulary.faults(self.word, self.said).items():
                self.add_error(name if name in self.fields else None, words)
        return cleaned


class KeywordForm(VocabularyEntryForm):
    """An entry of the registry of query keywords (section 9.2.1)."""

    vocabulary = KEYWORD_VOCABULARY

    keyword = PlainTextField(
        most=40,
        label=_("Keyword"),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
        error_messages={"required": _("Type the keyword.")},
    )
    purpose = PlainTextField(
        most=120,
        label=_("Purpose"),
        widget=forms.TextInput,
        error_messages={"required": _("Say what the keyword asks for.")},
    )
    scope = forms.ChoiceField(label=_("Scope"), choices=KeywordScope.choices)
    reference = PlainTextField(
        most=200,
        label=_("Defining document"),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document that the entry is based on.")},
    )
    supported_by = PlainTextField(
        most=4_000,
        required=False,
        label=_("Supported by"),
        help_text=_("One on each line: a NID, a space, and the reference."),
        widget=forms.Textarea(attrs={"rows": 3, **PLAIN_INPUT_ATTRS}),
    )
    field_order = ["keyword", "purpose", "scope", "reference", "supported_by", "ground"]

    def clean_supported_by(self) -> list[list[str]]:
        """Return pairs of a NID and a reference; refuse invalid lines."""
        lines = str(self.cleaned_data["supported_by"]).split("\n")
        pairs = [line.split(maxsplit=1) for line in lines if line.strip()]
        for number, pair in enumerate(pairs, start=1):
            if len(pair) != 2:
                raise forms.ValidationError(
                    gettext("Line %(number)d: write a NID, a space, and a reference.")
                    % {"number": number}
                )
        return [[nids.canonical(nid), reference.strip()] for nid, reference in pairs]


class DesignatorForm(VocabularyEntryForm):
    """An entry of the registry of resolution service designators (section 9.2.2)."""

    vocabulary = DESIGNATOR_VOCABULARY

    name = PlainTextField(
        most=20,
        label=_("Name"),
        widget=forms.TextInput(attrs=PLAIN_INPUT_ATTRS),
        error_messages={"required": _("Type the name of the service.")},
    )
    purpose = PlainTextField(
        most=120,
        label=_("Purpose"),
        widget=forms.TextInput,
        error_messages={"required": _("Say what the service does.")},
    )
    status = forms.ChoiceField(label=_("Status"), choices=DesignatorStatus.choices)
    reference = PlainTextField(
        most=200,
        label=_("Reference"),
        help_text=_("For “Standard” and “Experimental”, the RFC."),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document that the entry is based on.")},
    )
    field_order = ["name", "purpose", "status", "reference", "ground"]


class KeywordSupportForm(BareForm):
    """What a namespace's representative says who wants it listed under a query keyword."""

    keyword = EntryField(
        queryset=QueryKeyword.objects.all(),
        label=_("Which keyword?"),
        error_messages={"required": _("Choose the keyword.")},
    )
    reference = PlainTextField(
        most=200,
        label=_("Which document says so?"),
        help_text=_("A stable one, which lists the values that your resolvers understand. Public."),
        widget=forms.TextInput,
        error_messages={"required": _("Name the document, so that others can read it.")},
    )
    demonstration = PlainTextField(
        most=4_000,
        label=_("How can it be tried?"),
        help_text=_("A name with such a query, where to send it, and what comes back. Public."),
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Show that it works.")},
    )


class LocatorTableForm(forms.Form):
    """The file, and which table was in use when the person chose it."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "CSV, or JSON lines with “name” and “locator”; one name on each line, in full or "
            "only the part after the NID. In UTF-8."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.jsonl,.ndjson,.json"}),
        error_messages={
            "required": _("Choose the file."),
            "missing": _("Choose the file."),
            "empty": _("The file is empty. Choose another."),
            "max_length": _("The name of the file is too long. Rename it."),
            "invalid": _("No file came with the form. Choose it again."),
        },
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, current: LocatorTable | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = current.pk if current else None
        words = _("Load it in place of the table in use") if current else _("Load it")
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "file", "seen", StrictButton(words, type="submit", css_class="btn-primary")
        )
