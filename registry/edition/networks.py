"""How networks for static sites are told of headers and moved addresses."""

from __future__ import annotations

from registry.edition.manifest import Manifest


def headers_file(manifest: Manifest) -> str:
    """Return `_headers`: an address, and below it what it is served with."""
    lines = []
    for path, about in manifest.files.items():
        if "?" in path:  # Networks look at paths alone.
            continue
        lines.append(path)
        lines += [f"  {name}: {text}" for name, text in about["headers"].items()]
    return "\n".join([*lines, ""])


def redirects_file(manifest: Manifest) -> str:
    """Return `_redirects`: an address, where it is now, and the status of the answer."""
    lines = [f"{path} {target} {status}" for path, (status, target) in manifest.moved.items()]
    return "\n".join([*lines, ""])
