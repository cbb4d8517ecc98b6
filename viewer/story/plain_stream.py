"""A stream that shows text and obeys none of it, whoever wrote the text.

Owns what of a text reaches a terminal: names and messages may come from a stranger's file. Colours are let
through, as a reader cannot be misled by them.
"""

from __future__ import annotations

import re
from typing import Any, TextIO

from datasheets.outside import cleaned

_COLOUR = re.compile("(\x1b\\[[0-9;]{0,40}m)")


class PlainStream:
    """A text stream that passes on what can be seen."""

    def __init__(self, stream: TextIO) -> None:
        """Take the stream that the text goes to."""
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        """Return all else of the stream."""
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text without what a terminal obeys, but for colours and new lines."""
        parts = _COLOUR.split(text)
        parts[::2] = [cleaned(part) for part in parts[::2]]
        self.stream.write("".join(parts))
        return len(text)

    def writelines(self, texts: Any) -> None:
        """Write some texts."""
        for text in texts:
            self.write(text)
