"""The arguments of `urn`, and its help."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Final

from .. import uri
from ..version import __version__, find_program_name
from .answers import PROFILES
from .check import VERDICT_FORMATS
from .completion import SHELLS

_EPILOG: Final = """\
A text may be `-`: each line of standard input is one then. Files are read as UTF-8.

Exit status: 0 yes (it is a URN, the two are the same, something was found), 1 no, 2 trouble.

Try these:
  urn parse 'urn:nbn:fi-fe201003181510?=lang=sv'
  urn compare urn:isbn:978-951-0-18435-6 URN:ISBN:978-951-0-18435-6
  urn find notes.txt | sort -u
  urn check --format csv names.txt > answers.csv
  urn COMMAND --help says more of each."""

_EXAMPLES: Final = {
    "parse": """\
  urn parse urn:example:foo            its parts, and the canonical form
  urn parse 'urn:example:a b'          what is wrong, where, and what to try
  cat names.txt | urn parse - --format json""",
    "readings": """\
  urn readings 'urn:example:a?s=I2L'   a URN to draft -03, and to RFC 8141 none""",
    "convert": """\
  urn convert 'urn:example:a??r'       written by draft -12: urn:example:a?+r
  urn convert --from draft-03 'urn:example:a?s=I2L'""",
    "compare": """\
  urn compare urn:ab:%2c URN:AB:%2C    the same: only case differs that is folded
  urn compare http://h:80/ http://h/   the same on the last rung of the ladder
  urn compare --by draft-03 --step 5b 'urn:ab:c?a=1&b=2' 'urn:ab:c?b=2&a=1'
  urn compare --quiet A B && echo same""",
    "normalize": """\
  urn normalize 'URN:Example:a?+r'     its assigned name: urn:example:a
  urn normalize HTTP://H.example:80/%7Ea/../b
  urn normalize --rung case URN:Example:a%2c""",
    "validate": """\
  urn validate http://[2001:db8::7]/   its parts, and the kind of host
  urn validate --form absolute 'http://h/#f'""",
    "resolve": """\
  urn resolve http://a/b/c ../d        http://a/d
  urn resolve urn:example:a '#part'    stays within the document""",
    "find": """\
  urn find letter.txt                  each with its line and character
  urn find --urns *.html
  pdftotext paper.pdf - | urn find --suffixes -""",
    "locate": """\
  urn locate gopher://h.example/00/About""",
    "build": """\
  urn build example 'Kalevala (1835)'  urn:example:Kalevala%20(1835)
  urn build example a --q lang=fi""",
    "display": """\
  urn display urn:example:%D0%B6       urn:example:ж""",
    "nid": """\
  urn nid my-names                     country codes keep two letters and a hyphen
  urn nid isbn --registered urn-namespaces.csv""",
    "check": """\
  urn check names.txt                  a line for each that is no URN, and the counts
  zcat names.gz | urn check --quiet -  the exit status alone
  urn check --registered urn-namespaces.csv --format csv names.txt""",
    "completion": """\
  eval "$(urn completion bash)"        put this into ~/.bashrc
  urn completion fish > ~/.config/fish/completions/urn.fish""",
}


def build_parser() -> ArgumentParser:
    """The parser of the command line, with one subparser per command."""
    parser = ArgumentParser(
        prog=find_program_name(),
        description="Read, compare, find and check URNs by RFC 8141, and URIs by RFC 3986.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, does: str) -> ArgumentParser:
        command: ArgumentParser = commands.add_parser(
            name,
            help=does,
            description=f"{does[0].upper()}{does[1:]}.",
            epilog=f"Examples:\n{_EXAMPLES[name]}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        if name != "completion":
            command.add_argument(
                "--format", choices=VERDICT_FORMATS, default="text", help="text, unless told"
            )
            command.add_argument(
                "-q", "--quiet", action="store_true", help="write nothing: the exit status says it"
            )
        return command

    def add_texts(command: ArgumentParser, metavar: str = "URN") -> ArgumentParser:
        command.add_argument(
            "texts", nargs="+", metavar=metavar, help="- for each line of standard input"
        )
        return command

    add_texts(add("parse", "take URNs apart, or say what is wrong with them"))
    add_texts(add("readings", "read a text by RFC 2141, two drafts and RFC 8141"))
    convert = add_texts(add("convert", "write by RFC 8141 what an earlier specification meant"))
    convert.add_argument(
        "--from", dest="source", choices=PROFILES, help="the specification it was written by"
    )
    compare = add("compare", "say whether two URNs or URIs are the same, and why")
    compare.add_argument("first", metavar="URN")
    compare.add_argument("second", metavar="URN")
    compare.add_argument(
        "--by",
        choices=("auto", "urn", "uri", *PROFILES),
        default="auto",
        help="what decides: section 3.1 for two URNs and the ladder for others, unless told",
    )
    compare.add_argument(
        "--step", choices=("5a", "5b"), default="5a", help="of draft -03: without or with the query"
    )
    normalize = add_texts(add("normalize", "write a URN or URI in its normal form"), "URI")
    normalize.add_argument(
        "--rung",
        choices=[rung.value for rung in uri.Rung],
        default=uri.Rung.SCHEME.value,
        help="how far up the ladder of RFC 3986, section 6.2; to the top, unless told",
    )
    validate = add_texts(add("validate", "say whether a text is a URI by RFC 3986"), "URI")
    validate.add_argument(
        "--form",
        choices=("reference", "uri", "absolute"),
        default="uri",
        help="what it has to be: a uri, unless told",
    )
    resolve = add("resolve", "resolve a reference against a base by RFC 3986")
    resolve.add_argument("base", metavar="BASE")
    resolve.add_argument("reference", metavar="REFERENCE")
    resolve.add_argument(
        "--lenient", action="store_true", help="pass over a scheme that is the base's"
    )
    _add_files(add("find", "find URNs and other URIs in running text")).add_argument(
        "--urns", action="store_true", help="URNs alone"
    )
    commands.choices["find"].add_argument(
        "--suffixes", action="store_true", help="take www.… for a URI of the web"
    )
    add_texts(add("locate", "take a locator apart by the draft of 1993"), "LOCATOR")
    build = add("build", "make the URN of a name that is not encoded yet")
    build.add_argument("nid", metavar="NID")
    build.add_argument("name", metavar="NAME")
    for mark, reader in (("r", "a resolver"), ("q", "the resource"), ("f", "the client")):
        build.add_argument(f"--{mark}", metavar="TEXT", help=f"the {mark}-component, for {reader}")
    add_texts(add("display", "write URNs as people read them"))
    nid = add_texts(add("nid", "say whether an identifier of a namespace may be registered"), "NID")
    check = _add_files(add("check", "check files of URNs, one on each line"))
    for command in (nid, check):
        command.add_argument(
            "--registered",
            type=Path,
            metavar="FILE",
            help="registered NIDs, one on each line or in a CSV file: tells which names have none",
        )
    completion = add("completion", "write what a shell needs to complete these commands")
    completion.add_argument("shell", choices=SHELLS)
    return parser


def _add_files(command: ArgumentParser) -> ArgumentParser:
    command.add_argument("files", nargs="*", metavar="FILE", help="- or none: standard input")
    return command
