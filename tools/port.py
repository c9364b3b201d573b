"""Check that a port can be served on before preparing anything: `python -m tools.port 8000`."""

from __future__ import annotations

import socket
import sys


def find_port_problem(port: str) -> str:
    """Return why 127.0.0.1 cannot be served on at `port`, or empty if it can."""
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        return f"PORT is {port!r}; it must be a whole number from 1 to 65535."
    with socket.socket() as attempt:
        # Like the server: a port that was closed a moment ago is not busy.
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind(("127.0.0.1", int(port)))
        except PermissionError:
            return f"Port {port} is not open to this account. Choose one above 1023."
        except OSError:
            return f"Port {port} is taken. Stop what runs there, or: make run PORT={int(port) + 1}"
    return ""


if __name__ == "__main__":
    sys.exit(find_port_problem(sys.argv[1]) or 0)
