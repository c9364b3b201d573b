"""The tags and filters that components are rendered with."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Field, Layout
from crispy_forms.templatetags.crispy_forms_filters import as_crispy_field, as_crispy_form
from crispy_forms.utils import render_crispy_form
from django import forms
from django.core.paginator import Paginator
from django.http import QueryDict
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone
from django.utils.html import strip_tags

from registry.enums import Role
from registry.forms.fields import (
    ConsequenceRadios,
    GuidedFields,
    RadioOption,
    RadioOptionSelect,
)
from registry.template.diff import Row, Run, SectionDiff
from registry.templatetags.components import age, human_date, human_time, near_date
from registry.templatetags.prose import prose
from registry.templatetags.urn_markup import split_specimen, urn, visible
from registry.urn import Finding, Severity, URNSyntaxError, parse

SAID = '<span class="visually-hidden">'


@pytest.mark.parametrize(
    ("count", "shown"), [(1, "1"), (999, "999"), (1000, "999+"), ("2 open", "2 open")]
)
def test_badge_counts_as_far_as_anybody_reads(count: int | str, shown: str) -> None:
    assert drawn("{{ count|badge_count }}", count=count) == shown


def drawn(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


def words(html: str) -> str:
    return " ".join(strip_tags(html).split())


# Names


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        pytest.param(
            "urn:isbn:978-951-0-18435-6",
            '<span class="s">urn:</span><span class="n">isbn</span><span class="s">:</span>'
            "978-951-0-18435-6",
            id="2: assigned name",
        ),
        pytest.param(
            "URN:Example:a?+r?=q#f",
            '<span class="s">URN:</span><span class="n">Example</span><span class="s">:</span>a'
            '<span class="r">?+r</span><span class="q">?=q</span><span class="f">#f</span>',
            id="2.3: components, in the case they were written in",
        ),
        pytest.param(
            "urn:example:a#",
            '<span class="s">urn:</span><span class="n">example</span><span class="s">:</span>a'
            '<span class="f">#</span>',
            id="2.3.3: an empty f-component is there",
        ),
        pytest.param(
            "seedbank",
            '<span class="s">urn:</span><span class="n">seedbank</span>',
            id="2: a bare NID",
        ),
        pytest.param(
            "urn:seedbank",
            '<span class="s">urn:</span><span class="n">seedbank</span>',
            id="2: a NID behind its scheme",
        ),
        pytest.param(
            "urn:nbn:<b>&amp; fi",
            "urn:nbn:&lt;b&gt;&amp;amp; fi",
            id="2: what is no URN is shown plainly, and escaped",
        ),
    ],
)
def test_parts_of_a_name_are_told_apart(text: str, inside: str) -> None:
    assert urn(text) == f'<span class="urn">{inside}</span>'


def test_name_read_aloud_is_the_name_that_was_written() -> None:
    text = "urn:example:a/b?+lang=sv?=format=pdf&x=1#page=12"

    assert strip_tags(urn(text)).replace("&amp;", "&") == text


def test_specimen_has_a_word_under_every_part_and_none_under_separators() -> None:
    parts = split_specimen("URN:NBN:fi-fe?+lang=sv?=format=pdf#page=12")

    assert [(part.text, part.label) for part in parts] == [
        ("URN", "scheme"),
        (":", ""),
        ("NBN", "NID"),
        (":", ""),
        ("fi-fe", "NSS"),
        ("?+", ""),
        ("lang=sv", "r-component"),
        ("?=", ""),
        ("format=pdf", "q-component"),
        ("#", ""),
        ("page=12", "f-component"),
    ]


def test_specimen_is_an_ordered_list_whose_labels_are_text() -> None:
    html = drawn('{% specimen "urn:nbn:fi-fe" nss_label="NSS, assigned within nbn" %}')

    assert html.count("<li") == 5
    assert words(html) == "urnscheme : nbnNID : fi-feNSS, assigned within nbn"


def test_pinpoint_boxes_the_character_that_the_syntax_error_names() -> None:
    with pytest.raises(URNSyntaxError) as refused:
        parse("urn:nbn:fi fe")

    html = drawn(
        "{% pinpoint text position %}", text="urn:nbn:fi fe", position=refused.value.position
    )

    assert f'<mark data-at="character 11">␣{SAID} (character 11)</span></mark>' in html
    assert '<span class="n">nbn</span>' in html
    assert '<span class="rest">fe</span>' in html


@pytest.mark.parametrize(
    ("text", "says"),
    [("urn:nbn", "the end, after character 7"), ("", "nothing was typed")],
)
def test_pinpoint_says_where_something_is_missing(text: str, says: str) -> None:
    html = drawn("{% pinpoint text position %}", text=text, position=len(text))

    assert f'data-at="{says}"' in html


def test_characters_that_cannot_be_seen_are_shown_by_a_sign() -> None:
    assert visible("a b\t\x00\x7f\u202e\u0301é") == "a␣b␉␀‹U+007F›‹U+202E›◌\u0301é"


# Dates


def test_date_has_its_year_and_only_lists_of_what_goes_on_now_leave_it_out() -> None:
    this_year = timezone.localdate().year

    assert human_date(date(this_year, 12, 4)) == f"4 December {this_year}"
    assert human_date(f"{this_year}-12-04") == f"4 December {this_year}"
    assert near_date(date(this_year, 12, 4)) == "4 December"
    assert near_date(date(this_year - 1, 12, 4)) == f"4 December {this_year - 1}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2018-10-04", "4 October 2018"),
        ("2018-10", "October 2018"),
        ("2018", "2018"),
        ("", "not known"),
        (None, "not known"),
        ("2018-13", "2018-13"),
        ("2018-02-30", "2018-02-30"),
        ("long ago", "long ago"),
    ],
)
def test_date_keeps_the_precision_it_has(text: str | None, says: str) -> None:
    assert human_date(text) == says


def test_time_says_which_clock_it_goes_by() -> None:
    assert human_time(datetime(2018, 10, 4, 14, 32, tzinfo=UTC)) == "4 October 2018, 14:32 UTC"


@pytest.mark.parametrize(
    ("days", "says"), [(0, "today"), (1, "1 day"), (3, "3 days"), (-1, "in 1 day")]
)
def test_age_counts_calendar_days(days: int, says: str) -> None:
    assert age(timezone.localdate() - timedelta(days=days)) == says


# Prose


def test_blank_lines_make_paragraphs_and_inset_lines_are_kept() -> None:
    text = "First,\nwrapped.\n\n  a = b\n    c\n\n  d\n\nLast."

    assert prose(text) == ("<p>First,\nwrapped.</p>\n<pre>a = b\n  c\n\nd</pre>\n<p>Last.</p>")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("IN ('urn:example:a','urn:example:b')", ["urn:example:a", "urn:example:b"]),
        ("var a='urn:example:a';var b='urn:example:b';", ["urn:example:a", "urn:example:b"]),
        ("{'id':'urn:example:a','x':1}", ["urn:example:a"]),
        ("it is urn:example:o'neil, or `urn:example:a`s", ["urn:example:o'neil", "urn:example:a"]),
        (
            "&ldquo;urn:example:a&rdquo; and urn:example:b&nbsp;next",
            ["urn:example:a", "urn:example:b"],
        ),
        (
            "&#8220;urn:example:a&#8221; &#x27;urn:example:b&#x27;",
            ["urn:example:a", "urn:example:b"],
        ),
        ("urn:example:a&amp;b or urn:example:a&b;c", ["urn:example:a&amp;b", "urn:example:a&b;c"]),
    ],
)
def test_name_in_prose_ends_at_its_quotation_mark_and_at_a_sign_of_html(
    text: str, names: list[str]
) -> None:
    flat = re.sub(r'<span class="(?!urn")\w*">([^<]*)</span>', r"\1", prose(text))

    assert [unescape(each) for each in re.findall('<span class="urn">([^<]*)<', flat)] == names


def test_text_that_is_inset_as_a_whole_is_not_taken_for_code() -> None:
    assert (
        prose("   One\n   paragraph.\n\n   Another.") == "<p>One\nparagraph.</p>\n<p>Another.</p>"
    )


def test_lines_with_bullets_or_numbers_make_lists() -> None:
    text = "- one,\n  still one\n- two\n\n3. three\n4. four"

    assert prose(text) == (
        "<ul><li>one,\nstill one</li><li>two</li></ul>\n"
        '<ol start="3"><li>three</li><li>four</li></ol>'
    )


def test_wrapped_line_that_begins_with_a_number_begins_no_list() -> None:
    assert prose("The names of edition\n3. were dropped.") == (
        "<p>The names of edition\n3. were dropped.</p>"
    )


def test_nothing_that_people_write_is_markup() -> None:
    assert prose('<script>x</script>\n\n  <b>\n\n- "a" & *b*') == (
        "<p>&lt;script&gt;x&lt;/script&gt;</p>\n<pre>&lt;b&gt;</pre>\n"
        "<ul><li>&quot;a&quot; &amp; *b*</li></ul>"
    )


def test_addresses_become_links_without_the_stop_that_ends_the_sentence() -> None:
    html = prose("See https://northlight.example/a_(b)?x=1&y=2. (Or http://other.example/.)")

    assert html == (
        '<p>See <a href="https://northlight.example/a_(b)?x=1&amp;y=2" rel="nofollow noopener">'
        "https://northlight.example/a_(b)?x=1&amp;y=2</a>. (Or "
        '<a href="http://other.example/" rel="nofollow noopener">http://other.example/</a>.)</p>'
    )


def test_address_cannot_leave_its_attribute() -> None:
    html = prose("https://x.example/'onmouseover='alert(1) \"javascript:alert(1)\"")

    assert html == (
        '<p><a href="https://x.example/&#x27;onmouseover=&#x27;alert(1)" rel="nofollow noopener">'
        "https://x.example/&#x27;onmouseover=&#x27;alert(1)</a>"
        " &quot;javascript:alert(1)&quot;</p>"
    )


def test_names_in_prose_are_marked_and_words_that_contain_urn_are_not() -> None:
    assert prose("As in urn:example:a, or return:it.") == (
        f"<p>As in {urn('urn:example:a')}, or return:it.</p>"
    )


def test_long_run_of_brackets_is_read_in_reasonable_time() -> None:
    text = "https://x.example/" + ")" * 50_000

    assert words(prose(text)) == text


# Components


def test_findings_say_their_weight_in_words_and_cite_the_rule_after_the_sentence() -> None:
    finding = Finding(
        "nid.prefix", Severity.BLOCK, "Begins with <no->", "RFC 8141, 5.1", "Drop it."
    )

    html = render_to_string(
        "components/findings.html", {"findings": [finding], "passed": ["Not registered"]}
    )

    assert words(html) == (
        "Must fix: Begins with &lt;no-&gt;Drop it. RFC 8141, 5.1 Passed: Not registered"
    )


def test_status_has_an_icon_and_the_word() -> None:
    html = drawn(
        '{% include "components/status.html" with value="approved" label="Approved" only %}'
    )

    assert html.strip() == (
        '<span class="status status--approved is-ok">'
        '<i class="bi bi-check2" aria-hidden="true"></i>Approved</span>'
    )


def test_note_wraps_what_is_in_it() -> None:
    html = drawn(
        '{% note "bad" title=title %}<p>{{ text }}</p>{% endnote %}', title="<T>", text="<x>"
    )

    assert '<div class="note bad">' in html
    assert "&lt;T&gt;</strong>" in html
    assert "<p>&lt;x&gt;</p>" in html


def test_panel_is_named_by_its_heading() -> None:
    html = drawn('{% panel "Facts" id="facts" %}x{% endpanel %}')

    assert '<section class="panel" id="facts" aria-labelledby="facts-title">' in html
    assert '<h2 id="facts-title">Facts</h2>' in html


def test_unknown_fact_is_said_to_be_unknown() -> None:
    html = render_to_string("components/facts.html", {"facts": [("Date", ""), ("Version", 0)]})

    assert words(html) == "Date not known Version 0"


def test_diff_reads_aloud_what_was_and_what_is() -> None:
    section = SectionDiff(
        "assignment",
        "Assignment",
        (
            Row(
                True,
                (Run("Kept ", False), Run("a while", True)),
                (Run("Kept ", False), Run("ever", True)),
            ),
            Row(False, (Run("Same <text>", False),), (Run("Same <text>", False),)),
        ),
    )

    html = render_to_string(
        "components/diff.html", {"section": section, "old": "Round 1", "new": "Round 2"}
    )

    assert words(html) == (
        "Assignment Round 1: Kept a while Round 2: Kept ever UnchangedSame &lt;text&gt;"
    )
    assert "<del>a while</del>" in html
    assert "<ins>ever</ins>" in html


def test_pages_of_a_list_keep_its_filters() -> None:
    page = Paginator(range(30), 10).page(2)

    html = render_to_string(
        "components/pagination.html", {"page": page, "query": QueryDict("kind=formal&page=2")}
    )

    assert 'rel="prev" href="?kind=formal&amp;page=1"' in html
    assert 'rel="next" href="?kind=formal&amp;page=3"' in html
    assert "11 to 20 of 30" in words(html)


# Forms


class SampleForm(forms.Form):
    nid = forms.CharField(
        label="Identifier",
        help_text="Letters and digits.",
        error_messages={"required": "Choose an identifier"},
    )
    remark = forms.CharField(label="Remark", required=False)
    path = forms.ChoiceField(
        label="Path",
        widget=RadioOptionSelect,
        choices=[
            ("formal", RadioOption("Formal", "You choose.", ("Experts decide.",))),
            ("fast", RadioOption("Fast track", barred="Not recognized")),
        ],
        error_messages={"required": "Choose a path"},
    )
    sound = forms.ChoiceField(
        label="Sound", widget=forms.RadioSelect, choices=[("y", "Yes"), ("n", "No")]
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            GuidedFields("nid", "remark", title="Why", guidance=("Because.",)),
            ConsequenceRadios("path"),
            Field("sound", template="components/yes_no_unsure.html"),
        )


def test_help_and_errors_stand_between_label_and_control_and_describe_it() -> None:
    html = as_crispy_field(SampleForm({})["nid"])

    assert html.index("</label>") < html.index("id_nid_helptext") < html.index("id_nid_error")
    assert html.index("id_nid_error") < html.index("<input")
    assert 'aria-describedby="id_nid_helptext id_nid_error"' in html
    assert 'aria-invalid="true"' in html
    assert f"{SAID}Error: </span>Choose an identifier" in html


def test_optional_fields_are_marked_and_required_ones_are_not() -> None:
    form = SampleForm()

    assert words(as_crispy_field(form["remark"])) == "Remark optional"
    assert words(as_crispy_field(form["nid"])) == "Identifier Letters and digits."


def test_filters_are_not_marked_although_all_are_optional() -> None:
    class Filters(SampleForm):
        optional_unmarked = True

    html = as_crispy_field(Filters()["remark"])

    assert words(html) == "Remark"


def test_refused_form_begins_with_links_to_its_fields_in_the_words_beside_them() -> None:
    html = as_crispy_form(SampleForm({"sound": "y", "remark": "x"}))

    summary = html[: html.index("</ul>")]
    assert '<a href="#id_nid">Choose an identifier</a>' in summary
    assert '<a href="#id_path_0">Choose a path</a>' in summary
    assert html.count("Choose an identifier") == 2


def test_choice_says_its_consequences_and_why_it_is_barred() -> None:
    html = render_crispy_form(SampleForm())

    # A label contains only words, so the list consists of spans.
    listed = '<span class="choice__points" role="list"><span role="listitem">Experts decide.'
    assert f"<b>Formal</b><span>You choose.</span>{listed}</span></span>" in html
    assert 'value="fast" id="id_path_1" required disabled' in html
    assert "<span>Not recognized</span>" in html


def test_guidance_stands_beside_its_fields() -> None:
    html = render_crispy_form(SampleForm())

    assert "<h2>Why</h2>" in html
    assert html.index('id="id_remark"') < html.index("<p>Because.</p>")


# Pages that work when everything else does not


def test_page_for_our_own_fault_needs_neither_request_nor_database() -> None:
    html = render_to_string("500.html", {"number": "7f3a91c2"})

    assert "<code>7f3a91c2</code>" in html
    assert "Something broke on our side" in html


# The components listed in docs/ux.md, section 5, by class.
LISTED = (
    "finder urn specimen pinpoint status note checks ledger facts timeline stages diff choice "
    "sections tri actionbar error-summary empty"
).split()


def test_page_of_components_shows_them_all_without_a_database() -> None:
    context = {"offices": [Role.REGISTRAR]}
    html = render_to_string("guide/components.html", context, RequestFactory().get("/"))

    shown = {name for classes in re.findall(r'class="([^"]*)"', html) for name in classes.split()}
    assert [name for name in LISTED if name not in shown] == []
