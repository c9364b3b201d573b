"""When two names are the same, declared as data: asked in the editor, and used once published."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry.enums import State
from registry.inspection.result import ResultKind
from registry.models import Namespace, Registration, RegistrationRequest, Round, User
from registry.template import Context, Template, check, read, write
from tests.factories import NamespaceFactory, RequestFactory, ServiceFactory
from tests.template.samples import FORMAL
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]

MERGES = ["case of part", "leading zeros"]
GRAMMAR = 'part = 3ALPHA\nname = part "/" 1*DIGIT'


def publish(nid: str, **fields: Any) -> Namespace:
    """Return a namespace with one version that declares `fields`."""
    namespace: Namespace = NamespaceFactory.create(nid=nid)
    asked = RequestFactory.create(state=State.REGISTERED, namespace=namespace)
    Registration.objects.create(
        namespace=namespace,
        number=1,
        registered_on=timezone.localdate(),
        registration_request=asked,
        sha256="0" * 64,
        nid=nid,
        **fields,
    )
    return namespace


@pytest.fixture
def declared() -> Namespace:
    """A namespace whose vaults ignore case, and whose numbers may have leading zeros."""
    return publish(
        "vaults",
        grammar_kind="abnf",
        grammar=GRAMMAR,
        grammar_start="name",
        equivalence=MERGES,
    )


DOCUMENT = "Registration of vaults, version 1"
ONE, SAME, OTHER = "urn:vaults:NVF/42", "urn:vaults:nvf/0042", "urn:vaults:NVF/43"


def test_names_are_compared_as_declared_with_a_link_to_the_declaration(
    client: Client, declared: Namespace
) -> None:
    page = text_of(client.get("/inspect/compare/", {"a": ONE, "b": SAME}))
    same = client.get("/api/v1/urn/compare/", {"a": ONE, "b": SAME}).json()
    apart = client.get("/api/v1/urn/compare/", {"a": ONE, "b": OTHER}).json()

    message = same["by_namespace"].pop("message")
    assert "“part”" in message
    assert message in page
    assert DOCUMENT in page
    assert same["equivalent"] is False
    assert same["by_namespace"] == {
        "equivalent": True,
        "rule": DOCUMENT,
        "merges": MERGES,
        "declared_by": DOCUMENT,
    }
    assert (apart["by_namespace"]["equivalent"], apart["by_namespace"]["declared_by"]) == (
        False,
        DOCUMENT,
    )


def test_equality_of_two_uris_follows_the_declaration(client: Client, declared: Namespace) -> None:
    told = client.get(
        "/uri-res/I=I", {"a": ONE, "b": SAME}, headers={"accept": "application/json"}
    ).json()

    assert (told["equal"], told["rule"]) == (True, DOCUMENT)


def test_list_counts_other_spellings_of_a_name_as_repeated(
    client: Client, declared: Namespace
) -> None:
    page = client.post("/inspect/list/", {"names": f"{ONE}\n{SAME}\n{OTHER}"})

    assert page.context["result"].repeated == 1
    assert "1 repeats" in text_of(page)


def test_namespace_page_says_in_words_what_does_not_count(
    client: Client, declared: Namespace
) -> None:
    publish("plain", equivalence=["only RFC 8141"])
    publish("silent")

    said = {
        nid: text_of(client.get(f"/namespaces/{nid}/")) for nid in ("vaults", "plain", "silent")
    }

    assert (
        "Beyond RFC 8141, section 3.1, these make no difference: the case of letters in “part”"
        f" and zeros before a number. ({DOCUMENT})" in said["vaults"]
    )
    assert "3.1: the case of letters in “part” and zeros before a number. " in said["vaults"]
    assert "By RFC 8141, section 3.1, alone" in said["plain"]
    assert "Ignored beyond RFC 8141, section 3.1: nothing." in said["plain"]
    assert "everything else does. (Registration of plain, version 1)" in said["plain"]
    assert "The namespace may declare more, which we do not know." in said["silent"]


def test_rule_that_was_chosen_describes_a_name(client: Client, declared: Namespace) -> None:
    right, wrong = (
        client.get("/namespaces/vaults/", {"name": name}).context["checked"].result
        for name in ("NVF/42", "NVF")
    )

    assert (right.kind, right.source) == (ResultKind.VALID, DOCUMENT)
    assert (wrong.kind, wrong.source) == (ResultKind.INVALID, DOCUMENT)
    assert wrong.position == len("urn:vaults:NVF")


def test_declaration_takes_the_place_of_the_rule_that_is_held(client: Client) -> None:
    publish("clei", equivalence=["only RFC 8141"])

    told = client.get(
        "/api/v1/urn/compare/", {"a": "urn:clei:D4CE18B7AA", "b": "urn:clei:d4ce18b7aa"}
    ).json()

    assert told["by_namespace"]["equivalent"] is False
    assert told["by_namespace"]["declared_by"] == DOCUMENT.replace("vaults", "clei")


def test_service_for_a_beginning_takes_every_spelling_of_it(
    client: Client, declared: Namespace
) -> None:
    ServiceFactory.create(
        namespace=declared, prefix="NVF/", template="https://vault.example/{rest}"
    )

    response = client.get("/resolve/", {"urn": SAME}, headers={"accept": "*/*"})

    assert response["Location"].startswith("https://vault.example/")


def test_exports_contain_the_declaration(client: Client, declared: Namespace) -> None:
    told = client.get("/namespaces/vaults.json").json()
    text = client.get("/namespaces/vaults.txt").content.decode()
    grammar = client.get("/namespaces/vaults.abnf").content.decode()

    assert "case of part" in json.dumps(told)
    assert "\n\n" + "\n".join(f"      {each}" for each in MERGES) in text
    assert "rule name." in grammar


def test_written_text_is_read_back_with_its_declaration() -> None:
    template = FORMAL.replace(grammar_start="nss", equivalence=["case of vault", "hyphens"])

    assert read(write(template)).template == read(write(template)).template.replace(
        grammar_start="nss", equivalence=["case of vault", "hyphens"]
    )
    assert read(write(FORMAL)).template.equivalence == ()


@pytest.fixture
def browser(sign_in: SignIn, registrant: User) -> Client:
    client: Client = sign_in(registrant)
    return client


def save_syntax(browser: Client, draft: RegistrationRequest, **typed: Any) -> Any:
    """Save the page about Syntax with `typed` in it; return the response."""
    url = f"/requests/{draft.slug}/edit/syntax/"
    seen = browser.get(url).context["form"]["seen"].value()
    text = {name: FORMAL[name] for name in ("syntax", "grammar_kind", "grammar", "examples")}
    return browser.post(url, {"seen": seen, **text, **typed})


def declared_in(draft: RegistrationRequest) -> list[str]:
    """Return the draft's declaration."""
    saved = Round.objects.get(registration_request=draft, submitted_at__isnull=True)
    return list(saved.equivalence)


