"""What is brought to the bench by anybody: a rule, names, and a second rule."""

from __future__ import annotations

from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Field, Layout
from django import forms
from django.utils.translation import gettext_lazy as _

from registry.choices import GrammarKind

KINDS: Final = [(kind.value, kind.label) for kind in (GrammarKind.ABNF, GrammarKind.REGEX)]
AREA: Final = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class RuleText(forms.CharField):
    """Text in which nothing is refused: what is wrong with it is the answer, not an error."""

    def __init__(self, rows: int, **kwargs: Any) -> None:
        area = forms.Textarea(attrs={"rows": rows, **AREA})
        super().__init__(required=False, strip=False, widget=area, **kwargs)
        self.validators = []


class BenchForm(forms.Form):
    """A rule and what to try it on. The names of fields are those of the template."""

    optional_unmarked = True

    grammar_kind = forms.ChoiceField(label=_("Written as"), choices=KINDS, required=False)
    nid = forms.CharField(
        label=_("Identifier of the namespace"),
        help_text=_("If it has one, such as isbn."),
        required=False,
        widget=forms.TextInput(attrs=AREA),
    )
    grammar = RuleText(
        8, label=_("Rule"), help_text=_("For whole names, or for what follows the identifier.")
    )
    examples = RuleText(3, label=_("Names that are right"), help_text=_("One on each line."))
    counter_examples = RuleText(
        2, label=_("Names that are wrong"), help_text=_("One on each line.")
    )
    other_kind = forms.ChoiceField(
        label=_("Second rule, written as"), choices=KINDS, required=False, initial=GrammarKind.REGEX
    )
    other = RuleText(
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
            "hx-post": live,
            "hx-trigger": "input delay:600ms",
            "hx-target": "#bench-result",
            "hx-sync": "this:replace",
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
    """A second rule, on the Syntax page of the editor; it is sent with the form of that page."""

    optional_unmarked = True

    other_kind = forms.ChoiceField(
        label=_("Second rule, written as"),
        choices=KINDS,
        required=False,
        initial=GrammarKind.REGEX,
        widget=forms.Select(attrs={"form": "editor"}),
    )
    other = RuleText(
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
