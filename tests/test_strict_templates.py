"""A variable that does not exist fails the test of a page of ours."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

PENDING = "components/pending.html"
FINDER = "components/finder.html"


def test_missing_variable_fails_the_test_and_is_named_with_its_template() -> None:
    with pytest.raises(pytest.fail.Exception, match=f"^{PENDING}: there is no url$"):
        render_to_string(PENDING, {"words": "The list is checked."})


def test_variable_missing_in_a_translated_sentence_fails_the_test() -> None:
    sentence = Template(
        "{% load i18n %}{% blocktranslate %}Round {{ number }}{% endblocktranslate %}"
    )

    with pytest.raises(pytest.fail.Exception, match="no number"):
        sentence.render(Context())


def test_variable_that_is_there_is_written_with_its_filters_even_if_it_is_none() -> None:
    html = render_to_string("components/obstacles.html", {"obstacles": [None, "<b>"]})

    assert "None" in html
    assert "&lt;b&gt;" in html


def test_condition_and_firstof_may_name_what_is_missing() -> None:
    html = render_to_string(FINDER, {"action": "/find/", "id": "find", "label": "Find"})

    assert 'name="q" value=""' in html


def test_template_of_others_may_name_what_is_missing() -> None:
    assert Template("[{{ missing }}]").render(Context()) == "[]"
