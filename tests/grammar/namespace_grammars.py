"""Grammars in the style of well-known namespaces, rewritten."""

from __future__ import annotations

# A book number: groups of digits that hyphens may separate, and a check character.
BOOKS = """
   bk-urn     = "urn:bookno:" book-number
   book-number = new-number / old-number
   new-number = ("978" / "979") sep 9(DIGIT sep) DIGIT
   old-number = 9(DIGIT sep) (DIGIT / "X")
   sep        = ["-"]                      ; hyphens are for the eye
"""

# Names of national libraries: a country, part of it, and what the library assigned.
LIBRARIES = """
   natl-nss    = prefix delim string
   prefix      = iso-cc *(":" subspc)
   iso-cc      = 2ALPHA
   subspc      = 1*(ALPHA / DIGIT)
   delim       = "-"
   string      = 1*pchar-no-slash
   pchar-no-slash = ALPHA / DIGIT / "-" / "." / "_" / "~" / pct-encoded
   pct-encoded = "%" HEXDIG HEXDIG
"""

# Devices: sub-schemes in one case only, and the core rules repeated.
DEVICES = """
      appliance  = "urn:gadget:" body tail
      body       = macbody / owbody / orgbody / otherbody
      macbody    = %s"mac:" hexstring
      owbody     = %s"ow:" hexstring
      orgbody    = %s"org:" posnumber "-" word *( ":" word )
      otherbody  = subkind ":" word *( ":" word )
      subkind    = LALPHA *(DIGIT / LALPHA)
      word       = 1*plain
      tail       = *( "_" word )
      plain      = ALPHA / DIGIT / "." / "-"
      hexstring  = 1*(hexdigit hexdigit)
      hexdigit   = DIGIT / "a" / "b" / "c" / "d" / "e" / "f"
      posnumber  = NZDIGIT *DIGIT
      ALPHA      = %x41-5A / %x61-7A
      LALPHA     = %x61-7A
      NZDIGIT    = %x31-39
      DIGIT      = %x30-39
"""

# The collected rules of URNs, as in RFC 8141, section 2.
URNS = """
      namestring    = assigned-name
                      [ rq-components ]
                      [ "#" f-component ]
      assigned-name = "urn" ":" NID ":" NSS
      NID           = (alphanum) 0*30(ldh) (alphanum)
      ldh           = alphanum / "-"
      NSS           = pchar *(pchar / "/")
      rq-components = [ "?+" r-component ]
                      [ "?=" q-component ]
      r-component   = pchar *( pchar / "/" / "?" )
      q-component   = pchar *( pchar / "/" / "?" )
      f-component   = fragment
"""
ALL = {"books": BOOKS, "libraries": LIBRARIES, "devices": DEVICES, "urns": URNS}
