"""Keys, a witness, and verification: the commands of `python -m registry.transparency`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from registry.transparency.dumps import is_dump, verify_dump
from registry.transparency.errors import MalformedText, TransparencyError
from registry.transparency.file_notes import FileNote, get_note_path, sign_file, verify_file
from registry.transparency.merkle import hash_leaf
from registry.transparency.notes import COSIGNATURE, ED25519, Note, SignerKey, VerifierKey
from registry.transparency.proof_files import HEADER, LogProof
from registry.transparency.replay import EntryReplay
from registry.transparency.sources import open_source
from registry.transparency.verification import LogMemory, LogReport, verify_log
from registry.transparency.witness import Witness, WitnessServer, write_durably

SECRET_MODE: Final = 0o600
SOUND: Final = 0
FAULTY: Final = 1
MISUSED: Final = 2


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m registry.transparency",
        description="Verify a transparency log offline, cosign its heads, make its keys.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    verify = commands.add_parser(
        "verify",
        help="verify a log, in a folder or at an address, or a proof that was kept",
        description=(
            "Verify every entry, tile and root of a log; a dump, its rows against the log that it "
            "has; a proof; or, by the note beside it (FILE.note), any file. Ends with 0 where all "
            "is well, with 1 where something is not, and says what."
        ),
    )
    verify.add_argument(
        "where", metavar="FILE-OR-URL", help="a log, a dump, a proof, or a file with a note"
    )
    verify.add_argument(
        "--key", action="append", default=[], metavar="KEY", help="trusted for the log: NAME+ID+KEY"
    )
    verify.add_argument(
        "--witness", action="append", default=[], metavar="KEY", help="trusted as a witness"
    )
    verify.add_argument(
        "--quorum", type=int, default=0, metavar="N", help="how many witnesses must have signed"
    )
    verify.add_argument(
        "--seen",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a head that was kept earlier, which the log has to continue",
    )
    verify.add_argument(
        "--remember",
        type=Path,
        metavar="FILE",
        help="what was verified last time, so as to say which entry differs; then written anew",
    )
    verify.add_argument(
        "--entry", type=Path, metavar="FILE", help="the entry that a proof is about, if not in it"
    )
    verify.set_defaults(act=verify_where)

    witness = commands.add_parser("witness", help="cosign heads that continue the last one seen")
    witness.add_argument("--listen", required=True, metavar="HOST:PORT")
    witness.add_argument("--key", required=True, type=Path, metavar="FILE", dest="key_file")
    witness.add_argument("--state", required=True, type=Path, metavar="FILE")
    witness.add_argument(
        "--log", required=True, action="append", metavar="KEY", help="of a log: NAME+ID+KEY"
    )
    witness.set_defaults(act=serve_witness)

    keygen = commands.add_parser("keygen", help="make a key; the file is a secret")
    keygen.add_argument("name", metavar="NAME", help="of a log, its origin: host/path")
    keygen.add_argument("file", type=Path, metavar="FILE")
    keygen.add_argument("--witness", action="store_true", help="a key that cosigns")
    keygen.set_defaults(act=make_key)

    sign = commands.add_parser("sign", help="sign a file with a log's key, in FILE.note")
    sign.add_argument("key_file", type=Path, metavar="KEY-FILE")
    sign.add_argument("file", type=Path, metavar="FILE")
    sign.add_argument(
        "--head",
        required=True,
        metavar="NUMBER:DIGEST",
        help="of the journal when the file was made, as deposit prints it",
    )
    sign.set_defaults(act=write_note)
    return parser


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    asked = build_parser().parse_args(arguments)
    try:
        return int(asked.act(asked))
    except (TransparencyError, OSError) as error:
        print(error, file=sys.stderr)
        return MISUSED


def verify_where(asked: argparse.Namespace) -> int:
    """Verify a log or a proof, and print the result."""
    keys = [VerifierKey.parse(text) for text in asked.key]
    witnesses = [VerifierKey.parse(text) for text in asked.witness]
    path = Path(asked.where)
    if path.is_file():
        if not is_dump(path) and get_note_path(path).exists():
            return print_note(path, keys)
        octets = b"" if is_dump(path) else path.read_bytes()
        if octets and not octets.startswith(HEADER.encode()):
            raise MalformedText(f"{path} is neither a dump nor a proof.")
        if octets:
            return verify_proof(octets, keys, witnesses, asked)
    seen = [Note.parse(kept.read_bytes()) for kept in asked.seen]
    memory = LogMemory.read(asked.remember) if asked.remember else None
    if path.is_file():
        report = verify_dump(path, keys, seen=seen, memory=memory)
    else:
        replay = EntryReplay()
        report = verify_log(
            open_source(asked.where), keys, seen=seen, memory=memory, read_entry=replay.read
        )
    if report.note and not report.faults and asked.quorum:
        signed = len(report.note.find_verified(witnesses))
        if signed < asked.quorum:
            report.faults.append(f"{signed} known witnesses have signed, not {asked.quorum}.")
    return print_report(report, asked.remember)


def print_report(report: LogReport, remember: Path | None) -> int:
    """Print the result; remember a log without faults."""
    for fault in report.faults:
        print(fault)
    if report.faults or not report.head:
        return FAULTY
    print(f"All {report.head.size} entries of {report.head.origin} are what its head says.")
    if remember:
        LogMemory(report.head.origin, bytes(report.leaves)).write(remember)
    return SOUND


def verify_proof(
    octets: bytes,
    keys: Sequence[VerifierKey],
    witnesses: Sequence[VerifierKey],
    asked: argparse.Namespace,
) -> int:
    """Verify a proof from a file, and print which entry it proves."""
    try:
        proof = LogProof.parse(octets)
        entry = asked.entry.read_bytes() if asked.entry else proof.extra
        if not entry:
            raise MalformedText("The proof does not have its entry: say --entry FILE.")
        head = proof.verify(hash_leaf(entry), keys, witnesses, asked.quorum)
    except TransparencyError as error:
        print(error)
        return FAULTY
    print(f"Entry {proof.index} of {head.origin} is in its head of {head.size} entries:")
    print(entry.decode(errors="backslashreplace"))
    return SOUND


def print_note(path: Path, keys: Sequence[VerifierKey]) -> int:
    """Verify the note beside a file, and print which file it signs."""
    try:
        signed = FileNote.of(verify_file(path, keys))
    except TransparencyError as error:
        print(error)
        return FAULTY
    print(f"{path} is what {signed.origin} signed with its journal at {signed.head}.")
    return SOUND


def write_note(asked: argparse.Namespace) -> int:
    """Sign a file, and print where its note is."""
    key = SignerKey.parse(asked.key_file.read_text("ascii"))
    place = get_note_path(asked.file)
    write_durably(place, bytes(sign_file(asked.file, key, asked.head)))
    print(place)
    return SOUND


def parse_listening_address(text: str) -> tuple[str, int]:
    """Parse host and port; raise `MalformedText`."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise MalformedText(f"“{text}” is no address to listen at: write HOST:PORT.")
    return host.strip("[]") or "127.0.0.1", int(port)


def serve_witness(asked: argparse.Namespace) -> int:
    """Serve until the program is ended."""
    key = SignerKey.parse(asked.key_file.read_text("ascii"))
    witness = Witness(key, [VerifierKey.parse(text) for text in asked.log], asked.state)
    server = WitnessServer(parse_listening_address(asked.listen), witness)
    host, port = server.server_address[:2]
    print(f"The witness {key.verifier()} listens at http://{host!s}:{port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
        witness.close()
    return SOUND


def make_key(asked: argparse.Namespace) -> int:
    """Write a new secret key, and print the key that verifies."""
    if asked.file.exists():
        raise MalformedText(f"{asked.file} is there already, and a key is never written over.")
    key = SignerKey.generate(asked.name, COSIGNATURE if asked.witness else ED25519)
    write_durably(asked.file, f"{key.export()}\n".encode("ascii"), SECRET_MODE)
    print(key.verifier())
    return SOUND
