"""The models that the players own for the Horde, read from a file of numbers by datasheet.

It knows nothing of which of them are in play; `engine.horde.stock` does.
"""

from __future__ import annotations

from pathlib import Path

from datasheets.belonging import SheetSource
from datasheets.errors import BadData, UnknownName
from datasheets.record import read_text, read_toml


def load_collection(path: Path, library: SheetSource) -> dict[str, int]:
    """Return the models by datasheet of a TOML file with lines like `"orks/boyz" = 20`.

    Raises BadData for a file without lines, an unknown datasheet, and what is no number of models.
    Rule: SP.R6
    """
    return check_collection(read_toml(read_text(path), str(path)), library, str(path))


def check_collection(data: dict[str, object], library: SheetSource, path: str) -> dict[str, int]:
    """Return what a file says as a collection; `path` names the file in faults. Raises BadData."""
    if not data:
        raise BadData(path, "", 'it names no models; write lines like "orks/boyz" = 20')
    found: dict[str, int] = {}
    for name, models in data.items():
        try:
            library.datasheet(name)
        except UnknownName as error:
            raise BadData(path, name, str(error)) from None
        if not isinstance(models, int) or isinstance(models, bool) or models < 0:
            raise BadData(path, name, "it needs the number of models, a whole number from 0 on")
        found[name] = models
    return found
