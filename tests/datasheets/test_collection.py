"""The file of the models that the Horde has: what it says, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheets.collection import load_collection
from datasheets.errors import BadData
from datasheets.library import Library

LIBRARY = Library()


def read(folder: Path, text: str) -> dict[str, int]:
    """Return what a file with this text says."""
    path = folder / "owned.toml"
    path.write_text(text)
    return load_collection(path, LIBRARY)


@pytest.mark.rule("SP.R6")
def test_a_file_counts_models_by_datasheet(tmp_path: Path) -> None:
    text = '"death-guard/plague-marines" = 20\n"orks/boyz" = 0\n'
    assert read(tmp_path, text) == {"death-guard/plague-marines": 20, "orks/boyz": 0}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "owned.toml: it names no models"),
        ('"orks/boyz" = \n', "owned.toml: is no TOML file"),
        ('"orks/boys" = 3\n', "owned.toml: orks/boys: There is no datasheet 'orks/boys'; did you mean"),
        ('"ork/boyz" = 3\n', "owned.toml: ork/boyz: There is no datasheet 'ork/boyz'; did you mean"),
        ('"orks/boyz" = -1\n', "owned.toml: orks/boyz: it needs the number of models"),
        ('"orks/boyz" = "ten"\n', "owned.toml: orks/boyz: it needs the number of models"),
        ('"orks/boyz" = true\n', "owned.toml: orks/boyz: it needs the number of models"),
        ("[orks]\nboyz = 3\n", "owned.toml: orks: There is no datasheet 'orks'"),
    ],
)
def test_what_is_no_collection_is_refused_with_its_key(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadData) as fault:
        read(tmp_path, text)
    assert told in str(fault.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"none\.toml: cannot be read"):
        load_collection(tmp_path / "none.toml", LIBRARY)
