"""Letters from outside, some of them malicious."""

from __future__ import annotations

import pytest

from registry.actions.incoming_mail import (
    MAX_LETTER_BYTES,
    IncomingLetter,
    UnreadableLetter,
    extract_words,
    read_letter,
)
from tests.actions.letters import (
    HEAD,
    TEXT,
    letter,
    raw,
)

PIXEL = b'<img src="https://spy.example/p.gif">'


def test_letter_says_who_what_and_in_answer_to_what() -> None:
    written = letter(In_Reply_To="<b@x.example>", References="<a@x.example> <b@x.example>")

    assert read_letter(written.as_bytes()) == IncomingLetter(
        message_id="<one@elsewhere.example>",
        subject="Re: R-2026-0001 urn:seedbank",
        refers_to=("<b@x.example>", "<b@x.example>", "<a@x.example>"),
        name="Maja Müller",
        address="maja@elsewhere.example",
        text=TEXT,
        is_automatic=False,
    )


def test_plain_part_is_taken_and_attachments_are_left_out() -> None:
    written = letter("Plain words.")
    written.add_alternative("<p>HTML words.</p>", subtype="html")
    written.add_attachment("secret,list", subtype="csv", filename="list.csv")

    assert read_letter(written.as_bytes()).text == "Plain words."


FLOWED = (
    b"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=%s\r\n"
    b"Content-Transfer-Encoding: 8bit\r\n"
)


@pytest.mark.parametrize(
    ("deletes_space", "body", "text"),
    [
        (
            b"yes",
            b"See urn:example:wrapped-by-the-mailer-because- \r\nit-was-too-long here.\r\n",
            "See urn:example:wrapped-by-the-mailer-because-it-was-too-long here.",
        ),
        (
            b"no",
            b"One paragraph \r\nof two lines.\r\nAnother.\r\n",
            "One paragraph of two lines.\nAnother.",
        ),
        (
            b"no",
            b"> Who may \r\n> join?\r\n>> All \r\n> of us.\r\nYes.\r\n",
            "> Who may join?\n>> All\n> of us.\nYes.",
        ),
        (b"no", b" >no quotation\r\n From here\r\n", ">no quotation\nFrom here"),
        (b"no", b"Regards \r\n-- \r\nMaja\r\n", "Regards\n--\nMaja"),
    ],
    ids=["a name in two lines", "paragraphs", "quotations", "stuffed spaces", "a signature"],
)
def test_flowed_lines_are_joined(deletes_space: bytes, body: bytes, text: str) -> None:
    assert read_letter(raw(FLOWED % deletes_space, body)).text == text


