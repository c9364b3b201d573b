"""Schemes known by name, and their default ports."""

from __future__ import annotations

from typing import Final

DEFAULT_PORTS: Final = {
    "aaa": "3868",  # RFC 6733
    "acap": "674",  # RFC 2244
    "coap": "5683",  # RFC 7252
    "coaps": "5684",  # RFC 7252
    "dict": "2628",  # RFC 2229
    "ftp": "21",  # RFC 1738
    "gopher": "70",  # RFC 4266
    "http": "80",  # RFC 9110
    "https": "443",  # RFC 9110
    "icap": "1344",  # RFC 3507
    "imap": "143",  # RFC 5092
    "ipp": "631",  # RFC 3510
    "ipps": "631",  # RFC 7472
    "ldap": "389",  # RFC 4516
    "nfs": "2049",  # RFC 2224
    "nntp": "119",  # RFC 5538
    "pop": "110",  # RFC 2384
    "prospero": "1525",  # RFC 4157
    "rlogin": "513",  # RFC 1738 names it; the port is that of its service
    "rtsp": "554",  # RFC 7826
    "rtsps": "322",  # RFC 7826
    "rtspu": "554",  # RFC 2326
    "snmp": "161",  # RFC 4088
    "telnet": "23",  # RFC 4248
    "tftp": "69",  # RFC 3617
    "tip": "3372",  # RFC 2371
    "tn3270": "23",  # RFC 6270
    "vnc": "5900",  # RFC 7869
    "wais": "210",  # RFC 4156
    "whois": "43",  # RFC 3912 has the port of the service
    "ws": "80",  # RFC 6455
    "wss": "443",  # RFC 6455
    "z39.50r": "210",  # RFC 2056
    "z39.50s": "210",  # RFC 2056
}

# A colon after one of these words makes it a URI, with or without an authority.
NAMED_SCHEMES: Final = frozenset(
    "acct cid data did doi geo hdl info magnet mailto mid news ni sip sips sms tag tel urn xmpp"
    " x500".split()
)
KNOWN_SCHEMES: Final = NAMED_SCHEMES | DEFAULT_PORTS.keys() | {"afs", "file"}
