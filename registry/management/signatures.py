"""Whether to load a file by the log's signature of it, which is in a note beside it."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from registry.exchange.backup import BackupRefused
from registry.management.base import ask_for_yes
from registry.transparency.errors import TransparencyError
from registry.transparency.file_notes import (
    get_note_path,
    list_signers,
    read_unverified_note,
    verify_file,
)
from registry.transparency.notes import VerifierKey


def add_signature_options(parser: CommandParser) -> None:
    """Add the options that name trusted keys, or do without a signature."""
    options = parser.add_mutually_exclusive_group()
    options.add_argument(
        "--key",
        action="append",
        default=[],
        type=parse_key,
        dest="keys",
        metavar="NAME+ID+KEY",
        help="the log's public key, with which the file must be signed; kept from before, or from "
        "its /log/key",
    )
    options.add_argument(
        "--unsigned", action="store_true", help="load it whether it is signed or not, and by whom"
    )


def parse_key(text: str) -> VerifierKey:
    """Return the key given on the command line."""
    try:
        return VerifierKey.parse(text)
    except TransparencyError as error:
        raise ArgumentTypeError(str(error)) from None


def verify_signature(path: Path, keys: Sequence[VerifierKey]) -> str:
    """Return why it is not known who signed the file, or an empty text if one of the keys did.

    Raises `BackupRefused` if there are keys and none of them did, or if a note contradicts it.
    """
    try:
        if keys:
            verify_file(path, keys)
            return ""
        if not get_note_path(path).exists():
            return f"{path} is not signed: there is no {get_note_path(path)}."
        signers = list_signers(read_unverified_note(path))
    except TransparencyError as error:
        raise BackupRefused(str(error)) from None
    return f"{path} says that it is signed by {signers}, and no key was given to verify that."


def accept_signature(
    command: BaseCommand, path: Path, keys: Sequence[VerifierKey], *, interactive: bool
) -> None:
    """Raise `BackupRefused` unless one of the keys signed the file or somebody accepts it."""
    doubt = verify_signature(path, keys)
    if not doubt:
        return
    if interactive:
        command.stdout.write(doubt)
        if ask_for_yes("Type yes to load it: "):
            return
    raise BackupRefused(
        f"{doubt} Give the log's public key with --key, or --unsigned to load it unverified."
    )