def test_markup_is_reduced_to_its_words() -> None:
    page = (
        "<html><head><title>No</title><style>p {}</style></head><body onload=x><!-- no > -->"
        "<p>Dear <b>all</b>,<br>see &lt;this&gt; &amp; <a href='javascript:x()'>that</a>.</p>"
        "<blockquote>You wrote<p>this</p></blockquote><script>alert(1)</script>Bye</body></html>"
    )

    assert extract_words(page) == ("Dear all,\nsee <this> & that.\n> You wrote\n> this\nBye")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        pytest.param(
            raw(b"Content-Type: text/html\r\n", b"<p>Hi" + PIXEL + b"</p>"), "Hi", id="html alone"
        ),
        pytest.param(
            raw(b"Content-Type: text/plain; charset=klingon\r\n", "Grüß".encode()),
            "Grüß",
            id="unknown charset",
        ),
        pytest.param(
            raw(b"Content-Type: text/plain; charset=us-ascii\r\n", "Grüß".encode()),
            "Gr\ufffd\ufffd\ufffd\ufffd",
            id="wrong charset",
        ),
        pytest.param(
            raw(b"Content-Type: text/plain; charset=rot13\r\n", b"Hello"),
            "Hello",
            id="charset that is a transformation",
        ),
        pytest.param(
            raw(b"Content-Type: text/plain; charset=punycode\r\n", b"Hello"),
            "Hello",
            id="charset that costs time",
        ),
        pytest.param(
            raw(body=b"A\x00B\x1b[31mC\xe2\x80\xaeD\x07\r\n\r\n\r\n\r\n\r\nE  \r\n"),
            "AB[31mCD\n\nE",
            id="control characters",
        ),
        pytest.param(
            raw(b'Content-Type: multipart/mixed; boundary="x"\r\n', b"--x\r\n\r\nHello"),
            "Hello",
            id="multipart cut off",
        ),
        pytest.param(
            raw(b"Content-Transfer-Encoding: base64\r\n", b"SGVsbG8=!!"), "Hello", id="bad base64"
        ),
        pytest.param(raw(b"Not a header\r\n"), "Not a header\n\nHello.", id="broken header"),
    ],
)
def test_letter_out_of_order_is_read_as_far_as_it_goes(written: bytes, text: str) -> None:
    assert read_letter(written).text == text


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        pytest.param(
            raw(b"Content-Type: multipart/mixed\r\n", b"--x\r\n\r\nHello"),
            "no text",
            id="parts without boundary",
        ),
        pytest.param(b"", "no text", id="nothing"),
        pytest.param(raw(body=b" \r\n\t\r\n"), "no text", id="blanks"),
        pytest.param(raw(b"Content-Type: image/png\r\n"), "no text", id="a picture"),
        pytest.param(raw(body=b"x" * MAX_LETTER_BYTES), "more than 1,000,000 bytes", id="huge"),
        pytest.param(
            raw(b"Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\n\r\nx\r\n" * 3000),
            "more than 2,000 parts",
            id="many parts",
        ),
        pytest.param(
            HEAD
            + b"".join(
                b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
                for n in range(1500)
            ),
            "damaged",
            id="parts in parts in parts",
        ),
        pytest.param(
            raw(b"Content-Type: " + b"(" * 50_000 + b"\r\n"), "damaged", id="nested comments"
        ),
    ],
)
def test_letter_of_which_no_message_can_be_made_is_refused(written: bytes, reason: str) -> None:
    with pytest.raises(UnreadableLetter, match=reason):
        read_letter(written)


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(b"Content-Type: text/plain; " + b"a*0*=x;" * 50_000, id="parameters"),
        pytest.param(b'Content-Type: text/plain; x="' + b'\\"' * 100_000, id="quotes"),
        pytest.param(b"Reply-To: " + b"<@a," * 50_000, id="routes"),
        pytest.param(b"X-Long: " + b"=?utf-8?q?a?= " * 20_000, id="encoded words"),
    ],
)
def test_header_made_to_take_for_ever_is_read_only_at_its_beginning(headers: bytes) -> None:
    assert read_letter(raw(headers + b"\r\n")).text == "Hello."


@pytest.mark.parametrize(
    "piece", ["<a ", "<!--", "<![x", "&#", "</a ", "<script>", "a='\"<", "<?", "&#9" + "9" * 4000]
)
def test_markup_made_to_take_for_ever_is_read_once(piece: str) -> None:
    extract_words(piece * (200_000 // len(piece)))


@pytest.mark.parametrize(
    ("sender", "name", "address"),
    [
        (b"Maja <maja@x.example>", "Maja", "maja@x.example"),
        (b"=?utf-8?q?M=C3=BCller?= <m@x.example>", "Müller", "m@x.example"),
        (b"=?utf-8?b?UmVnaXN0cmFyAAou?= <m@x.example>", "", ""),
        (b"maja@x.example", "", "maja@x.example"),
        (b"((((((((((", "", ""),
        ("A\u202eB\u200b <m@x.example>".encode(), "AB", "m@x.example"),
        (b"\xff\xfe", "", ""),
        (b"", "", ""),
    ],
)
def test_author_is_read_as_far_as_it_makes_sense(sender: bytes, name: str, address: str) -> None:
    found = read_letter(b"From: " + sender + b"\r\n\r\nHello.")

    assert (found.name, found.address) == (name, address)


@pytest.mark.parametrize(
    ("headers", "is_automatic"),
    [
        ({"Auto_Submitted": "auto-replied"}, True),
        ({"Auto_Submitted": "no"}, False),
        ({"Precedence": "junk"}, True),
        ({"Precedence": "bulk"}, True),
        ({"Precedence": "bulk", "List_Id": "<urn.lists.example>"}, False),
        ({"Precedence": "list"}, False),
        ({"Return_Path": "<>"}, True),
        ({"X_Autoreply": "yes"}, True),
        ({"X_Loop": "urn@lists.example"}, True),
    ],
)
def test_letters_of_machines_are_known(headers: dict[str, str], is_automatic: bool) -> None:
    assert read_letter(letter(**headers).as_bytes()).is_automatic is is_automatic


def test_letter_without_message_id_is_known_again_by_its_bytes() -> None:
    one, same, other = (
        read_letter(raw(body=body)).message_id for body in (b"Hello", b"Hello", b"Bye")
    )

    assert one == same != other
    assert one.endswith("@without-message-id.invalid>")
