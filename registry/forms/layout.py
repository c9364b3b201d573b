"""Layout objects of our forms, beside those of crispy-forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from crispy_forms.layout import Div, Field
from django import forms
from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class RadioOption:
    """A choice as people read it: its name, a line about it, and what follows from choosing it.

    Used as the label of a choice. `barred` says why it cannot be chosen now.
    """

    name: str | Promise
    hint: str | Promise = ""
    points: tuple[str | Promise, ...] = ()
    barred: str | Promise = ""

    def __str__(self) -> str:
        return str(self.name)


class RadioOptionSelect(forms.RadioSelect):
    """Radios of which those that are barred are disabled."""

    def create_option(self, name: str, value: Any, label: Any, *args: Any, **kwargs: Any) -> Any:
        """One radio; `label` may be an `Option`."""
        option = super().create_option(name, value, label, *args, **kwargs)
        if isinstance(label, RadioOption) and label.barred:
            option["attrs"]["disabled"] = True
        return option


class ConsequenceRadios(Field):
    """Radios, each with its consequences; labels of the choices are `Option`s."""

    template = "components/choice.html"

    def __init__(self, name: str, **attributes: Any) -> None:
        Field.__init__(self, name, **attributes)


class YesNoUnsureRadios(Field):
    """Radios in one line: Yes, No, Unsure."""

    template = "components/yes_no_unsure.html"

    def __init__(self, name: str, **attributes: Any) -> None:
        Field.__init__(self, name, **attributes)


class GuidedFields(Div):
    """Fields with guidance beside them, below them on a narrow page."""

    template = "components/guided.html"

    def __init__(
        self,
        *fields: Any,
        title: str = "",
        guidance: Iterable[str] = (),
        good_answer: str = "",
        first: bool = False,
        **kwargs: Any,
    ) -> None:
        Div.__init__(self, *fields, **kwargs)
        self.title = title
        self.guidance = tuple(guidance)
        self.good_answer = good_answer
        self.first = first
