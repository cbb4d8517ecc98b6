"""A folder of small catalogues."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.datasheets.catalogue.writing import GAME

Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Return a function that writes catalogues and a game system into one folder."""

    def written(game: str | None = GAME, **catalogues: str) -> Path:
        home = tmp_path / "catalogues"
        home.mkdir(exist_ok=True)
        if game is not None:
            (home / "game.gst").write_text(game)
        for name, text in catalogues.items():
            (home / f"{name}.cat").write_text(text)
        return home

    return written
