"""The documents of record of a namespace, and where they are read: folder, mirror or the web."""

from __future__ import annotations

import hashlib
import re
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final, Protocol

from django.utils.translation import gettext as _

from registry.enums import NamespaceKind
from registry.errors import RegistryError
from registry.models import DocumentSource, Namespace
from registry.safe_http import FetchedResponse, FetchError, FetchLimits, fetch

RFC_EDITOR_SITE: Final = "https://www.rfc-editor.org"
IANA_SITE: Final = "https://www.iana.org"
RFC_PATTERN: Final = re.compile(r"RFC[ -]?0*([1-9][0-9]{0,4})", re.IGNORECASE)
TEMPLATE_ADDRESS_PATTERN: Final = re.compile(
    r"https?://(?:www\.)?iana\.org/assignments/(?:urn-namespaces/)?"
    r"(urn-(?:formal|informal)/[A-Za-z0-9-]+)/?"
)
DOCUMENT_LIMITS: Final = FetchLimits(octets=4_000_000, seconds=60.0)
"""The longest RFC has less than three million octets."""
PLAIN_TEXT_TYPES: Final = ("text/plain", "text/markdown", "application/octet-stream")
MAX_HEADER_LENGTH: Final = 200
MAX_NAME_LENGTH: Final = 300
"""A longer address is certainly not a document's."""


class DocumentUnavailable(RegistryError):
    """A document cannot be read now; the message says which and why. Earlier readings stay."""

    status = HTTPStatus.BAD_GATEWAY


@dataclass(frozen=True, slots=True)
class PublishedDocument:
    """A document of record: its name, its address, and its path in a folder of copies."""

    name: str
    address: str
    path: str

    @property
    def is_iana_template(self) -> bool:
        """Whether it is IANA's own page with the template."""
        return self.name.startswith(("urn-formal/", "urn-informal/"))


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """What was found of a document: its octets, their source, and validators for asking again."""

    content: bytes
    read_from: str
    etag: str = ""
    last_modified: str = ""

    @property
    def sha256(self) -> str:
        """SHA-256 of the octets, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def text(self) -> str:
        """The text; RFCs before 2017 are ASCII, some other pages Latin-1. It has no NUL, and LF as
        its only line end.
        """
        try:
            text = self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = self.content.decode("latin-1")
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def make_rfc_document(number: str) -> PublishedDocument:
    """Return the RFC of that number, as the RFC Editor publishes it."""
    path = f"rfc{number}.txt"
    return PublishedDocument(f"RFC {number}", f"{RFC_EDITOR_SITE}/rfc/{path}", path)


def make_template_document(nid: str, kind: str) -> PublishedDocument:
    """Return the page on which IANA keeps a template that is in no RFC."""
    path = f"urn-{'informal' if kind == NamespaceKind.INFORMAL else 'formal'}/{nid}"
    return PublishedDocument(path, f"{IANA_SITE}/assignments/{path}", path)


def list_published_documents(namespace: Namespace) -> list[PublishedDocument]:
    """Return the documents that may have the template of `namespace`, as its facts name them.

    RFCs and addresses among the references come in their order, IANA's page last. If the facts name
    neither, IANA's page is tried at its usual address.
    """
    found = list(iterate_referenced_documents(namespace))
    provenance = getattr(namespace, "provenance", None)
    address = provenance.template_url if provenance else ""
    if TEMPLATE_ADDRESS_PATTERN.fullmatch(address) or not (address or found):
        found.append(make_template_document(namespace.nid, namespace.kind))
    elif address:
        found.append(make_addressed_document(address))
    return list(dict.fromkeys(found))


def iterate_referenced_documents(namespace: Namespace) -> Iterator[PublishedDocument]:
    """Yield the documents that a namespace's references name, leaving out organizations."""
    for reference in namespace.references:
        if rfc := RFC_PATTERN.fullmatch(reference.strip()):
            yield make_rfc_document(rfc[1])
        elif TEMPLATE_ADDRESS_PATTERN.fullmatch(reference):
            yield make_template_document(namespace.nid, namespace.kind)
        elif reference.startswith(("https://", "http://")) and len(reference) <= MAX_NAME_LENGTH:
            yield make_addressed_document(reference)


def make_addressed_document(address: str) -> PublishedDocument:
    """Return a document that is known only by its address."""
    return PublishedDocument(address, address, re.sub(r"[^\w.-]+", "_", address))


class DocumentLibrary(Protocol):
    def find_location(self, document: PublishedDocument) -> str:
        """Return the address or file of a document."""

    def read(
        self, document: PublishedDocument, known: DocumentSource | None
    ) -> FoundDocument | None:
        """Return a document, or None if it is still as `known`; raise `DocumentUnavailable`."""


