"""Names and lines of a list, fit to be printed: no sign that moves a cursor, and short."""

from __future__ import annotations

import unicodedata

LONGEST = 100


def printable(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, without control characters, cut where it is too long."""
    clean = "".join(sign if _is_shown(sign) else " " for sign in text[: 4 * longest])
    short = " ".join(clean.split())
    return short if len(short) <= longest else f"{short[: longest - 1]}…"


def _is_shown(sign: str) -> bool:
    return sign.isprintable() and unicodedata.category(sign) not in ("Cf", "Co", "Cn")
