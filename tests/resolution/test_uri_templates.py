"""Templates lead where they say: RFC 6570 to the letter, and nowhere that a name chooses."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given, strategies as st

from registry.resolution import UriTemplateError
from registry.resolution.resolver import DIRECTIVE_VALUE_PATTERN, is_web_address
from registry.resolution.uri_templates import (
    TEMPLATE_VARIABLES,
    TemplateSubject,
    compute_variables,
    parse_alias_template,
    parse_uri_template,
)
from registry.urn import URN, parse
from registry.urn.equivalence import fold_percent_octets
from tests.urn.strategies import urns

NAME = parse("urn:sample:a%2Cb,c:d/e?+r1?=q1#f1")
SERVER = "https://names.example"


def expanded(template: str, urn: URN = NAME, component: str = "") -> str | None:
    """Return the address that a template makes of a name."""
    read_one = parse_uri_template(template)
    return read_one.expand(
        compute_variables(
            read_one.names, TemplateSubject(urn, fold_percent_octets(urn.nss), component)
        )
    )


@pytest.mark.parametrize(
    ("template", "address"),
    [
        pytest.param("/{+nss}", "/a%2Cb,c:d/e", id="3.2.3 as it stands"),
        pytest.param("/{nss}", "/a%252Cb%2Cc%3Ad%2Fe", id="3.2.2 encoded once more"),
        pytest.param("/{+urn}", "/urn:sample:a%2Cb,c:d/e", id="3.2.3 the whole URN"),
        pytest.param("{/segments*}", "/a%252Cb%2Cc%3Ad/e", id="3.2.6 explode"),
        pytest.param("/x{.nid}", "/x.sample", id="3.2.5 label"),
        pytest.param("/x{;r,c}", "/x;r=r1", id="3.2.7 what is not there is left out"),
        pytest.param("/x{?urn,q}", "/x?urn=urn%3Asample%3Aa%252Cb%2Cc%3Ad%2Fe&q=q1", id="3.2.8"),
        pytest.param("/x?y=1{&r}", "/x?y=1&r=r1", id="3.2.9"),
        pytest.param("/x{#nss}", "/x#a%2Cb,c:d/e", id="3.2.4"),
        pytest.param("/{nss:1}/{+nss}", "/a/a%2Cb,c:d/e", id="2.4.1 prefix"),
        pytest.param("/{part2}", "/d%2Fe", id="part between colons"),
        pytest.param("/{+tail}", "/d/e", id="after its first colon"),
        pytest.param("/{part3}", None, id="a part that the name has not"),
        pytest.param("{/parts*}", "/a%252Cb%2Cc/d%2Fe", id="parts as a list"),
    ],
)
def test_template_expands_as_rfc_6570_says(template: str, address: str | None) -> None:
    assert expanded(SERVER + template) == (SERVER + address if address else None)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("ftp://names.example/{nss}", "It has to begin with https:// or http://"),
        ("//names.example/{nss}", "It has to begin with https:// or http://"),
        ("javascript:{nss}", "It has to begin with https:// or http://"),
        ("https://{nss}/", "with nothing of the URN in it"),
        ("https://names.example{+nss}", "with nothing of the URN in it"),
        ("https://names.example:{nss}/", "with nothing of the URN in it"),
        ("https://names.example.{nid}/", "with nothing of the URN in it"),
        ("https://me@names.example/{nss}", "The address contains a user name"),
        ("https://names.example:22/{nss}", "Port 22 is not one"),
        ("https://1.2/{nss}", "is not the name of a server"),
        ("https://names.example/{id}", "There is no variable “id”."),
        ("https://names.example/{nss", "The expression that begins at character 23"),
        ("https://names.example/{}", "The expression that begins at character 23"),
        ("https://names.example/{!nss}", "The expression that begins at character 23"),
        ("https://names.example/{nss=x}", "The expression that begins at character 23"),
        ("https://names.example/}", "“}” (character 23) is not allowed"),
        ("https://names.example/ {nss}", "“ ” (character 23) is not allowed"),
        ("https://names.example/\r\n{nss}", "(character 23) is not allowed"),
        ("https://names.example/é{nss}", "“é” (character 23) is not allowed"),
        ("https://names.example/%zz{nss}", "“%” (character 23) is not allowed"),
        ("https://names.example/{+nss:3}", "“nss:3” cannot be shortened here"),
        ("https://names.example/{parts:3}", "“parts:3” cannot be shortened here"),
    ],
)
def test_invalid_or_misleading_template_is_refused(template: str, words: str) -> None:
    with pytest.raises(UriTemplateError) as refused:
        parse_uri_template(template)

    assert words in str(refused.value)


@pytest.mark.parametrize("template", ["https://x.example/{nss}", "urn:{nid}:{nss}", "urn:x:{nss}"])
def test_alias_names_another_namespace(template: str) -> None:
    with pytest.raises(UriTemplateError, match="it makes URNs"):
        parse_alias_template(template)


@pytest.mark.parametrize("nss", ["a/../b", "a/..", "a/./b", "a/%2E%2E/b", ".%2E/b"])
def test_name_that_would_step_through_the_path_is_not_led_there(nss: str) -> None:
    urn = parse(f"urn:sample:{nss}")

    verbatim, in_query = (expanded(SERVER + each, urn) for each in ("/x/{+nss}", "/x?n={+nss}"))

    assert (verbatim, in_query) == (None, f"{SERVER}/x?n={nss}")


def test_equivalent_names_lead_to_one_address() -> None:
    # RFC 8141, section 3.1; RFC 2169, section 2.
    names = ["urn:sample:a%2Fb", "URN:Sample:a%2fb?+r#f"]

    for template in ("/{+urn}", "/{nid}/{+nss}", "/{preferred}/{rest}"):
        assert len({expanded(SERVER + template, parse(name)) for name in names}) == 1


def test_service_that_decodes_once_has_the_name_to_the_letter() -> None:
    address = expanded(f"{SERVER}/{{nss}}")

    assert address is not None
    assert unquote(urlsplit(address).path) == "/a%2Cb,c:d/e"


SCALARS = sorted(set(TEMPLATE_VARIABLES) - {"parts", "segments"})


@given(
    urns.map(parse),
    st.sampled_from(["{%s}", "{+%s}", "{/%s}", "{?%s}", "x{;%s}", "x{.%s}", "{#%s}"]),
    st.sampled_from(SCALARS),
    st.just("") | st.from_regex(DIRECTIVE_VALUE_PATTERN, fullmatch=True),
)
def test_no_name_leads_to_another_server_or_breaks_the_header(
    urn: URN, expression: str, name: str, component: str
) -> None:
    slash = "" if expression[:2] in {"{/", "{?", "{#"} else "/"

    address = expanded(SERVER + slash + expression % name, urn, component)

    assert address is None or (
        is_web_address(address) and urlsplit(address)[:2] == ("https", "names.example")
    )
