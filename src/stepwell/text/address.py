"""Addresses of services, shown without what may be secret in them."""

from __future__ import annotations

from urllib.parse import urlsplit

__all__ = ["place"]


def place(url: str) -> str:
    """Return the host, port and path of an address, without user, password and query.

    What is no http or https address gives an empty text.

    >>> place("https://me:secret@host.example:8443/v1/?token=secret")
    'host.example:8443/v1'
    >>> place("localhost:8080")
    ''
    """
    try:
        address = urlsplit(url)
        port = f":{address.port}" if address.port else ""
    except ValueError:
        return ""
    if address.scheme not in {"http", "https"} or not address.hostname:
        return ""
    return f"{address.hostname}{port}{address.path.rstrip('/')}"
