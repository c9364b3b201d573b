"""Texts made by the grammar of RFC 8141, and texts made to break it."""

from __future__ import annotations

from hypothesis import strategies as st

ALPHANUM = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PCHARS = ALPHANUM + "-._~!$&'()*+,;=:@"
FORBIDDEN = ' "<>[]\\^`{|}\0\t\n\r\x0b\x0c\x1c\x7f\x85\xa0éжｕ\u2028\u2029\ud800\U0001f600'

hexadecimal = st.text("0123456789abcdefABCDEF", min_size=2, max_size=2)
triplets = hexadecimal.map(lambda digits: f"%{digits}")
pchars = st.sampled_from(PCHARS) | triplets

schemes = st.sampled_from(["urn", "URN", "Urn", "uRN"])
nids = st.builds(
    lambda first, middle, last: first + middle + last,
    st.sampled_from(ALPHANUM),
    st.text(ALPHANUM + "-", max_size=30),
    st.sampled_from(ALPHANUM),
)


def runs(also: str) -> st.SearchStrategy[str]:
    """A pchar, then pchars and the characters in `also`."""
    rest = st.lists(pchars | st.sampled_from(also), max_size=12).map("".join)
    return st.builds(lambda first, more: first + more, pchars, rest)


nsses = runs("/")
q_components = runs("/?")
r_components = q_components.map(lambda text: text.replace("?=", "?-"))
f_components = st.lists(pchars | st.sampled_from("/?"), max_size=8).map("".join)
optional_parts = st.tuples(
    st.none() | r_components, st.none() | q_components, st.none() | f_components
)


def written(
    scheme: str, nid: str, nss: str, optional: tuple[str | None, str | None, str | None]
) -> str:
    """The URN with these parts, put together by hand."""
    marks = zip(("?+", "?=", "#"), optional, strict=True)
    return f"{scheme}:{nid}:{nss}" + "".join(m + part for m, part in marks if part is not None)


urns = st.builds(written, schemes, nids, nsses, optional_parts)
# Dense in the characters that decide.
near_urns = st.builds(
    lambda head, tail: head + tail,
    st.sampled_from(
        ["urn:ab:", "urn:ab:c", "urn:ab:c?+", "urn:ab:c?=", "urn:ab:c#", "urn:a", "ur"]
    ),
    st.text("a0%F/?+=#:- é", max_size=10),
)
