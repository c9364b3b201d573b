"""What is typed about a resolution service."""

from __future__ import annotations

import re
from typing import Any, Final

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Fieldset, Layout
from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from registry.forms.text import PlainText
from registry.models import Namespace, ResolutionService, ServiceDesignator
from registry.resolution.template import TemplateError
from registry.resolution.trying import examples, tried
from registry.services import SAID, fault_in
from registry.urn import URN, URNSyntaxError, nid as nids, parse

MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
NSS_BEGINNING: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*")
MOST_PRIORITY: Final = 32_767
PLAIN: Final = {"autocapitalize": "off", "spellcheck": "false"}


class DesignatorField(forms.ModelChoiceField[ServiceDesignator]):
    """One of the kinds of service, all but the one that compares two names."""

    def label_from_instance(self, obj: Any) -> str:
        """Say what the service does beside its name."""
        return f"{obj.name}: {obj.purpose}"


class ServiceForm(forms.Form):
    """One service: whom it is for, where it leads, and who says so."""

    service = DesignatorField(
        queryset=ServiceDesignator.objects.exclude(name="I=I"),
        label=_("Which service is it?"),
        initial="I2L",
        empty_label=None,
        help_text=_("I2L where the address leads to the resource, I2C where it describes it."),
    )
    begins = PlainText(
        most=200,
        required=False,
        label=_("Only for names that begin with"),
        help_text=_("The beginning of the NSS, such as de: of urn:nbn:de:…; empty for all names."),
        widget=forms.TextInput(attrs=PLAIN),
    )
    template = PlainText(
        most=1000,
        label=_("Address as a URI template"),
        help_text=_("Such as https://names.example/{+nss}. The variables are listed below."),
        widget=forms.TextInput(attrs=PLAIN),
        error_messages={"required": _("Write the address, with {+nss} where the name goes.")},
    )
    media_type = PlainText(
        most=100,
        required=False,
        label=_("Media type"),
        help_text=_("Such as text/html; empty where that varies."),
        widget=forms.TextInput(attrs=PLAIN),
    )
    language = PlainText(
        most=35,
        required=False,
        label=_("Language"),
        help_text=_("Such as fi; empty where that varies."),
        widget=forms.TextInput(attrs=PLAIN),
    )
    priority = forms.IntegerField(
        label=_("Priority"),
        initial=10,
        min_value=0,
        max_value=MOST_PRIORITY,
        help_text=_("Of two that are equally good otherwise, the smaller number comes first."),
    )
    operator = PlainText(
        most=200,
        label=_("Who runs it?"),
        widget=forms.TextInput,
        error_messages={"required": _("Name the organization that runs it.")},
    )
    source = PlainText(
        most=300,
        label=_("Where is that known from?"),
        help_text=_("A document, a page, or “we run it”. Public."),
        widget=forms.TextInput,
        error_messages={"required": _("Say where it is known from, so that others can look.")},
    )
    name = PlainText(
        most=2000,
        required=False,
        label=_("Try it with a name"),
        help_text=_("A URN or an NSS. It is shown where it would lead; nobody is asked."),
        widget=forms.TextInput(attrs=PLAIN),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, namespace: Namespace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.namespace = namespace

    @property
    def helper(self) -> FormHelper:
        """How the fields are drawn: alone, since the page draws the form around them."""
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.layout = Layout(
            Field("service"),
            Field("begins", css_class="mono narrow--34"),
            Field("template", css_class="mono"),
            Field("name", css_class="mono"),
            Fieldset(
                gettext("What is known of it"),
                Field("media_type", css_class="mono narrow--34"),
                Field("language", css_class="mono narrow--34"),
                Field("priority", css_class="narrow--34"),
                "operator",
                "source",
            ),
            "seen",
        )
        return helper

    def clean_service(self) -> str:
        """Return the designator by its name, as the journal keeps it."""
        return str(self.cleaned_data["service"])

    def clean_begins(self) -> str:
        """Refuse what no NSS begins with."""
        prefix = str(self.cleaned_data["begins"])
        if not NSS_BEGINNING.fullmatch(prefix) or prefix.startswith("/"):
            raise forms.ValidationError(
                gettext("No name begins with “%(prefix)s” (RFC 8141, section 2).")
                % {"prefix": prefix}
            )
        return prefix

    def clean_media_type(self) -> str:
        """Return the media type in lower case, without parameters."""
        kind = str(self.cleaned_data["media_type"]).lower()
        if kind and not MEDIA_TYPE.fullmatch(kind):
            raise forms.ValidationError(
                gettext("“%(kind)s” is no media type. Write one such as text/html.")
                % {"kind": kind}
            )
        return kind

    def clean_language(self) -> str:
        """Return the language tag."""
        tag = str(self.cleaned_data["language"])
        if tag and not LANGUAGE.fullmatch(tag):
            raise forms.ValidationError(
                gettext("“%(tag)s” is no language tag. Write one such as fi or pt-BR.")
                % {"tag": tag}
            )
        return tag

    def clean_name(self) -> URN | None:
        """Return the name to try; refuse what is none of this namespace."""
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
        """Look at the template with the rest: what it may be depends on the service."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if {"service", "template", "begins"} <= cleaned.keys():
            fault = fault_in(cleaned["service"], cleaned["template"], cleaned["begins"])
            if fault is not None:
                self.add_error("template", self.placed(fault, cleaned["template"]))
        return cleaned

    def placed(self, fault: TemplateError, template: str) -> str:
        """Return what is wrong with the template, and where."""
        if 0 < fault.position < len(template):
            words = gettext("%(what)s It begins at character %(number)d.")
            return words % {"what": fault, "number": fault.position + 1}
        return str(fault)

    @property
    def said(self) -> dict[str, Any]:
        """What is said of the service, for the act."""
        return {name: self.cleaned_data["begins" if name == "prefix" else name] for name in SAID}

    def tries(self) -> list[tuple[URN, str]]:
        """Return where names would lead: the one typed, else examples of the namespace."""
        said = self.said
        service = ResolutionService(
            namespace=self.namespace,
            service_id=said["service"],
            **{name: value for name, value in said.items() if name != "service"},
        )
        typed = self.cleaned_data.get("name")
        names = [typed] if typed else list(examples(self.namespace.nid, self.namespace.current))[:3]
        return [(urn, tried(service, urn)) for urn in names]


class WithdrawServiceForm(forms.Form):
    """Why a service is taken away."""

    reason = PlainText(
        most=1_000,
        label=_("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Say why; the journal keeps it.")},
    )
