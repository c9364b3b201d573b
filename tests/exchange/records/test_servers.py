"""Documents are fetched politely, and nothing is half imported."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from registry.exchange.records import ImportOutcome, ImportResult, WebLibrary, import_records
from registry.models import DocumentSource, ImportedRecord, Namespace, SourceDocument
from registry.safe_http import FetchLimits
from registry.selectors.imported_records import find_imported_template
from tests.servers import Answering, NameServer, WebServer, leading, saying, web_server

pytestmark = pytest.mark.django_db

HOST = "mirror.northlight.example"


@dataclass
class Editor:
    """A server like the RFC Editor's: `answers` by path, and the headers it received."""

    server: WebServer
    answers: dict[str, Callable[[Answering], object]] = field(default_factory=dict)
    headers: list[dict[str, str]] = field(default_factory=list)

    def answer(self, to: Answering) -> None:
        """Respond as configured, or with 404."""
        self.headers.append(dict(to.headers.items()))
        self.answers.get(to.path, saying(b"Not here.", 404))(to)

    @property
    def base(self) -> str:
        """The address of the mirror."""
        return f"http://{HOST}:{self.server.port}/copies"


@pytest.fixture
def editor(settings: Settings, folder: Path) -> Iterator[Editor]:
    """A mirror that has every document, each with its last modification."""
    with NameServer() as names:
        settings.REGISTRY_NAMESERVERS = [names.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        names.say(HOST, "A", ["127.0.0.1"])
        with web_server(saying(b"")) as server:
            mirror = Editor(server)
            server.answer = mirror.answer
            for path in ("rfc9999.txt", "rfc9998.txt", "rfc9997.txt"):
                text = (folder / path).read_bytes()
                mirror.answers[f"/copies/{path}"] = unless_modified(text)
            yield mirror


def unless_modified(body: bytes) -> Callable[[Answering], None]:
    """Return a responder with a text, or 304 for that date."""
    day = "Mon, 02 Mar 2009 10:00:00 GMT"
    whole = saying(body, Content_Type="text/plain; charset=utf-8", Last_Modified=day)

    def answer(to: Answering) -> None:
        same = to.headers["If-Modified-Since"] == day
        (saying(b"", 304) if same else whole)(to)

    return answer


def read_from(editor: Editor, seconds: float = 5.0, **options: object) -> list[ImportOutcome]:
    """Import everything from the mirror."""
    library = WebLibrary(editor.base, pause=0, limits=FetchLimits(octets=200_000, seconds=seconds))
    namespaces = Namespace.objects.select_related("provenance").order_by("nid")
    return list(import_records(namespaces, library, **options))  # type: ignore[arg-type]


def test_unchanged_record_is_not_sent_again(editor: Editor, wickpat: Namespace) -> None:
    first = read_from(editor)
    second = read_from(editor)

    assert [each.result for each in first + second] == [ImportResult.NEW, ImportResult.UNCHANGED]
    assert "If-Modified-Since" not in editor.headers[0]
    assert editor.headers[1]["If-Modified-Since"] == "Mon, 02 Mar 2009 10:00:00 GMT"
    assert SourceDocument.objects.get().read_from == f"{editor.base}/rfc9999.txt"


def test_document_of_several_namespaces_is_asked_for_once(
    editor: Editor, needle: Namespace, thread: Namespace
) -> None:
    read_from(editor)

    paths = [path for _host, path in editor.server.asked]
    assert sorted(paths) == ["/copies/rfc9997.txt", "/copies/rfc9998.txt"]


def test_recently_read_record_is_not_fetched_again(editor: Editor, wickpat: Namespace) -> None:
    begun = timezone.now()
    read_from(editor)

    [again] = read_from(editor, asked_since=begun)

    assert again.result is ImportResult.UNCHANGED
    assert len(editor.server.asked) == 1


def test_servers_are_asked_one_at_a_time_with_a_pause(
    editor: Editor, needle: Namespace, wickpat: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = WebLibrary(editor.base, pause=3600)
    namespaces = Namespace.objects.select_related("provenance").order_by("nid")
    pauses: list[tuple[int, float]] = []
    monkeypatch.setattr(
        "time.sleep", lambda seconds: pauses.append((len(editor.server.asked), seconds))
    )

    list(import_records(namespaces, library))

    assert len(editor.server.asked) == 3
    assert [answered for answered, _seconds in pauses] == [1, 2]
    assert all(3000 < seconds <= 3600 for _answered, seconds in pauses)


def test_document_that_has_moved_is_read_where_it_is_now(
    editor: Editor, wickpat: Namespace
) -> None:
    editor.answers["/new/rfc9999.txt"] = editor.answers["/copies/rfc9999.txt"]
    editor.answers["/copies/rfc9999.txt"] = leading("/new/rfc9999.txt", 301)

    [outcome] = read_from(editor)

    assert outcome.result is ImportResult.NEW
    assert SourceDocument.objects.get().read_from.endswith("/new/rfc9999.txt")


def cut_off(body: bytes) -> Callable[[Answering], None]:
    """Return a responder that promises a whole text and hangs up in the middle."""

    def answer(to: Answering) -> None:
        to.send_response(200)
        to.send_header("Content-Type", "text/plain")
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body[: len(body) // 2])

    return answer


def drip(to: Answering) -> None:
    """Respond one octet at a time, for longer than anyone waits."""
    to.send_response(200)
    to.send_header("Content-Type", "text/plain")
    to.end_headers()
    for _octet in range(200):
        to.wfile.write(b".")
        to.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (saying(b"Gone.", 410), "is not at http"),
        (saying(b"Never.", 404), "is not at http"),
        (saying(b"Sorry.", 503), "answered 503"),
        (saying(b"<p>Hello</p>", Content_Type="text/html"), "answered with text/html"),
        (saying(b"", Content_Type="text/plain"), "is empty"),
        (saying(b"x" * 200_001, Content_Type="text/plain"), "longer than 200000 octets"),
        (leading("http://127.0.0.2/rfc9999.txt"), "not on the public Internet"),
        (drip, "did not answer in full within"),
        (cut_off(b"Namespace ID: wickpat\n" * 50), "cut off after"),
    ],
    ids="gone missing busy html empty long private slow cut".split(),
)
def test_unreadable_record_is_reported_and_changes_nothing(
    answer: Callable[[Answering], object], why: str, editor: Editor, wickpat: Namespace
) -> None:
    read_from(editor)
    before = list(ImportedRecord.objects.values()), list(SourceDocument.objects.values())
    DocumentSource.objects.update(etag="", last_modified="")
    editor.answers["/copies/rfc9999.txt"] = answer

    [outcome] = read_from(editor, seconds=0.5)

    after = list(ImportedRecord.objects.values()), list(SourceDocument.objects.values())
    assert outcome.result is ImportResult.UNAVAILABLE
    assert why in outcome.problem
    assert after == before
    assert why in DocumentSource.objects.get(pk="RFC 9999").problem
    assert find_imported_template(wickpat) is not None


def test_document_that_changed_is_read_beside_the_older_one(
    editor: Editor, wickpat: Namespace, folder: Path
) -> None:
    read_from(editor)
    text = (folder / "rfc9999.txt").read_bytes().replace(b"Beeswax Lane", b"Honey Lane")
    editor.answers["/copies/rfc9999.txt"] = saying(text, Content_Type="text/plain")

    [outcome] = read_from(editor)

    assert outcome.result is ImportResult.NEWER
    assert wickpat.imported_records.count() == 2
    assert SourceDocument.objects.count() == 2