def test_editor_asks_when_two_names_are_the_same(
    browser: Client, draft: RegistrationRequest
) -> None:
    save_syntax(
        browser,
        draft,
        equivalence=["hyphens", "leading zeros"],
        equivalence_parts="vault",
        equivalence_prefixes="old: = new:\r\n",
    )
    page = browser.get(f"/requests/{draft.slug}/edit/syntax/").content.decode()

    assert declared_in(draft) == [
        "case of vault",
        "prefix old: = new:",
        "hyphens",
        "leading zeros",
    ]
    assert 'value="hyphens" id="id_equivalence_2" checked' in page
    assert 'value="case" id="id_equivalence_1">' in page
    assert 'name="equivalence_parts" id="id_equivalence_parts" value="vault"' in page
    assert ">old: = new:</textarea>" in page


def test_rfc_8141_alone_can_be_declared(browser: Client, draft: RegistrationRequest) -> None:
    save_syntax(browser, draft, equivalence=["only RFC 8141"])

    assert declared_in(draft) == ["only RFC 8141"]


def test_invalid_rule_is_refused_beside_the_question(
    browser: Client, draft: RegistrationRequest
) -> None:
    answer = save_syntax(browser, draft, equivalence_prefixes="old:")

    assert error_codes(answer, "equivalence") == ["syntax"]
    assert "“prefix old:”" in text_of(answer)
    assert declared_in(draft) == []


def test_declaration_is_tried_on_the_examples_before_saving(client: Client) -> None:
    page = client.get(
        "/inspect/grammar/",
        {
            "grammar_kind": "abnf",
            "grammar": GRAMMAR,
            "grammar_start": "name",
            "nid": "vaults",
            "examples": ONE,
            "equivalence": "leading zeros",
            "equivalence_parts": "part",
        },
    )

    (same,) = page.context["bench"].same
    assert (same.name, list(same.others)) == (ONE, ["urn:vaults:nvf/42", "urn:vaults:NVF/042"])
    assert " = ".join([same.name, *same.others]) in text_of(page)


BASE = Template(
    nid="vaults",
    syntax="A name is a part, a slash and a number.",
    grammar_kind="abnf",
    grammar=GRAMMAR,
    grammar_start="name",
    examples=(ONE, OTHER),
    counter_examples=("urn:vaults:nvf/43",),
)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"equivalence": ["cases"]}, "equivalence.unreadable", id="unreadable"),
        pytest.param({"equivalence": ["case of vault"]}, "equivalence.part", id="no such rule"),
        pytest.param({"equivalence": ["case"]}, "equivalence.examples", id="a wrong name merged"),
        pytest.param(
            {"equivalence": ["hyphens"], "syntax": "Letter case makes no difference in names."},
            "equivalence.words",
            id="words that say more",
        ),
        pytest.param(
            {"equivalence": ["case"], "syntax": "The number is case-sensitive."},
            "equivalence.words",
            id="words that say otherwise",
        ),
    ],
)
def test_declaration_is_held_against_grammar_examples_and_words(
    fields: dict[str, Any], expected: str
) -> None:
    found = {each.check for each in check(BASE.replace(**fields), Context())}
    sound = check(
        BASE.replace(equivalence=["leading zeros"], counter_examples=["urn:vaults:nvf43"]),
        Context(),
    )

    assert expected in found
    assert {each.check for each in sound if each.section == "equivalence"} == set()


def test_revision_that_makes_two_names_one_is_shown_with_them() -> None:
    revision = BASE.replace(equivalence=["case of part"], counter_examples=[])
    asked = Context(change="revision", version=2, previous=BASE)
    unchanged = Context(change="revision", version=2, previous=revision)

    (found,) = (each for each in check(revision, asked) if each.check == "revision.declared-same")

    assert re.findall("“(.*?)”", found.message)[:2] == ["urn:vaults:NVF/42", "urn:vaults:nvf/42"]
    assert "revision.declared-same" not in {each.check for each in check(revision, unchanged)}