@dataclass(frozen=True, slots=True)
class FolderLibrary:
    """A folder of copies: `rfc8458.txt`, `urn-formal/nbn` (each also below `rfcs/`, or with
    `.txt`).
    """

    folder: Path

    def find_location(self, document: PublishedDocument) -> str:
        """Return the name of the file, within the folder."""
        return document.path

    def read(
        self, document: PublishedDocument, known: DocumentSource | None
    ) -> FoundDocument | None:
        """Return the content of the file, reading it each time."""
        for path in (
            document.path,
            f"rfcs/{document.path}",
            f"assignments/{document.path}",
            f"{document.path}.txt",
            f"assignments/{document.path}.txt",
        ):
            file = self.folder / path
            if file.is_file():
                return self.read_file(file, path, document)
        said = {"document": document.name, "folder": self.folder, "path": document.path}
        raise DocumentUnavailable(
            _("%(document)s is not in %(folder)s: no file %(path)s is there.") % said
        )

    def read_file(self, file: Path, path: str, document: PublishedDocument) -> FoundDocument:
        """Return the octets of a file, if there are not too many."""
        try:
            content = file.read_bytes()
        except OSError as error:
            said = {"file": file, "why": error.strerror}
            raise DocumentUnavailable(_("%(file)s cannot be read: %(why)s.") % said) from None
        refuse_unreadable(content, document)
        return FoundDocument(content, path)


@dataclass(slots=True)
class WebLibrary:
    """The places where documents are published, or a mirror of them below `base`.

    A mirror has the paths of a folder of copies. Documents are fetched one after the other, with a
    `pause` in seconds in between; unchanged ones are not sent again. `trust` names the trusted
    certificates.
    """

    base: str = ""
    pause: float = 1.0
    limits: FetchLimits = DOCUMENT_LIMITS
    trust: ssl.SSLContext | None = None
    asked_at: float | None = None

    def find_location(self, document: PublishedDocument) -> str:
        """Return the address to fetch."""
        return f"{self.base.rstrip('/')}/{document.path}" if self.base else document.address

    def read(
        self, document: PublishedDocument, known: DocumentSource | None
    ) -> FoundDocument | None:
        """Return the content from the server, or None if it says that nothing has changed."""
        address = self.find_location(document)
        self.wait()
        headers = make_condition_headers(known, address)
        try:
            answer = fetch(
                address,
                limits=self.limits,
                accept="text/plain, */*;q=0.1",
                headers=headers,
                trust=self.trust,
            )
        except FetchError as error:
            said = {"document": document.name, "why": error}
            raise DocumentUnavailable(_("%(document)s could not be read: %(why)s") % said) from None
        if answer.status == HTTPStatus.NOT_MODIFIED and headers:
            return None
        refuse_other_answers(answer, document)
        return FoundDocument(
            answer.body,
            answer.target.url,
            answer.headers.get("etag", "")[:MAX_HEADER_LENGTH],
            answer.headers.get("last-modified", "")[:60],
        )

    def wait(self) -> None:
        """Give a server a pause between two requests."""
        now = time.monotonic()
        if self.asked_at is not None and now < self.asked_at + self.pause:
            time.sleep(self.asked_at + self.pause - now)
        self.asked_at = time.monotonic()


def make_condition_headers(known: DocumentSource | None, address: str) -> dict[str, str]:
    """Return headers that request only changed content (RFC 9110, section 13.1)."""
    if known is None or known.document is None or known.asked_from != address:
        return {}
    wanted = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in wanted.items() if value and value.isascii()}


def refuse_other_answers(answer: FetchedResponse, document: PublishedDocument) -> None:
    """Raise `DocumentUnavailable` unless the response is the text of a document."""
    said: dict[str, object] = {"document": document.name, "url": answer.target.url}
    if answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        raise DocumentUnavailable(_("%(document)s is not at %(url)s any more.") % said)
    if answer.status != HTTPStatus.OK:
        said["status"] = answer.status
        raise DocumentUnavailable(
            _("%(document)s could not be read: %(url)s answered %(status)d.") % said
        )
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and kind not in PLAIN_TEXT_TYPES:
        said["kind"] = kind
        raise DocumentUnavailable(
            _("%(document)s is not plain text: %(url)s answered with %(kind)s.") % said
        )
    refuse_unreadable(answer.body, document)


def refuse_unreadable(content: bytes, document: PublishedDocument) -> None:
    """Raise `DocumentUnavailable` if there are no words, or too many octets."""
    if not content.strip():
        raise DocumentUnavailable(_("%(document)s is empty.") % {"document": document.name})
    if len(content) > DOCUMENT_LIMITS.octets:
        said = {"document": document.name, "most": DOCUMENT_LIMITS.octets}
        raise DocumentUnavailable(
            _("%(document)s is longer than %(most)d octets, so it is not read.") % said
        )
