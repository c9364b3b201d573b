"""A program that builds, resolves and compares URIs, as a user would write it."""

from __future__ import annotations

from rfc8141 import uri


def link(base: str, reference: str) -> str | None:
    """The address to follow, `None` if nothing needs to be fetched."""
    if uri.is_same_document(reference, base):
        return None
    return uri.resolve_reference(base, reference)


def main() -> None:
    """Use each part of the library once."""
    base: uri.Base = uri.establish_base(embedded="b/", retrieval="https://h.example/a/")
    assert link(base.uri, "c") == "https://h.example/a/b/c"
    assert link(base.uri, "#d") is None
    kind: uri.HostKind | None = uri.classify_host("[::1]")
    assert kind is uri.HostKind.IPV6
    rung: uri.Rung | None = uri.compare_uris("http://h/%7Ea", "http://h/~a").rung
    assert rung is uri.Rung.PERCENT
    errors: tuple[uri.URISyntaxError, ...] = uri.validate_reference("http://[::g]/", "uri")
    assert [error.position for error in errors] == [10]
    text: str = uri.build_uri("https", host="h.example", path=["a/b"], query=[("q", "1&2")])
    scheme, authority, path, query, fragment = uri.split_reference(text)
    assert (scheme, authority, path, query, fragment) == (
        "https",
        "h.example",
        "/a%2Fb",
        "q=1%262",
        None,
    )


main()
print("as expected")
